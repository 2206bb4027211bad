//! The runs of a list of entities, each with the same edge of the signature graph, and their rows as
//! words, for collectors.

use alloc::vec::Vec;
use core::ops::Range;

use crate::matching::effects::EffectsIndex;
use crate::storage::row_words::{Adding, RowWord, RowWords};

/// The start of a run in a list.
#[derive(Clone, Copy)]
struct RunStart {
    /// The position of the first entity in the list.
    start: usize,
    /// The position of its first word among the rows of the whole list.
    word: usize,
    effects: EffectsIndex,
}

/// The changed entities of a list, as runs and as rows.
#[derive(Default)]
pub(crate) struct Runs {
    runs: Vec<RunStart>,
    pub(super) rows: RowWords,
}

impl Runs {
    pub(super) fn start(&mut self, start: usize, effects: EffectsIndex) {
        let word = self.rows.len();
        self.runs.push(RunStart {
            start,
            word,
            effects,
        });
    }

    /// Returns an adder of rows to the last run.
    pub(super) fn go_on(&mut self) -> Adding<'_> {
        let first = self.runs.last().map_or(0, |run| run.word);
        self.rows.go_on(first)
    }

    /// Whether any run has observers, or concerns an index or a history.
    pub(super) fn are_observed(&self) -> bool {
        self.runs.iter().any(|run| run.effects.has_subscribers())
    }

    /// The rows of the last run.
    pub(super) fn last_rows(&self) -> &[RowWord] {
        let first = self.runs.last().map_or(0, |run| run.word);
        &self.rows.as_slice()[first..]
    }

    /// Each run with its range in a list of `len` entities, and its rows.
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
