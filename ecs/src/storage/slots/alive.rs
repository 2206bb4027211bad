//! Finding the entities that are alive: by row, by index, and in order.

use core::borrow::Borrow;

use super::{FREE, NodeIndex, Record, Row, Slot, Slots};
use crate::storage::bit_set::BitSet;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::limits::ROWS;

impl Slots {
    /// Returns the entity in `row`, if it is alive.
    #[inline]
    pub(crate) fn id_in<C>(&self, row: Row) -> Option<EntityId<C>> {
        Some(self.entity_in(row)?.0)
    }

    /// Returns the entity in `row` and its node, if it is alive.
    #[inline]
    pub(crate) fn entity_in<C>(&self, row: Row) -> Option<(EntityId<C>, NodeIndex)> {
        let index = self.order.index_in(row);
        let slot = self.slots.get(index as usize)?;
        Some((slot.id(index, self.lineage)?, slot.node))
    }

    /// Returns the node of the entity in `row`, if it is alive.
    #[inline]
    pub(crate) fn node_in(&self, row: Row) -> Option<NodeIndex> {
        let slot = self.slots.get(self.order.index_in(row) as usize)?;
        (slot.generation & FREE == 0).then_some(slot.node)
    }

    /// Iterates over the entities that are alive, in index order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (UntypedId, Slot)> + '_ {
        let slots = (0..).zip(&self.slots);
        slots.filter_map(|(index, slot)| self.occupant(index, slot))
    }

    /// Iterates over the entities that are alive, in index order, starting at an index.
    pub(crate) fn ids_from(&self, index: u32) -> impl Iterator<Item = UntypedId> + '_ {
        let alive = self.iter().map(|(id, _)| id);
        alive.skip_while(move |id| id.index() < index)
    }

    /// Returns the first entity that is alive at or after an index.
    pub(crate) fn next_from<C>(&self, index: u32) -> Option<(EntityId<C>, Slot)> {
        let rest = self.slots.get(index as usize..)?;
        let mut slots = (index..).zip(rest);
        slots.find_map(|(index, slot)| self.occupant(index, slot))
    }

    /// Returns the entity in a slot, if it is alive.
    pub(crate) fn alive_in<C>(&self, index: u32) -> Option<(EntityId<C>, Slot)> {
        self.occupant(index, self.slots.get(index as usize)?)
    }

    fn occupant<C>(&self, index: u32, slot: &Record) -> Option<(EntityId<C>, Slot)> {
        let (node, row) = (slot.node, self.order.row_of(index));
        Some((slot.id(index, self.lineage)?, Slot { node, row }))
    }
}

impl Slots {
    /// Returns the bits of the rows of a word that have an entity.
    pub(crate) fn alive(&self, at: usize) -> u64 {
        let (start, end) = (at * ROWS, self.slots.len().min((at + 1) * ROWS));
        if self.order.is_moved() {
            let rows = (start..end).map(|row| Row(row as u32));
            return bits(rows.map(|row| self.node_in(row).is_some()));
        }
        let slots = self.slots.get(start..end).unwrap_or(&[]);
        bits(slots.iter().map(|slot| slot.generation & FREE == 0))
    }

    /// Adds the rows of the entities that are alive to a set.
    #[track_caller]
    pub(crate) fn insert_rows<C>(
        &self,
        ids: impl IntoIterator<Item: Borrow<EntityId<C>>>,
        rows: &mut BitSet,
    ) {
        let (slots, mut last) = (self.slice(), (0, 0));
        for id in ids {
            if let Some(row) = slots.row(*id.borrow()) {
                let (at, place) = (row.get() / ROWS, row.get() % ROWS);
                if at != last.0 {
                    rows.insert_word(last.0, last.1);
                    last = (at, 0); // usually the same word, so it stays in a register
                }
                last.1 |= 1 << place;
            }
        }
        rows.insert_word(last.0, last.1);
    }

    /// Returns whether an id is of this context and its entity is alive.
    pub(crate) fn is_alive<C>(&self, id: EntityId<C>) -> bool {
        self.accept(id) && self.get(id).is_some()
    }

    /// Returns whether an entity created later can get this id.
    pub(crate) fn is_future(&self, id: RawEntityId) -> bool {
        let Some(slot) = self.slots.get(id.index() as usize) else {
            return true;
        };
        match slot.generation {
            FREE => false, // retired
            next if next & FREE != 0 => id.generation() >= next - FREE,
            generation => match self.next_generation(id.index(), generation) {
                0 => false, // it retires
                next => id.generation() >= next,
            },
        }
    }
}

fn bits(alive: impl Iterator<Item = bool>) -> u64 {
    (0..).zip(alive).fold(0, |word, (place, alive): (u32, _)| {
        word | u64::from(alive) << place
    })
}
