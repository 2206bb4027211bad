//! The entities, recycled through a stack.
//!
//! ```text
//! slots[index] { generation, node }               8 bytes, which is all that is read of
//!       │                                         a slot until entities are moved
//!       │ the same number, or once they are:
//!       │ order.rows[index] ─► row
//!       ▼ order.ids[row] ─► index
//!      row ─► values, members of groups
//!
//! free: [index, …]                                the stack of recycled slots
//! ```
//!
//! A slot is *taken* (an entity lives in it), *free* (on the stack; the top bit of
//! its generation is set, so no id matches it) or *retired* (its generations are
//! used up; marked like a free slot, but on no stack: no old id can ever come back
//! to life). The node of a slot that is not taken means nothing.
//!
//! Ids that leave here know the [lineage](crate::words::entity_id::Lineage) of the slots, in builds with debug
//! assertions, and whoever looks an entity up by an id is rejected if that has another one. Lists of
//! ids are checked when they come in, by `check_all`; what walks them takes that for granted.
//!
//! Slots and rows are a bijection, and there are as many of each; a free slot keeps its
//! row. A row is its slot's index, unless `order` has another (`slots/order.rs`): it is
//! empty until entities are moved, and a new slot needs no entry in it.

mod alive;
mod order;
pub(crate) mod progress;
mod runs;
#[cfg(feature = "serde")]
pub(crate) mod saved;
#[cfg(test)]
mod tests;
mod traversals;
mod traversing;
mod upkeep;

pub(crate) use self::order::Row;

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use self::order::{Order, SlotRows};
use self::progress::Progress;
use self::traversals::Traversals;
use crate::words::entity_id::{EntityId, Lineage, RawEntityId};
use crate::words::error::{Error, reject};
use crate::words::limits::{LAST_GENERATION, MOST_ENTITIES as MOST};

/// Set in the generation of a slot that no entity lives in.
const FREE: u32 = LAST_GENERATION + 1;

/// What is kept of one slot.
#[derive(Clone, Copy)]
struct Record {
    generation: u32,
    node: NodeIndex,
}

/// All slots of a context.
#[derive(Clone)]
pub struct Slots {
    slots: Vec<Record>,
    order: Order,
    free: Vec<u32>,
    /// How many slots have used up their generations: they are on no stack.
    retired: usize,
    /// How far moving entities together in small steps has come.
    progress: Progress,
    traversals: Traversals,
    /// How often an entity has come to life, ended, or got another node; never 0.
    checkpoint: u64,
    /// Of the ids that are given out, and of those that are accepted.
    lineage: Lineage,
    /// What the context is called in messages.
    name: &'static str,
}

