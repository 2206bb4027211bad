//! Moving entities together by signature, so that walking through them is walking
//! through neighbours in memory.
//!
//! Rows are an indirection exactly for this: an entity's id names its slot, the slot
//! its row. Ids, signatures, groups and collectors mean the same entities before and
//! after, so nobody is told.

use alloc::vec::Vec;

use super::Core;
use crate::row_set::RowSet;
use crate::slots::Row;

impl<C: 'static> Core<C> {
    /// Moves entities together by signature.
    pub(crate) fn defragment(&mut self) {
        let order = self.rows_by_signature();
        self.columns.reorder(&order);
        self.slots.reorder(&order);
        self.rebuild_members();
    }

    /// The present rows in their new order: entities by signature, in the order in
    /// which signatures first came up, then by index; the rows of free slots last.
    fn rows_by_signature(&self) -> Vec<Row> {
        let mut order = self.slots.all_rows();
        order.sort_by_key(|&row| match self.slots.id_in::<C>(row) {
            Some(id) => (0, self.slots.get(id).map(|slot| slot.node.0), id.index()),
            None => (1, None, row.0),
        });
        order
    }

    fn rebuild_members(&mut self) {
        for group in self.groups.indices() {
            *self.groups.members_mut(group) = RowSet::default();
        }
        for (_, slot) in self.slots.iter::<C>() {
            for &group in self.graph.groups(slot.node) {
                self.groups.members_mut(group).flip(slot.row);
            }
        }
    }
}
