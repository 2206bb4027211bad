//! Whether a panic is unwinding, also without the feature `std`.

// Programs without a standard library abort on a panic, so where panics unwind, there is one.
#[cfg(all(panic = "unwind", not(feature = "std")))]
extern crate std;

/// Whether a panic is unwinding this thread.
#[inline]
pub(crate) fn is_unwinding() -> bool {
    #[cfg(panic = "unwind")]
    return std::thread::panicking();
    #[cfg(not(panic = "unwind"))]
    false
}
