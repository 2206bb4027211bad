//! Entities, whose slots are recycled.
//!
//! ```text
//! slots[index] { generation, node }               8 bytes; nothing else is read
//!       │                                         until entities are moved
//!       │ the same number, or once entities are moved:
//!       │ order.rows[index] ─► row
//!       ▼ order.ids[row] ─► index
//!      row ─► values, members of groups
//!
//! free: [index, …]                                the recycled slots, see `slots/free.rs`
//! ```
//!
//! A slot is *taken* (it has an entity that is alive), *free* (listed; the top bit of its
//! generation is set, so no id matches it) or *retired* (it has no generations left; marked like a
//! free slot, but not listed, so no old id is ever valid again). The node of a slot that is
//! not taken is meaningless.
//!
//! In builds with debug assertions, ids know the [lineage](crate::words::entity_id::Lineage) of the
//! slots, and looking up an id of another lineage panics. Lists of ids are checked once, by
//! `check_all`; code that iterates over them relies on that.
//!
//! Slots and rows are a bijection of equal size; a free slot keeps its row. A row is its slot's
//! index, unless `order` has another one (`slots/order.rs`): it is empty until entities are moved,
//! and new slots need no entry in it.

mod alive;
mod capacity;
mod free;
mod order;
pub(crate) mod progress;
mod reclaim;
mod runs;
#[cfg(feature = "serde")]
pub(crate) mod saved;
#[cfg(test)]
mod tests;
mod traversals;
mod traversing;

pub(crate) use self::order::Row;

use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use hashbrown::HashMap;

use self::free::FreeSlots;
use self::order::{Order, SlotRows};
use self::progress::Progress;
use self::traversals::Traversals;
use crate::words::entity_id::{EntityId, Lineage, RawEntityId};
use crate::words::error::{Error, reject};
use crate::words::limits::{LAST_GENERATION, MOST_ENTITIES as MOST};

/// Set in the generation of a slot that has no entity.
const FREE: u32 = LAST_GENERATION + 1;

/// The generation that follows; 0 if there is none.
fn generation_after(generation: u32) -> u32 {
    match generation {
        LAST_GENERATION => 0,
        generation => generation + 1,
    }
}

/// A slot.
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
    free: FreeSlots,
    /// The number of retired slots.
    retired: usize,
    /// The next generations of slots whose entities got old ids back; see [`reclaim`].
    skips: HashMap<u32, u32>,
    /// The progress of moving entities in small steps.
    progress: Progress,
    traversals: Traversals,
    /// The number of changes of entities and their nodes; never 0.
    checkpoint: u64,
    /// The lineage of the ids returned and accepted.
    lineage: Lineage,
    /// The name of the context, for messages.
    name: &'static str,
}

impl Slots {
    /// Creates an empty list for the context with this name, with a new lineage.
    pub(crate) fn new(name: &'static str, minimum_free: usize) -> Self {
        Self {
            name,
            slots: Vec::new(),
            order: Order::default(),
            free: FreeSlots::new(minimum_free),
            retired: 0,
            skips: HashMap::new(),
            progress: Progress::default(),
            traversals: Traversals::default(),
            checkpoint: 1,
            lineage: Lineage::new(),
        }
    }

