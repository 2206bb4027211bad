//! The subscribers of a group event, from which the signature graph computes the effects of a
//! change.

use alloc::vec::Vec;

use super::numbers::IndexNumber;
use crate::storage::heap::heap;
use crate::words::signature::Bits;

/// The subscribers of one event of a group.
#[derive(Default)]
pub(crate) struct Watch {
    collectors: Numbers,
    observers: usize,
    indexes: Numbers,
}

heap!(Watch: collectors, indexes);

impl Watch {
    /// The numbers of the collectors.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = usize> + '_ {
        self.collectors.iter()
    }

    pub(super) fn is_collected(&self) -> bool {
        !self.collectors.is_empty()
    }

    pub(crate) fn is_observed(&self) -> bool {
        self.observers > 0
    }

    /// Whether it has any subscribers.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_observed() || self.is_collected() || !self.indexes.is_empty()
    }

    /// The entity indexes that subscribe to it.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = IndexNumber> + '_ {
        self.indexes.iter().map(|at| IndexNumber(at as u32)) // numbers were `u32` when they were inserted
    }

    /// Subscribes or unsubscribes an entity index.
    pub(crate) fn set_index(&mut self, index: IndexNumber, follows: bool) {
        self.indexes.set(index.get(), follows);
    }

    /// Sets the number of observers.
    pub(crate) fn set_observers(&mut self, count: usize) {
        self.observers = count;
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn observers(&self) -> usize {
        self.observers
    }

    /// Subscribes or unsubscribes a collector.
    pub(crate) fn set_collector(&mut self, collector: usize, interested: bool) {
        self.collectors.set(collector, interested);
    }
}

#[derive(Default)]
struct Numbers {
    /// The last word is not zero.
    words: Vec<u64>,
}

heap!(Numbers: words);

impl Numbers {
    fn set(&mut self, number: usize, is_in: bool) {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if is_in {
            self.words[word] |= bit;
        } else {
            self.words[word] &= !bit;
            self.end_at_last();
        }
    }

    fn end_at_last(&mut self) {
        let last = self.words.iter().rposition(|word| *word != 0);
        self.words.truncate(last.map_or(0, |last| last + 1));
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(at, &word)| Bits(word).map(move |bit| at * 64 + bit as usize))
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
