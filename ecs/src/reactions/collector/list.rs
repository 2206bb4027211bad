//! The entities in a collector as ids, without duplicates.

use alloc::vec::Vec;
use core::mem;

use crate::storage::heap::Heap;
use crate::words::entity_id::UntypedId;
use crate::words::limits::FIRST_ROUND;

/// Ids in order of collection, and the round in which each slot was collected.
pub(super) struct List {
    ids: Vec<UntypedId>,
    /// By slot. Empty unless the list is on the fast path, so that finding a slot here implies it.
    seen: Vec<u8>,
    /// Holds the contents of `seen` off the fast path.
    parked: Vec<u8>,
    /// Incremented when the list is emptied; never 0.
    round: u8,
    is_known: bool,
    /// Whether a slot stays seen if its entity is destroyed.
    of_slots: bool,
}

impl Heap for List {
    fn bytes(&self) -> usize {
        self.ids.bytes() + self.rounds().bytes()
    }

    /// Frees `seen`, too, if the list is empty.
    fn trim(&mut self) {
        let is_empty = self.ids.is_empty();
        let seen = self.rounds_mut();
        if is_empty {
            seen.clear();
        }
        seen.trim();
        self.ids.trim();
    }
}

impl List {
    pub(super) const fn new() -> Self {
        Self {
            ids: Vec::new(),
            seen: Vec::new(),
            parked: Vec::new(),
            round: FIRST_ROUND as u8,
            is_known: false,
            of_slots: false,
        }
    }

    /// Collects slots from now on instead of entities.
    pub(super) fn collect_slots(&mut self) {
        self.of_slots = true;
    }

    pub(super) fn is_of_slots(&self) -> bool {
        self.of_slots
    }

    /// Switches the fast path on or off.
    pub(super) fn set_known(&mut self, is_known: bool) {
        if is_known != mem::replace(&mut self.is_known, is_known) {
            mem::swap(&mut self.seen, &mut self.parked);
        }
    }

    /// Inserts an entity on the fast path. Returns whether the list contains the entity now.
    #[inline]
    pub(super) fn push_known(&mut self, id: UntypedId) -> bool {
        let Some(seen) = self.seen.get_mut(id.index() as usize) else {
            return false;
        };
        if *seen == self.round {
            return true;
        }
        if self.ids.len() == self.ids.capacity() {
            return false;
        }
        self.ids.push(id); // before writing `seen`, so that nothing grows here
        *seen = self.round;
        true
    }

    /// Inserts an entity, unless the list contains it.
    pub(super) fn push(&mut self, id: UntypedId, is_expected: impl Fn(UntypedId) -> bool) {
        if self.see(id) && !is_expected(id) {
            self.ids.push(id);
        }
    }

    /// Marks an entity as seen; returns whether it was not.
    pub(super) fn see(&mut self, id: UntypedId) -> bool {
        let (slot, round) = (id.index() as usize, self.round);
        let seen = self.rounds_mut();
        if slot >= seen.len() {
            seen.resize((slot + 1).next_power_of_two(), 0);
        }
        mem::replace(&mut seen[slot], round) != round
    }

    /// Marks all entities of the list as seen.
    pub(super) fn see_all(&mut self) {
        for at in 0..self.ids.len() {
            self.see(self.ids[at]);
        }
    }

    /// Whether the entity in a slot has been seen.
    pub(super) fn has_seen(&self, slot: u32) -> bool {
        self.rounds().get(slot as usize) == Some(&self.round)
    }

    /// Whether the list is on the fast path.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// The number of slots in `seen`.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn covered(&self) -> u32 {
        self.rounds().len() as u32
    }

    /// Marks a destroyed entity as not seen on the fast path; returns whether `seen` has its slot.
    #[inline]
    pub(super) fn forget_known(&mut self, id: UntypedId) -> bool {
        let Some(seen) = self.seen.get_mut(id.index() as usize) else {
            return false;
        };
        if !self.of_slots {
            *seen = 0;
        }
        true
    }

    /// Marks a destroyed entity as not seen.
    pub(super) fn forget(&mut self, id: UntypedId) {
        if !self.of_slots
            && let Some(seen) = self.rounds_mut().get_mut(id.index() as usize)
        {
            *seen = 0;
        }
    }

    /// Marks all slots as not seen.
    pub(super) fn forget_all(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.rounds_mut().fill(0);
            1
        });
    }

    /// The ids, in order of collection.
    pub(super) fn ids(&self) -> &[UntypedId] {
        &self.ids
    }

    pub(super) fn ids_mut(&mut self) -> &mut Vec<UntypedId> {
        &mut self.ids
    }

    /// Whether the list has no capacity left.
    pub(super) fn is_full(&self) -> bool {
        self.ids.len() == self.ids.capacity()
    }

    fn rounds(&self) -> &Vec<u8> {
        if self.is_known {
            &self.seen
        } else {
            &self.parked
        }
    }

    fn rounds_mut(&mut self) -> &mut Vec<u8> {
        if self.is_known {
            &mut self.seen
        } else {
            &mut self.parked
        }
    }
}
