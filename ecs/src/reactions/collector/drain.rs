//! How collectors are emptied: into a list of ids, or into a set of rows for a query.

use alloc::vec::Vec;

use super::Collectors;
use crate::storage::bit_set::BitSet;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

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
            if !self.includes_rewinds(index) {
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

    /// Empties a collector into an empty set of rows, those of dead entities left out.
    pub(crate) fn drain_rows(&mut self, slots: &Slots, index: usize, rows: &mut BitSet) {
        if self.rows[index].is_empty() {
            let ids = self.lists[index].ids_mut();
            slots.insert_rows(&*ids, rows);
            ids.clear();
        } else {
            self.rows[index].take(rows);
        }
        self.forget_all(index);
    }

    /// The rows that a query has been narrowed to last.
    pub(crate) fn drained(&self) -> &BitSet {
        &self.drained
    }

    /// These rows, to be changed.
    pub(crate) fn drained_mut(&mut self) -> &mut BitSet {
        &mut self.drained
    }

    /// Forgets whom the collector has seen, and whom it awaits, now that it holds something else or
    /// nothing.
    pub(super) fn forget_all(&mut self, index: usize) {
        self.states[index].expected.clear();
        self.lists[index].forget_all();
        self.record_filled(index);
    }
}
