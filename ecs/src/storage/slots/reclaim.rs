//! Undoing what was created, and giving destroyed entities their old ids back.
//!
//! ```text
//! destroyed 3v1 ─► slot 3 is free, next 3v2 ─► 3v2 was created and destroyed, next 3v3
//! reclaim   3v1 ─► slot 3 is taken by 3v1, and `skips` has 3 ─► 3
//! destroyed 3v1 ─► slot 3 is free, next 3v3: no entity gets the id 3v2 again
//! ```
//!
//! Invariant: `skips` has the next generation of each taken slot whose next generation does not
//! follow that of its entity; 0 if the slot retires.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::{EMPTY_NODE, FREE, NodeIndex, Record, Row, Slots, generation_after};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::limits::LAST_GENERATION;

impl Slots {
    /// Reverts the most recent creation of an entity, so that the next entity gets its id. If its
    /// slot was new, it is removed.
    ///
    /// Slots must be given back in the opposite order in which they were taken, and entities
    /// revived in the opposite order in which they were destroyed: then the free slots, and so the
    /// ids of later entities, are those from before.
    pub(crate) fn give_back<C>(&mut self, id: EntityId<C>) {
        self.checkpoint += 1;
        let index = id.index() as usize;
        let slot = &mut self.slots[index];
        assert_eq!(slot.generation, id.generation(), "slot {index} is taken");
        slot.generation |= FREE;
        let is_last = index + 1 == self.slots.len();
        if id.generation() == 1 && is_last && self.order.uncover(id.index()) {
            self.slots.pop();
        } else {
            self.free.put_back(id.index());
        }
    }

    /// Revives the most recently destroyed entity in its former node; or, after
    /// [`give_back`](Self::give_back), creates it again. Returns its row.
    pub(crate) fn revive<C>(&mut self, id: EntityId<C>, node: NodeIndex) -> Row {
        let (index, generation) = (id.index(), id.generation());
        match self.slots.get(index as usize) {
            Some(free) => {
                match free.generation {
                    FREE => self.retired -= 1,
                    _ => assert!(self.free.remove(index), "the last free slot"),
                }
                self.occupy_again(id);
                self.set_node(id, node);
            }
            None => {
                assert_eq!(self.slots.len(), index as usize, "the next new slot");
                self.slots.push(Record { generation, node });
            }
        }
        self.checkpoint += 1;
        self.order.row_of(index)
    }

    /// Revives destroyed entities without components whose slots are free. Returns for each the
    /// place of its slot in the list, or `None` if it was not revived.
    ///
    /// Complexity: linear in the number of entities and free slots.
    pub(crate) fn reclaim_all(&mut self, ids: &[UntypedId]) -> Vec<Option<u32>> {
        if let &[id] = ids {
            let place = self
                .free
                .all()
                .iter()
                .rposition(|&index| index == id.index());
            return [self.reclaim_at(id, place.unwrap_or(0))].into();
        }
        let free = self.free.all().iter().enumerate();
        let mut places: HashMap<_, _> = free.map(|(place, &index)| (index, place)).collect();
        let reclaim = |&id: &UntypedId| {
            let place = places.get(&id.index()).copied().unwrap_or(0);
            let reclaimed = self.reclaim_at(id, place);
            if let Some(&moved) = self.free.all().get(place).filter(|_| reclaimed.is_some()) {
                places.insert(moved, place);
            }
            reclaimed
        };
        ids.iter().map(reclaim).collect()
    }

    /// Returns whether an entity is destroyed and its slot has no other entity.
    pub(crate) fn can_reclaim<C>(&self, id: EntityId<C>) -> bool {
        let slot = self.slots.get(id.index() as usize);
        slot.is_some_and(|slot| slot.generation & FREE != 0) && !self.is_future(id.raw())
    }

    /// Revives a destroyed entity without components if its slot is free, and at this place on the
    /// stack; the last slot takes the place. Returns the place.
    fn reclaim_at(&mut self, id: UntypedId, place: usize) -> Option<u32> {
        if !self.can_reclaim(id) {
            return None;
        }
        let next = self.slots[id.index() as usize].generation & !FREE;
        match next {
            0 => self.retired -= 1,
            _ => self.free.swap_remove(place),
        }
        self.occupy_again(id);
        Some(u32::try_from(place).unwrap_or(0)) // there are fewer than 2^32 slots
    }

    /// Sets the generation of a slot that is not taken back to that of an earlier entity.
    pub(super) fn occupy_again<C>(&mut self, id: EntityId<C>) {
        let slot = &mut self.slots[id.index() as usize];
        let next = slot.generation & !FREE;
        let skips = match next {
            0 => id.generation() != LAST_GENERATION,
            next => next > id.generation() + 1,
        };
        if skips {
            self.skips.insert(id.index(), next);
        }
        (slot.generation, slot.node) = (id.generation(), EMPTY_NODE);
        self.checkpoint += 1;
    }

    /// Reverts the latest reclaim, of this entity, whose slot was at this place on the stack.
    pub(crate) fn revert_reclaim<C>(&mut self, id: EntityId<C>, place: u32) {
        let before = self.free.len();
        self.destroy(id);
        if self.free.len() > before {
            self.free.swap(place as usize, before);
        }
    }

    /// The generation that a taken slot has next; 0 if it retires.
    pub(super) fn next_generation(&self, index: u32, generation: u32) -> u32 {
        let next = self.skips.get(&index).copied();
        next.unwrap_or_else(|| generation_after(generation))
    }

    /// Destroys an entity, whose slot may continue with a later generation than the next.
    #[cold]
    #[inline(never)]
    pub(super) fn destroy_skipping(&mut self, index: u32) {
        let skip = self.skips.remove(&index);
        let slot = &mut self.slots[index as usize];
        self.checkpoint += 1;
        let next = skip.unwrap_or_else(|| generation_after(slot.generation));
        slot.generation = next | FREE;
        match next {
            0 => self.retired += 1,
            _ => self.free.push(index),
        }
    }
}
