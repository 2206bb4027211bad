//! How collectors are emptied: into a list of ids, or into a set of rows for a query.

use alloc::vec::Vec;

use super::Collectors;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;

impl Collectors {
    /// Empties a collector.
    pub(crate) fn clear(&mut self, index: usize) {
        self.lists[index].ids_mut().clear();
        self.rows[index].clear();
        self.forget_all(index);
    }

    /// Empties every collector but those that follow rewinds, which show what has gone.
    pub(crate) fn clear_plain(&mut self) {
        for index in self.filled.clone() {
            if !self.follows_rewinds(index) {
                self.clear(index);
            }
        }
    }

    /// Empties a collector into `ids`, which is emptied first; a list is handed over as
    /// it is for the other one, so that none is allocated.
    pub(crate) fn drain_into(&mut self, slots: &Slots, index: usize, ids: &mut Vec<UntypedId>) {
        ids.clear();
        if self.rows[index].is_empty() {
            core::mem::swap(ids, self.lists[index].ids_mut());
        } else {
            self.rows[index].list(slots, ids);
            self.rows[index].clear();
        }
        self.forget_all(index);
    }

    /// Empties a collector into the set of [`drained`](Self::drained) rows, those of dead
    /// entities left out; if `narrow`, into what the set has already.
    pub(crate) fn drain_rows(&mut self, slots: &Slots, index: usize, narrow: bool) {
        let before = narrow.then(|| self.drained.clone());
        if self.rows[index].is_empty() {
            let ids = self.lists[index].ids_mut();
            set_rows(&mut self.drained, slots, ids);
            ids.clear();
        } else {
            self.rows[index].take(&mut self.drained);
        }
        self.forget_all(index);
        if let Some(before) = before {
            self.narrow_drained(|at| before.get(at).copied().unwrap_or(0));
        }
    }

    /// Keeps of the drained rows those of which `rows` has the bit in their word.
    pub(crate) fn narrow_drained(&mut self, mut rows: impl FnMut(usize) -> u64) {
        let words = self.drained.iter_mut().enumerate();
        words.for_each(|(at, word)| *word &= rows(at));
    }

    /// The rows that were drained last, 64 to a word.
    pub(crate) fn drained(&self) -> &[u64] {
        &self.drained
    }

    /// Forgets whom the collector has seen, and whom it awaits, now that it holds something else or
    /// nothing.
    pub(super) fn forget_all(&mut self, index: usize) {
        self.states[index].awaited.clear();
        self.lists[index].forget_all();
        self.note_filled(index);
    }
}

/// Makes `rows` the set of the rows of those entities of a list that are alive.
fn set_rows(rows: &mut Vec<u64>, slots: &Slots, ids: &[UntypedId]) {
    rows.clear();
    rows.resize(slots.rows().div_ceil(ROWS), 0);
    for &id in ids {
        if let Some(slot) = slots.get(id) {
            rows[slot.row.get() / ROWS] |= 1 << (slot.row.get() % ROWS);
        }
    }
}
