//! The CPU time of a thread, independent of the load of the machine.

#![expect(unsafe_code, reason = "it is the system that knows")]

use std::time::Duration;

/// Returns how long the calling thread computes when it calls a function.
///
/// # Panics
///
/// Panics if the system has no clock for threads, or the function panics.
pub fn time_of(act: impl FnOnce()) -> Duration {
    let start = running();
    act();
    running() - start
}

/// How long the calling thread has computed, since some fixed time.
#[cfg(all(
    target_os = "linux",
    any(target_pointer_width = "64", target_arch = "x86")
))]
fn running() -> Duration {
    use std::ffi::c_long;

    /// A `timespec`.
    #[repr(C)]
    struct Time {
        seconds: c_long,
        nanoseconds: c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const OF_THREAD: i32 = 3;
    let mut time = Time {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: a `timespec` is two of C's `long` on these targets, and `time` is an exclusively
    // borrowed one.
    let result = unsafe { clock_gettime(OF_THREAD, &raw mut time) };
    assert_eq!(result, 0, "the clock of a thread");
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// The elapsed time, on targets without a thread clock.
#[cfg(not(all(
    target_os = "linux",
    any(target_pointer_width = "64", target_arch = "x86")
)))]
fn running() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
