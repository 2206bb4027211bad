//! The allocator of these tests: the system's, counted for each thread, so that a test sees nothing
//! of what other threads of the program allocate meanwhile. It rejects an allocation where a test
//! says so.
#![expect(unsafe_code, reason = "an allocator is an unsafe implementation")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

thread_local! {
    /// Begins in the middle, for a thread may give back more than it has allocated.
    static ALLOCATED: Cell<usize> = const { Cell::new(usize::MAX / 2) };

    /// How many allocations there are until one is rejected, which is counted; none is where it is
    /// zero.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// How many bytes this thread has allocated and not given back, from a number on that is the same
/// always.
pub(super) fn allocated() -> usize {
    ALLOCATED.get()
}

/// Runs something, the n-th allocation of which is rejected, and no other one; returns whether
/// there were as many.
pub(super) fn rejecting<R>(nth: usize, act: impl FnOnce() -> R) -> (R, bool) {
    LEFT.set(nth);
    let result = act();
    (result, LEFT.replace(0) == 0)
}

/// Counts an allocation; returns whether it is the one to be rejected.
fn is_rejected() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left == 1
}

/// The system's allocator, with what [`allocated`] counts and what [`rejecting`] rejects.
pub(super) struct ByThread;

// SAFETY: Each call is the system's with the same arguments, and what it returns is returned, or
// null is, as of an allocation that has failed. The counters allocate nothing and need no drop, so
// they can be reached while a thread starts and ends.
unsafe impl GlobalAlloc for ByThread {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_rejected() {
            return ptr::null_mut();
        }
        // SAFETY: What the caller promises of the layout is what is asked for.
        let place = unsafe { System.alloc(layout) };
        if !place.is_null() {
            ALLOCATED.set(ALLOCATED.get() + layout.size());
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
        }
        place
    }
}
