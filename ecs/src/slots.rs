//! The entities, recycled through a stack.
//!
//! ```text
//! slots[index] { generation, node, row }          ids[row] ─► index
//! free: [index, …]                                the stack of recycled slots
//! ```
//!
//! A slot is *taken* (an entity lives in it), *free* (on the stack; the top bit of
//! its generation is set, so no id matches it) or *retired* (its generations are
//! used up; marked like a free slot, but on no stack: no old id can ever come back
//! to life). Slots and rows are a bijection; a free slot keeps its row.

mod runs;

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use crate::entity_id::{EntityId, LAST_GENERATION};
use crate::room::bytes_of;

/// Set in the generation of a slot that no entity lives in.
const FREE: u32 = LAST_GENERATION + 1;

/// How many slots a context has at most. Few in unit tests, to get there.
const MOST: u64 = if cfg!(test) { 64 } else { 1 << 32 };

/// The place of an entity's values in the columns and of its bit in the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub(crate) u32);

impl Row {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The node of the signature graph that stands for an entity's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeIndex(pub(crate) u32);

/// The node of an entity without components.
pub(crate) const EMPTY_NODE: NodeIndex = NodeIndex(0);

/// What is known of one living entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    generation: u32,
    pub(crate) node: NodeIndex,
    pub(crate) row: Row,
}

/// All slots of a context.
#[derive(Default)]
pub struct Slots {
    slots: Vec<Slot>,
    ids: Vec<u32>,
    free: Vec<u32>,
    alive: usize,
    /// Whether entities have been moved. Until then a row is its slot's index, and
    /// what is in it can be loaded without waiting for the slot.
    moved: bool,
}

