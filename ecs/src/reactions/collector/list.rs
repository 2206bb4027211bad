//! The entities that a collector holds as ids, each once.

use alloc::vec::Vec;
use core::mem;

use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;
use crate::words::limits::FIRST_ROUND;

/// Ids in order of collection, and for each slot in which round it was collected.
pub(super) struct List {
    ids: Vec<UntypedId>,
    /// By slot. Empty unless the list is known, so that what is found here need not be asked
    /// about that.
    seen: Vec<u8>,
    /// What takes the place of `seen` then.
    parked: Vec<u8>,
    /// Since the list was emptied; never 0.
    round: u8,
    is_known: bool,
}

impl List {
    pub(super) const fn new() -> Self {
        Self {
            ids: Vec::new(),
            seen: Vec::new(),
            parked: Vec::new(),
            round: FIRST_ROUND as u8,
            is_known: false,
        }
    }

    /// Has the list take entities in without further ado, or not.
    pub(super) fn set_known(&mut self, is_known: bool) {
        if is_known != mem::replace(&mut self.is_known, is_known) {
            mem::swap(&mut self.seen, &mut self.parked);
        }
    }

    /// Takes an entity in, unless it is in already, if that needs no further ado; returns whether
    /// it is in.
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
        self.ids.push(id); // before `seen` is written to, so that nothing grows here
        *seen = self.round;
        true
    }

    /// Takes an entity in, unless it is in already.
    pub(super) fn push(&mut self, id: UntypedId, is_expected: impl Fn(UntypedId) -> bool) {
        if self.see(id) && !is_expected(id) {
            self.ids.push(id);
        }
    }

    /// Notes that an entity is in; returns whether that is news.
    pub(super) fn see(&mut self, id: UntypedId) -> bool {
        let (slot, round) = (id.index() as usize, self.round);
        let seen = self.rounds_mut();
        if slot >= seen.len() {
            seen.resize((slot + 1).next_power_of_two(), 0);
        }
        mem::replace(&mut seen[slot], round) != round
    }

    /// Notes that all of the list are in.
    pub(super) fn see_all(&mut self) {
        for at in 0..self.ids.len() {
            self.see(self.ids[at]);
        }
    }

    /// Whether who is in a slot has been seen.
    pub(super) fn has_seen(&self, slot: u32) -> bool {
        self.rounds().get(slot as usize) == Some(&self.round)
    }

    /// Whether it takes entities in without further ado.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// For how many slots it is noted who has been seen.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn covered(&self) -> u32 {
        self.rounds().len() as u32
    }

    /// Has the next entity of a slot taken in by its own right, if the list is known and has
    /// the slot; returns whether it has.
    #[inline]
    pub(super) fn forget_known(&mut self, id: UntypedId) -> bool {
        let seen = self.seen.get_mut(id.index() as usize);
        seen.map(|seen| *seen = 0).is_some()
    }

    /// Does so in any case.
    pub(super) fn forget(&mut self, id: UntypedId) {
        if let Some(seen) = self.rounds_mut().get_mut(id.index() as usize) {
            *seen = 0;
        }
    }

    /// Notes that nobody has been seen.
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

    /// The ids, to be changed.
    pub(super) fn ids_mut(&mut self) -> &mut Vec<UntypedId> {
        &mut self.ids
    }

    /// Whether there is no room for another one.
    pub(super) fn is_full(&self) -> bool {
        self.ids.len() == self.ids.capacity()
    }

    /// Gives up the room that nothing is in, all that has been seen included if nobody is held.
    pub(super) fn trim(&mut self) {
        let is_empty = self.ids.is_empty();
        let seen = self.rounds_mut();
        if is_empty {
            seen.clear();
        }
        seen.shrink_to_fit();
        self.ids.shrink_to_fit();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        heap_size(&self.ids) + heap_size(self.rounds())
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
