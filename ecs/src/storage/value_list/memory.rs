//! The memory of a list of values.

#![expect(unsafe_code, reason = "owns raw memory")]

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::storage::moved::{allocate, dangling, free};

/// Memory for values of one layout.
pub(super) struct ValueMemory {
    pub(super) value: Layout,
    pub(super) first: NonNull<u8>,
    pub(super) capacity: usize,
}

impl ValueMemory {
    /// Creates memory with capacity zero, or unlimited for values of size zero.
    pub(super) fn none(value: Layout) -> Self {
        Self {
            value,
            first: dangling(value),
            capacity: if value.size() == 0 { usize::MAX } else { 0 },
        }
    }

    /// The layout of the whole memory.
    pub(super) fn layout(&self) -> Layout {
        match self.value.size() {
            0 => Layout::new::<()>(),
            _ => layout_of(self.value, self.capacity),
        }
    }

    /// Returns the pointer to a place, which is at most the capacity.
    #[inline]
    pub(super) fn at(&self, at: usize) -> NonNull<u8> {
        // SAFETY: places up to `capacity` are in the memory or at its end; for size zero the offset
        // is zero.
        unsafe { self.first.add(at * self.value.size()) }
    }

    /// Changes the capacity, and moves the values of a range to the start.
    pub(super) fn resize(&mut self, moved: core::ops::Range<usize>, capacity: usize) {
        if self.value.size() == 0 {
            return;
        }
        let mut other = Self::none(self.value);
        if capacity > 0 {
            other.first = allocate(layout_of(self.value, capacity));
            other.capacity = capacity;
        }
        let (from, bytes) = (self.at(moved.start), moved.len() * self.value.size());
        // SAFETY: the range is in the old memory, the new memory has space for it, and they do not
        // overlap.
        unsafe { from.copy_to_nonoverlapping(other.first, bytes) };
        *self = other;
    }
}

impl Drop for ValueMemory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, unless the size is zero.
        unsafe { free(self.first, self.layout()) };
    }
}

/// # Panics
///
/// Panics if the size exceeds the address space.
fn layout_of(value: Layout, count: usize) -> Layout {
    let size = value.size().checked_mul(count);
    let layout = size.and_then(|size| Layout::from_size_align(size, value.align()).ok());
    layout.expect("a list of values fits into memory")
}
