//! Who is interested in an event of a group, so that the signature graph knows in advance
//! whether a change concerns anybody.

use alloc::vec::Vec;

use super::numbers::IndexNumber;
use crate::words::heap_size::heap_size;
use crate::words::limits::COLLECTORS_A_BANK;
use crate::words::signature::Bits;

/// Who is interested in one event of a group.
#[derive(Default)]
pub(crate) struct Watch {
    /// The collectors, 32 to a word.
    collectors: Vec<u32>,
    observers: usize,
    indexes: Vec<IndexNumber>,
}

impl Watch {
    /// The words of collectors with their position.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.collectors
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, word)| *word != 0)
    }

    /// The collectors by their number.
    pub(crate) fn collector_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.collectors();
        words.flat_map(|(at, word)| {
            Bits(u64::from(word)).map(move |bit| at * COLLECTORS_A_BANK + bit as usize)
        })
    }

    /// Whether an observer listens.
    pub(crate) fn is_observed(&self) -> bool {
        self.observers > 0
    }

    /// Whether anybody is interested at all.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_observed() || self.collectors().next().is_some() || !self.indexes.is_empty()
    }

    /// The entity indexes that follow.
    pub(crate) fn indexes(&self) -> &[IndexNumber] {
        &self.indexes
    }

    /// Notes whether an entity index follows.
    pub(crate) fn set_index(&mut self, index: IndexNumber, follows: bool) {
        self.indexes.retain(|other| *other != index);
        if follows {
            self.indexes.push(index);
        }
    }

    /// Notes how many observers listen.
    pub(crate) fn set_observers(&mut self, count: usize) {
        self.observers = count;
    }

    /// How many observers listen.
    pub(crate) fn observers(&self) -> usize {
        self.observers
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        heap_size(&self.collectors) + heap_size(&self.indexes)
    }

    /// Notes whether a collector is interested.
    pub(crate) fn set_collector(&mut self, collector: usize, interested: bool) {
        let (word, bit) = (
            collector / COLLECTORS_A_BANK,
            1 << (collector % COLLECTORS_A_BANK),
        );
        if word >= self.collectors.len() {
            self.collectors.resize(word + 1, 0);
        }
        if interested {
            self.collectors[word] |= bit;
        } else {
            self.collectors[word] &= !bit;
        }
    }
}