impl Slots {
    /// Brings an entity to life in a node.
    #[inline]
    pub(crate) fn create<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        let Some(index) = self.free.pop() else {
            return self.create_new(node);
        };
        let slot = &mut self.slots[index as usize];
        slot.generation -= FREE;
        slot.node = node;
        self.alive += 1;
        (id(index, slot.generation), slot.row)
    }

    #[inline(never)] // it calls nothing it comes back from, so it keeps nothing
    fn create_new<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        let rows = self.slots.len();
        let has_room = rows < self.slots.capacity() && self.ids.len() < self.ids.capacity();
        if !has_room || rows as u64 >= MOST {
            return self.create_in_new_room(node);
        }
        let index = rows as u32; // less than `MOST`
        self.slots.push(Slot {
            generation: 1,
            node,
            row: Row(index),
        });
        self.ids.push(index);
        self.alive += 1;
        (id(index, 1), Row(index))
    }

    /// The same where there is no room for another slot, or cannot be any.
    #[cold]
    #[inline(never)]
    fn create_in_new_room<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        self.new_rows(1);
        self.slots.reserve(1); // so that no push can fail between the two
        self.ids.reserve(1);
        self.create_new(node)
    }

    /// The slot of a living entity.
    #[inline]
    pub(crate) fn get<C>(&self, id: EntityId<C>) -> Option<Slot> {
        match self.slots.get(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => {
                let row = if self.moved {
                    slot.row
                } else {
                    Row(id.index())
                };
                Some(Slot { row, ..*slot })
            }
            _ => None,
        }
    }

    /// The slots, for looking many entities up.
    pub(crate) fn slice(&self) -> SlotSlice<'_> {
        SlotSlice {
            slots: &self.slots,
            moved: self.moved,
        }
    }

    /// The slot of a living entity, to be changed.
    #[inline]
    pub(crate) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<&mut Slot> {
        match self.slots.get_mut(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => Some(slot),
            _ => None,
        }
    }

    /// Moves a living entity to another node of the graph.
    #[inline]
    pub(crate) fn set_node<C>(&mut self, id: EntityId<C>, node: NodeIndex) {
        self.slots[id.index() as usize].node = node;
    }

    /// The row of an entity that is known to be alive.
    #[inline]
    pub(crate) fn row_of<C>(&self, id: EntityId<C>) -> Row {
        self.slots[id.index() as usize].row
    }

    /// Ends the life of a living entity and hands its slot to the next one.
    #[inline]
    pub(crate) fn destroy<C>(&mut self, id: EntityId<C>) {
        let slot = &mut self.slots[id.index() as usize];
        debug_assert_eq!(slot.generation, id.generation());
        slot.node = EMPTY_NODE;
        self.alive -= 1;
        if slot.generation == LAST_GENERATION {
            slot.generation = FREE; // retired: on no stack
        } else {
            slot.generation = (slot.generation + 1) | FREE;
            self.free.push(id.index());
        }
    }

    /// Brings the entity that was destroyed last back to life, in the node it had.
    pub(crate) fn undo_destroy<C>(&mut self, id: EntityId<C>, node: NodeIndex) {
        let slot = &mut self.slots[id.index() as usize];
        (slot.generation, slot.node) = (id.generation(), node);
        self.alive += 1;
        if self.free.last() == Some(&id.index()) {
            self.free.pop();
        }
    }

    /// How many of the next entities get a slot of their own.
    pub(crate) fn reserve(&mut self, entities: usize) {
        let new = entities.saturating_sub(self.free.len());
        self.slots.reserve(new);
        self.ids.reserve(new);
    }

    /// Brings entities to life in a node, all in new slots, whose rows follow one
    /// another; the free slots stay free.
    pub(crate) fn create_in_new_rows<C>(
        &mut self,
        count: usize,
        node: NodeIndex,
        ids: &mut Vec<EntityId<C>>,
    ) {
        let new = self.new_rows(count);
        self.slots.reserve(count); // so that nothing below can fail
        self.ids.reserve(count);
        ids.reserve(count);
        self.slots.extend(new.clone().map(|index| Slot {
            generation: 1,
            node,
            row: Row(index),
        }));
        self.ids.extend(new.clone());
        ids.extend(new.map(|index| id(index, 1)));
        self.alive += count;
    }

    /// The living entity whose values are in `row`.
    #[inline]
    pub(crate) fn id_in<C>(&self, row: Row) -> Option<EntityId<C>> {
        let index = *self.ids.get(row.get())?;
        self.id_at(index)
    }

    /// The living entity whose values are in `row`, and its node.
    #[inline]
    pub(crate) fn entity_in<C>(&self, row: Row) -> Option<(EntityId<C>, NodeIndex)> {
        let index = *self.ids.get(row.get())?;
        let slot = self.slots[index as usize];
        (slot.generation & FREE == 0).then(|| (id(index, slot.generation), slot.node))
    }

    #[inline]
    fn id_at<C>(&self, index: u32) -> Option<EntityId<C>> {
        let generation = self.slots[index as usize].generation;
        (generation & FREE == 0).then(|| id(index, generation))
    }

    /// The living entities in order of their index.
    pub(crate) fn iter<C>(&self) -> impl Iterator<Item = (EntityId<C>, Slot)> + '_ {
        (0u32..)
            .zip(&self.slots)
            .filter_map(|(index, slot)| Some((self.id_at(index)?, *slot)))
    }

    /// The first living entity from an index on.
    pub(crate) fn next_from<C>(&self, index: u32) -> Option<(EntityId<C>, Slot)> {
        let rest = self.slots.get(index as usize..)?;
        (index..)
            .zip(rest)
            .find_map(|(index, slot)| Some((self.id_at(index)?, *slot)))
    }

    /// The node of the living entity whose values are in `row`.
    #[inline]
    pub(crate) fn node_in(&self, row: Row) -> Option<NodeIndex> {
        let slot = self.slots[*self.ids.get(row.get())? as usize];
        (slot.generation & FREE == 0).then_some(slot.node)
    }

    /// Gives all slots the rows that `moves` says: triples of the row before, the row
    /// after, and for how many rows on. They come in ascending order of the row after,
    /// and each row is in one of them.
    pub(crate) fn reorder(&mut self, moves: impl Iterator<Item = (Row, Row, u32)>) {
        let mut ids = Vec::with_capacity(self.ids.len());
        for (from, to, len) in moves {
            debug_assert_eq!(to.get(), ids.len());
            let moving = &self.ids[from.get()..][..len as usize];
            ids.extend_from_slice(moving);
            if from != to {
                for (row, &index) in (to.0..).map(Row).zip(moving) {
                    self.slots[index as usize].row = row;
                }
            }
        }
        debug_assert_eq!(ids.len(), self.ids.len());
        self.ids = ids;
        self.moved = (0..).zip(&self.ids).any(|(row, &index)| row != index);
    }

    /// Has the slots of two rows change places.
    pub(crate) fn exchange(&mut self, a: Row, b: Row) {
        self.ids.swap(a.get(), b.get());
        for row in [a, b] {
            self.slots[self.ids[row.get()] as usize].row = row;
        }
        self.moved = true;
    }

    /// The rows of the next `count` entities, were they all to get slots of their own.
    ///
    /// # Panics
    ///
    /// Panics where there cannot be as many.
    pub(crate) fn new_rows(&self, count: usize) -> Range<u32> {
        let end = self.slots.len().checked_add(count);
        match end.map(u32::try_from) {
            Some(Ok(end)) if u64::from(end) <= MOST => self.slots.len() as u32..end,
            _ => full(),
        }
    }

    /// How many rows there are, those of free slots included.
    pub(crate) fn rows(&self) -> usize {
        self.ids.len()
    }

    /// How many entities are alive.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    /// How many slots wait on the stack.
    pub(crate) fn free_len(&self) -> usize {
        self.free.len()
    }

    /// Whether `more` entities could come to life beside those there are.
    pub(crate) fn can_hold(&self, more: usize) -> bool {
        self.new_slots(more)
            .checked_add(self.slots.len())
            .is_some_and(|slots| slots as u64 <= MOST)
    }

    /// Makes room for `more` entities to come, in no more memory than that takes.
    pub(crate) fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        let (new, room) = (self.new_slots(more), self.ids.capacity());
        self.ids.try_reserve_exact(new)?;
        let reserved = self.slots.try_reserve_exact(new);
        if reserved.is_err() {
            self.ids.shrink_to(room);
        }
        reserved
    }

    /// How many slots `more` entities need beside the free ones.
    fn new_slots(&self, more: usize) -> usize {
        more.saturating_sub(self.free.len())
    }

    /// Gives up the room in which no slot is. All slots stay: they remember which ids
    /// have been used.
    pub(crate) fn trim(&mut self) {
        self.slots.shrink_to_fit();
        self.ids.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.slots) + bytes_of(&self.ids) + bytes_of(&self.free)
    }

    /// Makes the next entities take the free slots in ascending order.
    pub(crate) fn sort_free(&mut self) {
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }
}

