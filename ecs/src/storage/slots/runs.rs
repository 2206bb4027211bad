//! Counting, destroying and moving many entities of one node.
//!
//! Ids usually come in slot order, as from bulk changes and groups. If rows are also slot indices,
//! such *neighbours* are checked against a slice of the slots, and their rows are known as a range.

use alloc::vec::Vec;

use super::order::SlotRows;
use super::{FREE, NodeIndex, Record, Row, Slots};
use crate::words::entity_id::EntityId;
use crate::words::limits::LAST_GENERATION;

impl Slots {
    /// Returns how many entities at the start of a list are alive and in a node.
    pub(crate) fn count_in<C>(&self, ids: &[EntityId<C>], node: NodeIndex) -> usize {
        let slots = &self.slots[..];
        let is_in = |id: &&EntityId<C>| {
            let slot = slots.get(id.index() as usize);
            slot.is_some_and(|slot| slot.generation == id.generation() && slot.node == node)
        };
        ids.iter().take_while(is_in).count()
    }

    /// Destroys the entities at the start of a list that are alive and in a node, like
    /// [`destroy`](Self::destroy). Appends their rows and returns their number.
    pub(crate) fn destroy_run<C>(
        &mut self,
        ids: &[EntityId<C>],
        node: NodeIndex,
        rows: &mut Vec<Row>,
    ) -> usize {
        self.list_traversals();
        self.free.newest().reserve(ids.len()); // nothing below can fail
        rows.reserve(ids.len());
        if !self.skips.is_empty() {
            for (done, &id) in ids.iter().enumerate() {
                if self.count_in(&[id], node) == 0 {
                    return done; // also if it is in the list twice
                }
                rows.push(self.row_of(id));
                self.destroy(id);
            }
            return ids.len();
        }
        let (order, free) = (self.order.rows(), self.free.len());
        let count = destroy_run(&mut self.slots, order, self.free.newest(), ids, node, rows);
        self.retired += count - (self.free.len() - free);
        self.checkpoint += 1;
        count
    }

    /// Moves the entities at the start of a list that are alive and in node `from` to `target`,
    /// which must be another node, so that none is moved twice. Stops before neighbours. Passes the
    /// rows to `moved` and returns the rest of the list.
    pub(crate) fn move_scattered<'a, C>(
        &mut self,
        ids: &'a [EntityId<C>],
        from: NodeIndex,
        target: NodeIndex,
        moved: impl FnMut(Row),
    ) -> &'a [EntityId<C>] {
        self.checkpoint += 1;
        let order = self.order.rows();
        if order.are_moved() {
            move_scattered::<C, false>(&mut self.slots, order, ids, from, target, moved)
        } else {
            move_scattered::<C, true>(&mut self.slots, order, ids, from, target, moved)
        }
    }

    /// Like [`move_scattered`](Self::move_scattered), but moves a run of neighbours.
    pub(crate) fn move_neighbours<'a, C>(
        &mut self,
        ids: &'a [EntityId<C>],
        from: NodeIndex,
        target: NodeIndex,
        mut moved: impl FnMut(Row, usize),
    ) -> &'a [EntityId<C>] {
        let Some(first) = ids.first().filter(|_| !self.order.is_moved()) else {
            return ids;
        };
        self.checkpoint += 1;
        let slots = self.slots.get_mut(first.index() as usize..);
        let left = move_neighbours(slots.unwrap_or_default(), ids, from, target);
        if left.len() < ids.len() {
            moved(Row(first.index()), ids.len() - left.len());
        }
        left
    }
}

/// Separate, so that all values of the loop stay in registers.
#[inline(never)]
fn destroy_run<C>(
    slots: &mut [Record],
    order: SlotRows<'_>,
    free: &mut Vec<u32>,
    ids: &[EntityId<C>],
    node: NodeIndex,
    rows: &mut Vec<Row>,
) -> usize {
    for (done, &id) in ids.iter().enumerate() {
        let slot = slots.get_mut(id.index() as usize);
        let is_alive = |slot: &&mut Record| slot.generation == id.generation() && slot.node == node;
        let Some(slot) = slot.filter(is_alive) else {
            return done;
        };
        rows.push(order.of(id.index()));
        if slot.generation == LAST_GENERATION {
            slot.generation = FREE; // retired
        } else {
            slot.generation = (slot.generation + 1) | FREE;
            free.push(id.index());
        }
    }
    ids.len()
}

/// Separate, so that all values of the loop stay in registers.
#[inline(never)]
fn move_scattered<'a, C, const ROWS_ARE_INDICES: bool>(
    slots: &mut [Record],
    order: SlotRows<'_>,
    ids: &'a [EntityId<C>],
    from: NodeIndex,
    target: NodeIndex,
    moved: impl FnMut(Row),
) -> &'a [EntityId<C>] {
    let mut moved = moved; // moves its captures into this frame
    let mut next = u64::MAX;
    let mut left = ids.iter();
    while let [id, ..] = left.as_slice()
        && let Some(slot) = slots.get_mut(id.index() as usize)
        && slot.generation == id.generation()
        && slot.node == from
        && !(ROWS_ARE_INDICES && u64::from(id.index()) == next)
    {
        slot.node = target;
        moved(if ROWS_ARE_INDICES {
            Row(id.index())
        } else {
            order.of(id.index())
        });
        next = u64::from(id.index()) + 1;
        left.next();
    }
    left.as_slice()
}

/// Moves entities in consecutive slots, like [`move_scattered`].
#[inline(never)]
fn move_neighbours<'a, C>(
    slots: &mut [Record],
    ids: &'a [EntityId<C>],
    from: NodeIndex,
    target: NodeIndex,
) -> &'a [EntityId<C>] {
    let first = ids.first().map_or(0, |id| id.index());
    let mut done = 0;
    for ((&id, slot), index) in ids.iter().zip(slots).zip(first..) {
        if id.index() != index || slot.generation != id.generation() || slot.node != from {
            break;
        }
        slot.node = target;
        done += 1;
    }
    &ids[done..]
}
