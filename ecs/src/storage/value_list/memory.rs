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
    /// None at all: room for none, or for any number of values without a size.
    pub(super) fn none(value: Layout) -> Self {
        Self {
            value,
            first: dangling(value),
            capacity: if value.size() == 0 { usize::MAX } else { 0 },
        }
    }

    /// The layout of all of it.
    pub(super) fn layout(&self) -> Layout {
        match self.value.size() {
            0 => Layout::new::<()>(),
            _ => layout_of(self.value, self.capacity),
        }
    }

    /// Where a value is, or would be: at most one behind the last.
    #[inline]
    pub(super) fn at(&self, at: usize) -> NonNull<u8> {
        // SAFETY: the places up to `capacity` are in the memory, or end it; without a size they are
        // all the same.
        unsafe { self.first.add(at * self.value.size()) }
    }

    /// Has room for so many values, and moves those of a range to its start.
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
        // SAFETY: the range is in the old memory, the new one has room for it, and they are two.
        unsafe { from.copy_to_nonoverlapping(other.first, bytes) };
        *self = other;
    }
}

impl Drop for ValueMemory {
    fn drop(&mut self) {
        // SAFETY: it was allocated by this layout, if it has a size.
        unsafe { free(self.first, self.layout()) };
    }
}

/// # Panics
///
/// Panics if no address space has so many bytes.
fn layout_of(value: Layout, count: usize) -> Layout {
    let size = value.size().checked_mul(count);
    let layout = size.and_then(|size| Layout::from_size_align(size, value.align()).ok());
    layout.expect("a list of values fits into memory")
}
