//! Draining collectors, into a list of ids or into a set of rows for a query.

use alloc::vec::Vec;

use super::Collectors;
use crate::storage::bit_set::BitSet;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

impl Collectors {
    pub(crate) fn clear(&mut self, index: usize) {
        self.lists[index].ids_mut().clear();
        self.rows[index].clear();
        self.forget_all(index);
    }

    /// Empties all collectors except those that include rewinds, which show what has been removed.
    pub(crate) fn clear_plain(&mut self) {
        for index in self.filled.clone() {
            if !self.includes_rewinds(index) {
                self.clear(index);
            }
        }
    }

    /// Drains a collector into `ids`, which is cleared first. Lists are swapped, so nothing is
    /// allocated.
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

    /// Puts drained ids back into a collector, if it is active, before those that it has collected since.
    pub(crate) fn collect_again(&mut self, slots: &Slots, index: usize, ids: &[UntypedId]) {
        let mut newer = Vec::new();
        self.drain_into(slots, index, &mut newer);
        if self.is_active(index) {
            self.list_all(slots); // some of their slots may be free
            self.collect_ids(slots, ids, index);
            self.collect_ids(slots, &newer, index);
        }
    }

    /// Drains a collector into an empty set of rows, without dead entities.
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

    /// The rows drained for the last query.
    pub(crate) fn drained(&self) -> &BitSet {
        &self.drained
    }

    pub(crate) fn drained_mut(&mut self) -> &mut BitSet {
        &mut self.drained
    }

    /// Forgets the seen and expected ids, because the contents have changed.
    pub(super) fn forget_all(&mut self, index: usize) {
        self.states[index].expected.clear();
        self.lists[index].forget_all();
        self.record_filled(index);
    }
}