    /// Creates an empty list like this one, with a new lineage.
    #[cfg(feature = "serde")]
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.name, self.free.minimum())
    }

    /// Returns whether an id may be one of this context.
    #[inline]
    pub(crate) fn accept<C>(&self, id: EntityId<C>) -> bool {
        self.lineage.accepts(id.lineage())
    }

    /// Panics if an id is known to be of another context.
    #[inline]
    #[track_caller]
    pub(crate) fn check<C>(&self, id: EntityId<C>) {
        if !self.accept(id) {
            wrong_context(id, self.lineage, self.name);
        }
    }

    /// Panics if an id of a list is known to be of another context, before any of them is looked
    /// up.
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

    /// Creates an entity in a node.
    #[inline]
    pub(crate) fn create<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        let Some(index) = self.free.take() else {
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

    #[inline(never)] // only tail calls, so no registers are saved
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

    /// Reserves a slot and creates an entity in it. Panics if the context is full.
    #[cold]
    #[inline(never)]
    fn create_in_new_slot<C>(&mut self, node: NodeIndex) -> (EntityId<C>, Row) {
        self.new_rows(1);
        self.slots.reserve(1);
        self.create_new(node)
    }

    /// Returns the slot of an entity that is alive.
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

    /// Borrows the slots, for looking up many entities.
    pub(crate) fn slice(&self) -> SlotSlice<'_> {
        SlotSlice {
            slots: &self.slots,
            rows: self.order.rows(),
            lineage: self.lineage,
        }
    }

    /// Returns the row of an entity that is alive, and its node mutably.
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

    /// Moves an entity that is alive to another node.
    #[inline]
    pub(crate) fn set_node<C>(&mut self, id: EntityId<C>, node: NodeIndex) {
        self.slots[id.index() as usize].node = node;
        self.checkpoint += 1;
    }

    /// Returns the row of an entity that is known to be alive.
    #[inline]
    pub(crate) fn row_of<C>(&self, id: EntityId<C>) -> Row {
        self.order.row_of(id.index())
    }

    /// Destroys an entity that is alive, and frees its slot.
    #[inline]
    pub(crate) fn destroy<C>(&mut self, id: EntityId<C>) {
        debug_assert!(!self.any_traversal_by_rows());
        if !self.skips.is_empty() {
            return self.destroy_skipping(id.index());
        }
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

    /// Creates entities in a node, all in new slots with consecutive rows. Free slots are not used.
    pub(crate) fn create_in_new_rows<C>(
        &mut self,
        count: usize,
        node: NodeIndex,
        ids: &mut Vec<EntityId<C>>,
    ) {
        let new = self.new_rows(count);
        self.slots.reserve(count); // nothing below can fail
        ids.reserve(count);
        let generation = 1;
        let slot = Record { generation, node };
        self.slots.resize(new.end as usize, slot);
        ids.extend(new.map(|index| self.id(index, generation)));
        self.checkpoint += 1;
    }

    /// Returns the id of an entity of these slots, which may be dead.
    pub(crate) fn own<C>(&self, id: RawEntityId) -> EntityId<C> {
        self.id(id.index(), id.generation())
    }

    /// Returns the id for a generation of a slot, whose entity may be dead.
    pub(crate) fn id_of_generation<C>(&self, index: u32, generation: u32) -> EntityId<C> {
        self.id(index, generation)
    }

    /// Assigns new rows to all slots. `moves` are triples of the old row, the new row, and the
    /// number of rows, in ascending order of the new row; they cover each row once.
    pub(crate) fn reorder(&mut self, moves: impl Iterator<Item = (Row, Row, u32)>) {
        self.list_traversals();
        self.order.reorder(self.slots.len(), moves);
    }

    /// Reserves the memory that [`swap`](Self::swap) needs.
    pub(crate) fn prepare_swaps(&mut self) {
        self.order.cover(self.slots.len());
    }

    /// Swaps the slots of two rows. Requires `prepare_swaps`.
    pub(crate) fn swap(&mut self, a: Row, b: Row) {
        self.list_traversals();
        self.order.swap(a, b);
    }

    /// Returns the rows that the next `count` entities would get in new slots.
    ///
    /// # Panics
    ///
    /// Panics if the context cannot have that many.
    #[track_caller]
    pub(crate) fn new_rows(&self, count: usize) -> Range<u32> {
        let end = self.slots.len().checked_add(count);
        match end.map(u32::try_from) {
            Some(Ok(end)) if u64::from(end) <= MOST => self.slots.len() as u32..end,
            _ => reject(too_many(self.name)),
        }
    }

    /// The progress of moving entities in small steps.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(crate) fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// Returns the number of rows, including those of free slots.
    pub(crate) fn rows(&self) -> usize {
        self.slots.len()
    }

    /// Returns a number that changes whenever an entity is created, destroyed or moved to another
    /// node.
    #[inline]
    pub(crate) fn checkpoint(&self) -> u64 {
        self.checkpoint
    }

    /// Swaps all slots with those of another context. Traversals stay.
    pub(crate) fn swap_all(&mut self, other: &mut Self) {
        self.list_traversals();
        let next = self.checkpoint.max(other.checkpoint) + 1;
        core::mem::swap(self, other);
        core::mem::swap(&mut self.traversals, &mut other.traversals);
        self.checkpoint = next;
    }

    /// Returns the number of entities that are alive.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len() - self.retired
    }

    pub(crate) fn free_len(&self) -> usize {
        self.free.len()
    }

    /// Returns how many of the next entities take free slots.
    pub(crate) fn recyclable(&self) -> usize {
        self.free.recyclable()
    }
}

impl Record {
    /// Returns the id of the entity in this slot, if there is one.
    #[inline]
    fn id<C>(self, index: u32, lineage: Lineage) -> Option<EntityId<C>> {
        (self.generation & FREE == 0).then(|| id(index, self.generation, lineage))
    }
}

/// The slots, borrowed for looking up many entities.
#[derive(Clone, Copy)]
pub(crate) struct SlotSlice<'a> {
    slots: &'a [Record],
    rows: SlotRows<'a>,
    lineage: Lineage,
}

impl SlotSlice<'_> {
    /// Excludes slots whose rows are not below `rows`, unless entities have been moved.
    pub(crate) fn with_rows_below(mut self, rows: usize) -> Self {
        if !self.moved() {
            self.slots = &self.slots[..rows.min(self.slots.len())];
        }
        self
    }

    /// Returns whether entities have been moved. If not, a row is its slot's index.
    #[inline]
    pub(crate) fn moved(self) -> bool {
        self.rows.are_moved()
    }

    /// Returns the row of an entity that is alive.
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

/// A node of the signature graph: a set of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeIndex(pub(crate) u32);

/// The node of an entity without components.
pub(crate) const EMPTY_NODE: NodeIndex = NodeIndex(0);

/// The node and row of an entity that is alive.
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
         use an id only with the context that created it, or find the entity by a key of your own, in a \
         component with `primary_index`"
    )
}

/// The error for an entity without a slot.
#[cold]
fn too_many(name: &'static str) -> Error {
    Error::too_many_entities(name)
}

/// Returns the name of a context type, for messages.
fn name_of<C>() -> &'static str {
    let path = core::any::type_name::<C>();
    path.rsplit("::").next().unwrap_or(path)
}