impl Slots {
    /// No slots; their ids will be good for this context alone, which has this name.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            slots: Vec::new(),
            order: Order::default(),
            free: Vec::new(),
            retired: 0,
            progress: Progress::default(),
            traversals: Traversals::default(),
            checkpoint: 1,
            lineage: Lineage::new(),
        }
    }

    /// Whether an id may be one of this context, as far as is known.
    #[inline]
    pub(crate) fn accept<C>(&self, id: EntityId<C>) -> bool {
        self.lineage.accepts(id.lineage())
    }

    /// Rejects an id of another context, if that is known.
    #[inline]
    #[track_caller]
    pub(crate) fn check<C>(&self, id: EntityId<C>) {
        if !self.accept(id) {
            wrong_context(id, self.lineage, self.name);
        }
    }

    /// Rejects a list with an id of another context, if that is known: before the first entity of
    /// it is looked up.
    #[inline]
    #[track_caller]
    pub(crate) fn check_all<C>(&self, ids: &[EntityId<C>]) {
        if Lineage::KNOWN {
            for &id in ids {
                self.check(id);
            }
        }
    }

    #[inline]
    fn id<C>(&self, index: u32, generation: u32) -> EntityId<C> {
        id(index, generation, self.lineage)
    }

    /// Brings an entity to life in a node.
    #[inline]
    pub(crate) fn create<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        let Some(index) = self.free.pop() else {
            return self.create_new(node);
        };
        let slot = &mut self.slots[index as usize];
        slot.generation -= FREE;
        slot.node = node;
        self.checkpoint += 1;
        (
            id(index, slot.generation, self.lineage),
            self.order.row_of(index),
        )
    }

    #[inline(never)] // it calls nothing it comes back from, so it keeps nothing
    fn create_new<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        let slots = self.slots.len();
        if slots == self.slots.capacity() || slots as u64 >= MOST {
            return self.create_in_new_slot(node);
        }
        let index = slots as u32; // less than `MOST`
        let generation = 1;
        self.slots.push(Record { generation, node });
        self.checkpoint += 1;
        (self.id(index, generation), Row(index))
    }

    /// Makes room for another slot and brings an entity to life there, or rejects to.
    #[cold]
    #[inline(never)]
    fn create_in_new_slot<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        self.new_rows(1);
        self.slots.reserve(1);
        self.create_new(node)
    }

    /// The slot of a living entity.
    #[inline]
    #[track_caller]
    pub(crate) fn get<C>(&self, id: EntityId<C>) -> Option<Slot> {
        self.check(id);
        match self.slots.get(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => Some(Slot {
                node: slot.node,
                row: self.order.row_of(id.index()),
            }),
            _ => None,
        }
    }

    /// The slots, for looking many entities up.
    pub(crate) fn slice(&self) -> SlotSlice<'_> {
        SlotSlice {
            slots: &self.slots,
            rows: self.order.rows(),
            lineage: self.lineage,
        }
    }

    /// The row of a living entity, and its node, to be changed.
    #[inline]
    #[track_caller]
    pub(crate) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<(Row, &mut NodeIndex)> {
        self.check(id);
        match self.slots.get_mut(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => {
                self.checkpoint += 1;
                Some((self.order.row_of(id.index()), &mut slot.node))
            }
            _ => None,
        }
    }

    /// Moves a living entity to another node of the graph.
    #[inline]
    pub(crate) fn set_node<C>(&mut self, id: EntityId<C>, node: NodeIndex) {
        self.slots[id.index() as usize].node = node;
        self.checkpoint += 1;
    }

    /// The row of an entity that is known to be alive.
    #[inline]
    pub(crate) fn row_of<C>(&self, id: EntityId<C>) -> Row {
        self.order.row_of(id.index())
    }

    /// Ends the life of a living entity and hands its slot to the next one.
    #[inline]
    pub(crate) fn destroy<C>(&mut self, id: EntityId<C>) {
        debug_assert!(!self.any_traversal_by_rows());
        let slot = &mut self.slots[id.index() as usize];
        debug_assert_eq!(slot.generation, id.generation());
        self.checkpoint += 1;
        if slot.generation == LAST_GENERATION {
            slot.generation = FREE;
            self.retired += 1;
        } else {
            slot.generation = (slot.generation + 1) | FREE;
            self.free.push(id.index());
        }
    }

    /// Takes back the entity that was created last and that nobody knows of: all is as it was before,
    /// so the next one gets its id. A slot that came with it goes with it.
    pub(crate) fn give_back<C>(&mut self, id: EntityId<C>) {
        self.checkpoint += 1;
        let index = id.index() as usize;
        let is_last = index + 1 == self.slots.len();
        if id.generation() == 1 && is_last && self.order.uncover(id.index()) {
            self.slots.pop();
        } else {
            self.slots[index].generation |= FREE;
            self.free.push(id.index());
        }
    }

    /// Brings the entity that was destroyed last back to life, in the node it had.
    pub(crate) fn undo_destroy<C>(&mut self, id: EntityId<C>, node: NodeIndex) {
        let slot = &mut self.slots[id.index() as usize];
        self.retired -= usize::from(slot.generation == FREE);
        (slot.generation, slot.node) = (id.generation(), node);
        self.checkpoint += 1;
        if self.free.last() == Some(&id.index()) {
            self.free.pop();
        }
    }

    /// Brings an entity to life in the slot it had: the one that was freed last, or a new one.
    pub(crate) fn revive<C>(&mut self, id: EntityId<C>, node: NodeIndex) -> Row {
        let generation = id.generation();
        let slot = Record { generation, node };
        match self.slots.get_mut(id.index() as usize) {
            Some(free) => {
                self.retired -= usize::from(free.generation == FREE);
                *free = slot;
            }
            None => self.slots.push(slot),
        }
        self.checkpoint += 1;
        if self.free.last() == Some(&id.index()) {
            self.free.pop(); // unless it was retired
        }
        self.order.row_of(id.index())
    }

    /// How many of the next entities get a slot of their own.
    pub(crate) fn reserve(&mut self, entities: usize) {
        let new = entities.saturating_sub(self.free.len());
        self.slots.reserve(new);
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
        ids.reserve(count);
        let generation = 1;
        let slot = Record { generation, node };
        self.slots.resize(new.end as usize, slot);
        ids.extend(new.map(|index| self.id(index, generation)));
        self.checkpoint += 1;
    }

    /// The id of an entity of these slots, which may have ended.
    pub(crate) fn own<C>(&self, id: RawEntityId) -> EntityId<C> {
        self.id(id.index(), id.generation())
    }

    /// The entity of a generation of a slot, which may have ended.
    pub(crate) fn id_of_generation<C>(&self, index: u32, generation: u32) -> EntityId<C> {
        self.id(index, generation)
    }

    /// Gives all slots the rows that `moves` says: triples of the row before, the row
    /// after, and for how many rows on. They come in ascending order of the row after,
    /// and each row is in one of them.
    pub(crate) fn reorder(&mut self, moves: impl Iterator<Item = (Row, Row, u32)>) {
        self.list_traversals();
        self.order.reorder(self.slots.len(), moves);
    }

    /// Makes room for what [`swap`](Self::exchange) writes down.
    pub(crate) fn prepare_swaps(&mut self) {
        self.order.cover(self.slots.len());
    }

    /// Has the slots of two rows change places; prepared before.
    pub(crate) fn swap(&mut self, a: Row, b: Row) {
        self.list_traversals();
        self.order.swap(a, b);
    }

    /// The rows of the next `count` entities, were they all to get slots of their own.
    ///
    /// # Panics
    ///
    /// Panics if there cannot be as many.
    #[track_caller]
    pub(crate) fn new_rows(&self, count: usize) -> Range<u32> {
        let end = self.slots.len().checked_add(count);
        match end.map(u32::try_from) {
            Some(Ok(end)) if u64::from(end) <= MOST => self.slots.len() as u32..end,
            _ => reject(too_many(self.name)),
        }
    }

    /// How far moving entities together in small steps has come.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(crate) fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// How many rows there are, those of free slots included.
    pub(crate) fn rows(&self) -> usize {
        self.slots.len()
    }

    /// A number that is another one after each change of who is alive, and in which node.
    #[inline]
    pub(crate) fn checkpoint(&self) -> u64 {
        self.checkpoint
    }

    /// Has other slots take the place of these, which they get. Walks stay.
    pub(crate) fn swap_all(&mut self, other: &mut Self) {
        self.list_traversals();
        let next = self.checkpoint.max(other.checkpoint) + 1;
        core::mem::swap(self, other);
        core::mem::swap(&mut self.traversals, &mut other.traversals);
        self.checkpoint = next;
    }

    /// How many entities are alive.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len() - self.retired
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

    /// Rejects `more` entities beside those there are, if there cannot be as many.
    pub(crate) fn check_capacity(&self, more: usize) -> Result<(), Error> {
        let fits = self.can_hold(more);
        fits.then_some(()).ok_or_else(|| too_many(self.name))
    }

    /// Makes room for `more` entities to come, in no more memory than that takes.
    pub(crate) fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve_exact(self.new_slots(more))
    }

    /// How many slots `more` entities need beside the free ones.
    fn new_slots(&self, more: usize) -> usize {
        more.saturating_sub(self.free.len())
    }

    /// Makes the next entities take the free slots in ascending order.
    pub(crate) fn sort_free(&mut self) {
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }
}

