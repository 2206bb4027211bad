//! Entities of a list that are changed alike, and how collectors follow them: 64 rows
//! at a time.

use alloc::vec::Vec;
use core::ops::Range;

use crate::matching::effects::EffectsIndex;
use crate::state::core::Core;
use crate::storage::row_words::{Adding, RowWord, RowWords};
use crate::words::entity_id::EntityId;

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

impl<C: 'static> Core<C> {
    /// Has collectors follow the changes of a list of `len` entities.
    pub(super) fn propagate_runs(&mut self, runs: &Runs, len: usize) {
        for (effects, _, rows) in runs.iter(len) {
            self.apply_to_rows(rows, effects);
        }
    }

    /// Has collectors follow an update of these entities.
    pub(super) fn apply_to_updated(&mut self, ids: &[EntityId<C>], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            let ids = EntityId::untyped_all(ids);
            self.collectors.collect_ids(&self.slots, ids, collector);
        }
    }

    /// Has collectors follow a change of the living entities in these rows.
    pub(super) fn apply_to_rows(&mut self, rows: &[RowWord], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            let rows = rows.iter().copied();
            self.collectors.collect_rows(&self.slots, rows, collector);
        }
    }
}
