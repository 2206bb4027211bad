//! Values with stable numbers. The number of a removed value is reused, lowest first, so numbers
//! stay below the maximum count of values at one time, unless values are pushed at the end.
//!
//! ```text
//! entries  0: a   1: -   2: b   3: -        vacant  1, 3
//! ```

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::storage::heap::{Heap, bytes_of, trim_end};

/// Values by number.
#[derive(Clone)]
pub(crate) struct Slab<T> {
    entries: Vec<Option<T>>,
    vacant: BinaryHeap<Reverse<usize>>,
}

impl<T> Slab<T> {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            vacant: BinaryHeap::new(),
        }
    }

    /// Adds a value. Returns its number, the lowest vacant one.
    pub(crate) fn insert(&mut self, value: T) -> usize {
        let Some(Reverse(at)) = self.vacant.pop() else {
            return self.push(value);
        };
        self.entries[at] = Some(value);
        at
    }

    /// Adds a value after all others. Returns its number.
    pub(crate) fn push(&mut self, value: T) -> usize {
        self.entries.push(Some(value));
        self.entries.len() - 1
    }

    /// Removes a value. Its number becomes vacant.
    pub(crate) fn remove(&mut self, at: usize) -> Option<T> {
        let value = self.entries.get_mut(at)?.take()?;
        self.vacant.push(Reverse(at));
        Some(value)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.entries.get(at)?.as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.entries.get_mut(at)?.as_mut()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.vacant.len()
    }

    /// Returns one more than the highest number in use or vacant.
    pub(crate) fn end(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &T> + Clone {
        self.entries.iter().flatten()
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().flatten()
    }

    /// Iterates over values with their numbers, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(at, value)| Some((at, value.as_ref()?)))
    }

    /// Iterates mutably over values with their numbers, in ascending order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        let entries = self.entries.iter_mut().enumerate();
        entries.filter_map(|(at, value)| Some((at, value.as_mut()?)))
    }
}

/// Without the memory of the values.
impl<T> Heap for Slab<T> {
    bytes_of!(entries, vacant);

    fn trim(&mut self) {
        trim_end(&mut self.entries, Option::is_some);
        let end = self.entries.len();
        self.vacant.retain(|Reverse(at)| *at < end);
        self.vacant.trim();
    }
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slab(values: &[char]) -> Slab<char> {
        let mut slab = Slab::new();
        for (at, value) in values.iter().enumerate() {
            assert_eq!(slab.insert(*value), at);
        }
        slab
    }

    #[test]
    fn the_lowest_vacant_number_is_reused() {
        let mut slab = slab(&['a', 'b', 'c', 'd']);
        assert_eq!((slab.remove(2), slab.remove(1)), (Some('c'), Some('b')));
        assert_eq!((slab.remove(1), slab.remove(9)), (None, None));
        assert_eq!((slab.len(), slab.end()), (2, 4));
        assert_eq!(slab.push('e'), 4);
        let numbers = ['f', 'g', 'h'].map(|value| slab.insert(value));
        assert_eq!(numbers, [1, 2, 5]);
        assert_eq!(slab.values().collect::<alloc::string::String>(), "afgdeh");
    }

    #[test]
    fn trim_frees_numbers_after_the_last_value() {
        let mut slab = slab(&['a', 'b', 'c', 'd', 'e']);
        for at in [4, 1, 3] {
            assert!(slab.remove(at).is_some());
        }
        slab.trim();
        assert_eq!((slab.len(), slab.end()), (2, 3));
        assert_eq!(
            slab.bytes(),
            3 * size_of::<Option<char>>() + size_of::<usize>()
        );
        assert_eq!(slab.iter().collect::<Vec<_>>(), [(0, &'a'), (2, &'c')]);
        assert_eq!(['f', 'g'].map(|value| slab.insert(value)), [1, 3]);
        for at in [0, 1, 2, 3] {
            assert!(slab.remove(at).is_some());
        }
        slab.trim();
        assert_eq!(slab.bytes(), 0);
    }
}
