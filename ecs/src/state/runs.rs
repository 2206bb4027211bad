//! Entities of a list that are changed alike.

use alloc::vec::Vec;
use core::ops::Range;

use crate::matching::effects::EffectsIndex;
use crate::storage::row_words::{Adding, RowWord, RowWords};

/// Entities that stand together in a list and are changed alike.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The place of the first of them in the list.
    pub(super) start: usize,
    /// The place of their first word among the rows of the whole list.
    pub(super) word: usize,
    pub(super) effects: EffectsIndex,
}

/// The entities of a list that are changed alike, as runs and as rows.
#[derive(Default)]
pub(crate) struct Runs {
    pub(super) runs: Vec<Run>,
    pub(super) rows: RowWords,
}

impl Runs {
    pub(super) fn start(&mut self, start: usize, effects: EffectsIndex) {
        let word = self.rows.len();
        self.runs.push(Run {
            start,
            word,
            effects,
        });
    }

    /// A way to add rows to the last run.
    pub(super) fn go_on(&mut self) -> Adding<'_> {
        let first = self.runs.last().map_or(0, |run| run.word);
        self.rows.go_on(first)
    }

    /// Each run with its places in a list of `len`, and with its rows.
    pub(super) fn iter(
        &self,
        len: usize,
    ) -> impl Iterator<Item = (EffectsIndex, Range<usize>, &[RowWord])> {
        let words = self.rows.as_slice();
        self.runs.iter().enumerate().map(move |(at, run)| {
            let next = self.runs.get(at + 1);
            let (end, word) = next.map_or((len, words.len()), |next| (next.start, next.word));
            (run.effects, run.start..end, &words[run.word..word])
        })
    }
}
