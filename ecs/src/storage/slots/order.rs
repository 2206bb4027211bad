//! The mapping of slots to rows, once entities have been moved.
//!
//! ```text
//!          covered                 later
//! rows     2   0   1        ·   ·        rows[index] ─► row
//! ids      1   2   0        ·   ·        ids[row] ─► index
//! index    0   1   2        3   4        a row is its slot's index here
//! ```
//!
//! Invariant: **both lists have the same length, at most the number of slots, and are inverse to
//! each other**. Beyond that length, a row is its slot's index. So new slots need no entry, and
//! without moves there are no entries.

use alloc::vec::Vec;

use crate::storage::heap::heap;

/// The position of an entity's values in the columns and of its bit in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub(crate) u32);

impl Row {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// See the [module](self).
#[derive(Clone, Default)]
pub(super) struct Order {
    rows: Vec<u32>,
    ids: Vec<u32>,
    /// Whether there are any entries. A separate flag, because it is the same for all slots, so
    /// that loops test it once.
    moved: bool,
}

heap!(Order: rows, ids);

impl Order {
    /// Returns whether entities have been moved. If not, a row is its slot's index.
    #[inline]
    pub(super) fn is_moved(&self) -> bool {
        self.moved
    }

    /// Borrows the rows of the slots.
    #[inline]
    pub(super) fn rows(&self) -> SlotRows<'_> {
        SlotRows {
            entries: &self.rows,
            moved: self.moved,
        }
    }

    #[inline]
    pub(super) fn row_of(&self, index: u32) -> Row {
        self.rows().of(index)
    }

    #[inline]
    pub(super) fn index_in(&self, row: Row) -> u32 {
        if self.moved {
            self.ids.get(row.get()).copied().unwrap_or(row.0)
        } else {
            row.0
        }
    }

    /// Swaps the slots of two rows, both with entries.
    pub(super) fn swap(&mut self, a: Row, b: Row) {
        self.ids.swap(a.get(), b.get());
        for row in [a, b] {
            self.rows[self.ids[row.get()] as usize] = row.0;
        }
    }

    /// See [`Slots::reorder`](super::Slots::reorder).
    pub(super) fn reorder(&mut self, slots: usize, moves: impl Iterator<Item = (Row, Row, u32)>) {
        let mut ids = Vec::with_capacity(slots);
        for (from, to, len) in moves {
            debug_assert_eq!(to.get(), ids.len());
            ids.extend((0..len).map(|nth| self.index_in(Row(from.0 + nth))));
        }
        debug_assert_eq!(ids.len(), slots);
        let is_in_order = |(row, &index): (usize, &u32)| row == index as usize;
        if ids.iter().enumerate().all(is_in_order) {
            *self = Self::default();
            return;
        }
        self.rows.resize(slots, 0);
        for (row, &index) in ids.iter().enumerate() {
            self.rows[index as usize] = row as u32; // less than `MOST`
        }
        (self.ids, self.moved) = (ids, true);
    }

    /// Removes the entry of the last slot, if it is in its own row. Returns whether the slot has no
    /// entry.
    pub(super) fn uncover(&mut self, index: u32) -> bool {
        let is_last = self.rows.len() == index as usize + 1;
        if is_last && self.rows.last() == Some(&index) {
            self.rows.pop();
            self.ids.pop();
            self.moved = !self.rows.is_empty();
        }
        self.rows.len() <= index as usize
    }

    /// Adds the missing entries of the first `slots` slots.
    pub(super) fn cover(&mut self, slots: usize) {
        let new = self.rows.len()..slots;
        self.rows.reserve(new.len()); // the lists must grow together
        self.ids.reserve(new.len());
        let new = new.map(|index| index as u32); // less than `MOST`
        self.rows.extend(new.clone());
        self.ids.extend(new);
        self.moved = slots > 0;
    }

    /// Panics if rows and slots are not inverse.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, slots: usize) {
        let covered = self.rows.len();
        assert_eq!(covered, self.ids.len(), "order: the lengths of both lists");
        assert!(covered <= slots, "order: {covered} entries, {slots} slots");
        assert_eq!(self.moved, covered > 0, "order: whether any has moved");
        for (index, &row) in (0..).zip(&self.rows) {
            let back = self.ids.get(row as usize);
            assert_eq!(back, Some(&index), "order: the slot of row {row}");
        }
    }
}

/// The rows of the slots, borrowed.
#[derive(Clone, Copy)]
pub(super) struct SlotRows<'a> {
    entries: &'a [u32],
    moved: bool,
}

impl SlotRows<'_> {
    /// Returns whether entities have been moved.
    #[inline]
    pub(super) fn are_moved(self) -> bool {
        self.moved
    }

    #[inline]
    pub(super) fn of(self, index: u32) -> Row {
        if self.moved {
            Row(self.entries.get(index as usize).copied().unwrap_or(index))
        } else {
            Row(index)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::heap::Heap;

    fn assert_inverse(order: &Order, slots: u32) {
        for index in 0..slots {
            let row = order.row_of(index);
            assert_eq!(order.index_in(row), index);
        }
    }

    fn rows(order: &Order, slots: u32) -> Vec<u32> {
        assert_inverse(order, slots);
        (0..slots).map(|index| order.row_of(index).0).collect()
    }

    #[test]
    fn rows_are_indices_until_entities_are_moved() {
        let mut order = Order::default();
        assert_eq!(
            (rows(&order, 4), order.bytes()),
            (alloc::vec![0, 1, 2, 3], 0)
        );
        order.cover(0);
        assert!(!order.is_moved());
        order.cover(3);
        order.swap(Row(0), Row(2));
        assert!(order.is_moved() && order.rows().are_moved());
        assert_eq!(rows(&order, 4), [2, 1, 0, 3]); // slot 3 was added later
        order.swap(Row(2), Row(1));
        assert_eq!(rows(&order, 4), [1, 2, 0, 3]);
        order.cover(5);
        order.swap(Row(4), Row(0));
        assert_eq!(rows(&order, 6), [1, 2, 4, 3, 0, 5]);
    }

    #[test]
    fn identity_orders_have_no_entries() {
        let mut order = Order::default();
        let run = |from, to, len| (Row(from), Row(to), len);
        order.reorder(4, [run(2, 0, 2), run(0, 2, 2)].into_iter());
        assert_eq!(rows(&order, 5), [2, 3, 0, 1, 4]);
        order.reorder(5, [run(4, 0, 1), run(0, 1, 4)].into_iter()); // one slot more
        assert_eq!(rows(&order, 5), [3, 4, 1, 2, 0]);
        order.trim();
        assert_eq!(order.bytes(), 40);
        order.reorder(5, [run(3, 0, 2), run(1, 2, 2), run(0, 4, 1)].into_iter());
        assert_eq!((order.is_moved(), order.bytes()), (false, 0));
    }
}
