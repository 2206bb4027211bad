//! Who is interested in an event of a group, so that the signature graph knows in advance
//! whether a change concerns anybody.

use alloc::vec::Vec;

use super::numbers::IndexNumber;
use crate::words::heap_size::heap_size;
use crate::words::signature::Bits;

/// Who is interested in one event of a group.
#[derive(Default)]
pub(crate) struct Watch {
    collectors: Numbers,
    observers: usize,
    indexes: Numbers,
}

impl Watch {
    /// The collectors by their number.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = usize> + '_ {
        self.collectors.iter()
    }

    /// Whether a collector gathers it.
    pub(super) fn is_collected(&self) -> bool {
        !self.collectors.is_empty()
    }

    /// Whether an observer listens.
    pub(crate) fn is_observed(&self) -> bool {
        self.observers > 0
    }

    /// Whether anybody is interested at all.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_observed() || self.is_collected() || !self.indexes.is_empty()
    }

    /// The entity indexes that follow.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = IndexNumber> + '_ {
        self.indexes.iter().map(|at| IndexNumber(at as u32)) // counted in `u32` when it was added
    }

    /// Notes whether an entity index follows.
    pub(crate) fn set_index(&mut self, index: IndexNumber, follows: bool) {
        self.indexes.set(index.get(), follows);
    }

    /// Notes how many observers listen.
    pub(crate) fn set_observers(&mut self, count: usize) {
        self.observers = count;
    }

    /// How many observers listen.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn observers(&self) -> usize {
        self.observers
    }

    /// Gives up the room for those who are interested no longer.
    pub(super) fn trim(&mut self) {
        self.collectors.trim();
        self.indexes.trim();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.collectors.bytes() + self.indexes.bytes()
    }

    /// Notes whether a collector is interested.
    pub(crate) fn set_collector(&mut self, collector: usize, interested: bool) {
        self.collectors.set(collector, interested);
    }
}

/// A set of numbers.
#[derive(Default)]
struct Numbers {
    /// The last one is not empty.
    words: Vec<u64>,
}

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

    fn trim(&mut self) {
        self.words.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        heap_size(&self.words)
    }
}
