//! The order in which indexes were created. Numbers do not tell, because they are reused.
//!
//! ```text
//! by_age   [ 1 │ · │ 3 │ 0 ]      index 1 is the oldest; · was removed
//! places   [ 3 │ 0 │ · │ 2 ]      by number
//! ```
//!
//! Gaps are closed when they are more than half of the list, so the amortized cost per index is
//! constant.

use alloc::vec::Vec;

use crate::matching::group::IndexNumber;
use crate::storage::heap::{Heap, bytes_of};

/// See the [module](self).
#[derive(Default)]
pub(super) struct Ages {
    by_age: Vec<Option<IndexNumber>>,
    places: Vec<usize>,
    gaps: usize,
}

impl Heap for Ages {
    bytes_of!(by_age, places);

    fn trim(&mut self) {
        self.close_gaps();
        self.by_age.trim();
        let last = self.by_age.iter().flatten().map(|number| number.get() + 1);
        self.places.truncate(last.max().unwrap_or(0));
        self.places.trim();
    }
}

impl Ages {
    pub(super) fn add(&mut self, number: IndexNumber) {
        let len = self.places.len().max(number.get() + 1);
        self.places.resize(len, 0);
        self.places[number.get()] = self.by_age.len();
        self.by_age.push(Some(number));
    }

    pub(super) fn end(&mut self, number: IndexNumber) {
        let place = self.place(number);
        self.by_age[place] = None;
        self.gaps += 1;
        if self.gaps > self.by_age.len() / 2 {
            self.close_gaps();
        }
    }

    fn close_gaps(&mut self) {
        self.by_age.retain(Option::is_some);
        self.gaps = 0;
        for (place, number) in self.by_age.iter().flatten().enumerate() {
            self.places[number.get()] = place;
        }
    }

    /// The place of an index; older ones come before it.
    pub(super) fn place(&self, number: IndexNumber) -> usize {
        self.places[number.get()]
    }

    /// The first index at this place or after it.
    pub(super) fn at_or_after(&self, place: usize) -> Option<IndexNumber> {
        let behind = self.by_age.get(place..)?;
        behind.iter().copied().flatten().next()
    }

    /// Panics if the place of an index is wrong, or there are others.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, indexes: impl Iterator<Item = IndexNumber>) {
        let mut count = 0;
        for number in indexes {
            count += 1;
            let found = self.by_age.get(self.place(number)).copied().flatten();
            assert_eq!(found, Some(number), "ages: the place of {number:?}");
        }
        assert_eq!(
            count + self.gaps,
            self.by_age.len(),
            "ages: how many there are"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(ages: &Ages) -> Vec<u32> {
        let mut place = 0;
        let next = || {
            let number = ages.at_or_after(place)?;
            place = ages.place(number) + 1;
            Some(number.0)
        };
        core::iter::from_fn(next).collect()
    }

    #[test]
    fn indexes_are_in_order_of_age() {
        let mut ages = Ages::default();
        (0..4).for_each(|number| ages.add(IndexNumber(number)));
        ages.end(IndexNumber(0));
        ages.end(IndexNumber(2));
        assert_eq!((in_order(&ages), ages.by_age.len()), (Vec::from([1, 3]), 4));
        ages.add(IndexNumber(0));
        assert_eq!(in_order(&ages), [1, 3, 0]);
        ages.check_invariants([0, 1, 3].map(IndexNumber).into_iter());
        ages.end(IndexNumber(1));
        assert_eq!((in_order(&ages), ages.by_age.len()), (Vec::from([3, 0]), 2));
        ages.check_invariants([0, 3].map(IndexNumber).into_iter());
    }

    #[test]
    fn memory_of_removed_indexes_is_freed() {
        let mut ages = Ages::default();
        (0..8).for_each(|number| ages.add(IndexNumber(number)));
        (3..6).for_each(|number| ages.end(IndexNumber(number)));
        ages.end(IndexNumber(7));
        ages.trim();
        let size = 4 * size_of::<Option<IndexNumber>>() + 7 * size_of::<usize>();
        assert_eq!(
            (in_order(&ages), ages.bytes()),
            (Vec::from([0, 1, 2, 6]), size)
        );
        for number in [0, 1, 2, 6] {
            ages.end(IndexNumber(number));
        }
        ages.trim();
        assert_eq!(ages.bytes(), 0);
    }
}
