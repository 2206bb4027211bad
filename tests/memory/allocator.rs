//! The allocator of these tests: the system's, counted for each thread, so that a test sees nothing of
//! what other threads of the program allocate meanwhile.
#![expect(unsafe_code, reason = "an allocator is an unsafe implementation")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Begins in the middle, for a thread may give back more than it has allocated.
    static ALLOCATED: Cell<usize> = const { Cell::new(usize::MAX / 2) };
}

/// How many bytes this thread has allocated and not given back, from a number on that is the same always.
pub(super) fn allocated() -> usize {
    ALLOCATED.get()
}

/// The system's allocator, with what [`allocated`] counts.
pub(super) struct ByThread;

// SAFETY: Each call is the system's with the same arguments, and what it returns is returned. The counter
// allocates nothing and needs no drop, so it can be reached while a thread starts and ends.
unsafe impl GlobalAlloc for ByThread {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
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
        // SAFETY: The place is from one of the calls here, which is one of the system's.
        let place = unsafe { System.realloc(place, layout, size) };
        if !place.is_null() {
            ALLOCATED.set(ALLOCATED.get() - layout.size() + size);
        }
        place
    }
}
