//! Moving many values from one list to another, as bytes.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known only at run time"
)]

use core::ptr::NonNull;

use super::ValueList;

impl ValueList {
    /// Appends the values of another list of the same type. An empty list takes over its memory.
    pub(crate) fn append_list(&mut self, mut other: Self) {
        assert!(
            other.descriptor == self.descriptor,
            "both lists are of one component"
        );
        if self.is_empty() && self.memory.capacity < other.memory.capacity {
            return *self = other;
        }
        let more = other.len();
        self.reserve(more);
        // SAFETY: space for as many values of the same type was reserved at the end.
        unsafe { other.move_first(more, self.memory.at(self.end)) };
        self.end += more;
    }

    /// Drops the values for which this list has `false`.
    #[cfg(feature = "serde")]
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut all = core::mem::replace(self, Self::new(self.descriptor));
        for &keep in keep {
            if let Some(value) = all.pop_first()
                && keep
            {
                self.push_moved(value);
            }
        }
    }

    /// Moves up to `count` values from the start to a place.
    ///
    /// # Safety
    ///
    /// The pointer must point to other memory for `count` values of the descriptor's type.
    pub(crate) unsafe fn move_first(&mut self, count: usize, place: NonNull<u8>) {
        let count = count.min(self.len());
        let values = self.memory.at(self.start);
        self.start += count;
        // SAFETY: there are `count` initialized values, which the list no longer owns; the caller
        // guarantees space for them.
        unsafe { values.copy_to_nonoverlapping(place, count * self.descriptor.layout.size()) };
    }

    /// Removes and returns up to `count` values from the start.
    pub(crate) fn take_first(&mut self, count: usize) -> Self {
        let mut first = Self::new(self.descriptor);
        let count = count.min(self.len());
        first.memory.resize(0..0, count);
        // SAFETY: the other memory has capacity for `count` values.
        unsafe { self.move_first(count, first.memory.at(0)) };
        first.end = count;
        first
    }

    /// Moves up to `count` values from the start of another list of the same type to the end.
    pub(crate) fn append_first(&mut self, other: &mut Self, count: usize) {
        if count >= other.len() {
            return self.append_list(other.take());
        }
        assert!(
            other.descriptor == self.descriptor,
            "lists of one component"
        );
        self.reserve(count);
        // SAFETY: space for as many values of the same type was reserved at the end.
        unsafe { other.move_first(count, self.memory.at(self.end)) };
        self.end += count;
    }

    /// Removes and returns all values, with their memory.
    pub(crate) fn take(&mut self) -> Self {
        core::mem::replace(self, Self::new(self.descriptor))
    }

    /// Appends consecutive values by moving their bytes.
    ///
    /// # Safety
    ///
    /// The pointer must point to `count` initialized values of the descriptor's type, in other
    /// memory, that are not used afterwards.
    pub(crate) unsafe fn push_all_from(&mut self, values: NonNull<u8>, count: usize) {
        self.reserve(count);
        let (place, size) = (self.memory.at(self.end), self.descriptor.layout.size());
        // SAFETY: the caller guarantees values, and space for as many was reserved at the end.
        unsafe { values.copy_to_nonoverlapping(place, count * size) };
        self.end += count;
    }
}