impl Record {
    /// The id of the living entity in this slot, whose index it is.
    #[inline]
    fn id<C>(self, index: u32, lineage: Lineage) -> Option<EntityId<C>> {
        (self.generation & FREE == 0).then(|| id(index, self.generation, lineage))
    }
}

/// The slots, borrowed for looking many entities up.
#[derive(Clone, Copy)]
pub(crate) struct SlotSlice<'a> {
    slots: &'a [Record],
    rows: SlotRows<'a>,
    lineage: Lineage,
}

impl SlotSlice<'_> {
    /// Leaves out the slots whose rows are not below `rows`, unless entities have been
    /// moved.
    pub(crate) fn with_rows_below(mut self, rows: usize) -> Self {
        if !self.moved() {
            self.slots = &self.slots[..rows.min(self.slots.len())];
        }
        self
    }

    /// Whether entities have been moved. Until then a row is its slot's index.
    #[inline]
    pub(crate) fn moved(self) -> bool {
        self.rows.are_moved()
    }

    /// The row of a living entity.
    #[inline]
    #[track_caller]
    pub(crate) fn row<C>(self, id: EntityId<C>) -> Option<Row> {
        if !self.lineage.accepts(id.lineage()) {
            wrong_context(id, self.lineage, name_of::<C>());
        }
        match self.slots.get(id.index() as usize) {
            Some(slot) if slot.generation == id.generation() => Some(self.rows.of(id.index())),
            _ => None,
        }
    }
}

#[inline]
fn id<C>(index: u32, generation: u32, lineage: Lineage) -> EntityId<C> {
    let generation = NonZeroU32::new(generation).expect("generations start at one");
    EntityId::new(index, generation, lineage)
}

/// The node of the signature graph that stands for an entity's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeIndex(pub(crate) u32);

/// The node of an entity without components.
pub(crate) const EMPTY_NODE: NodeIndex = NodeIndex(0);

/// What is known of one living entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) node: NodeIndex,
    pub(crate) row: Row,
}

#[cold]
#[inline(never)]
#[track_caller]
fn wrong_context<C>(id: EntityId<C>, here: Lineage, name: &str) -> ! {
    let (other, here) = (id.lineage().number(), here.number());
    panic!(
        "entity {id} is one of `{name}` number {other}, and was looked up in `{name}` number {here}: \
         an id is good for the one context that created it; use an id that this context has given \
         out, or find the entity by a key of your own, in a component with `primary_index`"
    )
}

/// The error of an entity that there is no slot for.
#[cold]
fn too_many(name: &'static str) -> Error {
    Error::too_many_entities(name)
}

/// What a context is called in messages.
fn name_of<C>() -> &'static str {
    let path = core::any::type_name::<C>();
    path.rsplit("::").next().unwrap_or(path)
}