/// The slots, borrowed for looking many entities up.
#[derive(Clone, Copy)]
pub(crate) struct SlotSlice<'a> {
    slots: &'a [Slot],
    moved: bool,
}

impl SlotSlice<'_> {
    /// Leaves out the slots whose rows are not below `rows`, unless entities have been
    /// moved.
    pub(crate) fn with_rows_below(mut self, rows: usize) -> Self {
        if !self.moved {
            self.slots = &self.slots[..rows.min(self.slots.len())];
        }
        self
    }

    /// Whether entities have been moved. Until then a row is its slot's index.
    #[inline]
    pub(crate) fn moved(self) -> bool {
        self.moved
    }

    /// The row of a living entity.
    #[inline]
    pub(crate) fn row<C>(self, id: EntityId<C>) -> Option<Row> {
        match self.slots.get(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => Some(if self.moved {
                slot.row
            } else {
                Row(id.index())
            }),
            _ => None,
        }
    }
}

#[cold]
fn full() -> ! {
    panic!(
        "cannot create an entity: the context has {MOST} already, as many as there can be; \
         destroy some first, so that their slots are used again"
    )
}

#[inline]
fn id<C>(index: u32, generation: u32) -> EntityId<C> {
    EntityId::new(
        index,
        NonZeroU32::new(generation).expect("generations start at one"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create(slots: &mut Slots) -> EntityId<()> {
        slots.create(EMPTY_NODE).0
    }

    #[test]
    fn slots_are_reused_last_in_first_out_with_a_new_generation() {
        let mut slots = Slots::default();
        let (a, b) = (create(&mut slots), create(&mut slots));
        slots.destroy(a);
        slots.destroy(b);
        let (c, d) = (create(&mut slots), create(&mut slots));
        assert_eq!((c.index(), c.generation()), (1, 2));
        assert_eq!((d.index(), d.generation()), (0, 2));
        assert!(slots.get(a).is_none() && slots.get(b).is_none());
        assert_eq!((slots.len(), slots.free_len()), (2, 0));
    }

    #[test]
    fn a_slot_whose_generations_are_used_up_is_retired() {
        let mut slots = Slots::default();
        let first = create(&mut slots);
        slots.destroy(first);
        slots.slots[0].generation = LAST_GENERATION | FREE;
        let last = create(&mut slots);
        assert_eq!((last.index(), last.generation()), (0, LAST_GENERATION));
        slots.destroy(last);
        assert_eq!(slots.free_len(), 0);
        assert_eq!(create(&mut slots).index(), 1);
        assert!(slots.get(first).is_none() && slots.get(last).is_none());
        assert_eq!(slots.iter::<()>().count(), 1);
    }

    /// F32: as many entities as there can be, and one more.
    #[test]
    fn a_full_context_refuses_and_goes_on() {
        let mut slots = Slots::default();
        let ids: Vec<_> = (0..MOST).map(|_| create(&mut slots)).collect();
        assert!(slots.can_hold(0) && !slots.can_hold(1));
        let one_more = || create(&mut slots);
        let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(one_more));
        let told = *refused.unwrap_err().downcast::<String>().unwrap();
        assert!(told.contains("has 64 already"), "{told}");
        assert_eq!(slots.len(), 64);
        assert_eq!((slots.new_rows(0), slots.new_rows(0).len()), (64..64, 0));
        for many in [1, usize::MAX] {
            assert!(std::panic::catch_unwind(|| slots.new_rows(many)).is_err());
        }
        slots.destroy(ids[5]);
        assert!(slots.can_hold(1) && !slots.can_hold(2));
        assert_eq!((create(&mut slots).index(), slots.len()), (5, 64));
        assert!(!slots.can_hold(usize::MAX));
    }

    /// F28: the last generations of a slot.
    #[test]
    fn a_slot_near_the_end_of_its_generations_goes_on_to_the_last() {
        let mut slots = Slots::default();
        let first = create(&mut slots);
        slots.destroy(first);
        slots.slots[0].generation = (LAST_GENERATION - 3) | FREE;
        let mut ids = alloc::vec![first];
        for generation in LAST_GENERATION - 3..=LAST_GENERATION {
            let id = create(&mut slots);
            assert_eq!((id.index(), id.generation()), (0, generation));
            assert!(ids.iter().all(|&old| slots.get(old).is_none()));
            slots.destroy(id);
            ids.push(id);
        }
        assert_eq!(create(&mut slots).index(), 1);
    }

    #[test]
    fn no_forged_id_names_a_free_slot() {
        let mut slots = Slots::default();
        let id = create(&mut slots);
        slots.destroy(id);
        for generation in 1..=5u64 {
            let forged = EntityId::<()>::from_bits(generation << 32).unwrap();
            assert!(slots.get(forged).is_none());
        }
    }

    #[test]
    fn rows_lead_back_to_living_entities_alone() {
        let mut slots = Slots::default();
        let (id, row) = slots.create::<()>(EMPTY_NODE);
        assert_eq!(slots.id_in(row), Some(id));
        slots.destroy(id);
        assert_eq!(slots.id_in::<()>(row), None);
        assert_eq!(slots.id_in::<()>(Row(99)), None);
    }
}
