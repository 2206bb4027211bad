//! The allocator of these tests: the system's, with a count per thread, so that a test does not see
//! allocations of other threads. It fails an allocation if a test requests it.
#![expect(unsafe_code, reason = "an allocator is an unsafe implementation")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

thread_local! {
    /// Starts in the middle, because a thread may free more than it has allocated.
    static ALLOCATED: Cell<usize> = const { Cell::new(usize::MAX / 2) };

    /// The bytes requested so far.
    static REQUESTED: Cell<usize> = const { Cell::new(0) };

    /// The number of allocations up to and including the one that fails; none fails if it is zero.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// The bytes that this thread has allocated and not freed, plus a constant.
pub(super) fn allocated() -> usize {
    ALLOCATED.get()
}

/// The bytes that this thread requests while `act` runs, including those that it frees.
pub(super) fn requested_by<R>(act: impl FnOnce() -> R) -> usize {
    let before = REQUESTED.get();
    act();
    REQUESTED.get() - before
}

/// Runs `act`; only its n-th allocation fails. Returns whether there were that many.
pub(super) fn rejecting<R>(nth: usize, act: impl FnOnce() -> R) -> (R, bool) {
    LEFT.set(nth);
    let result = act();
    (result, LEFT.replace(0) == 0)
}

/// Counts an allocation; returns whether it must fail.
fn is_rejected() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left == 1
}

/// The system's allocator, with the counts of [`allocated`] and the failures of [`rejecting`].
pub(super) struct ByThread;

// SAFETY: Each call forwards its arguments to the system's allocator and returns its result, or
// null for a failed allocation. The counters do not allocate and have no drop, so they are
// accessible while a thread starts and ends.
unsafe impl GlobalAlloc for ByThread {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_rejected() {
            return ptr::null_mut();
        }
        // SAFETY: The caller's promise about the layout is what this call requires.
        let place = unsafe { System.alloc(layout) };
        if !place.is_null() {
            ALLOCATED.set(ALLOCATED.get() + layout.size());
            REQUESTED.set(REQUESTED.get() + layout.size());
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        ALLOCATED.set(ALLOCATED.get() - layout.size());
        // SAFETY: The place is from one of the calls here, which is one of the system's.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_rejected() {
            return ptr::null_mut();
        }
        // SAFETY: The place is from one of the calls here, which is one of the system's.
        let place = unsafe { System.realloc(place, layout, size) };
        if !place.is_null() {
            ALLOCATED.set(ALLOCATED.get() - layout.size() + size);
            REQUESTED.set(REQUESTED.get() + size);
        }
        place
    }
}
