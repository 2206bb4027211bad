//! Memory and invariants of slots.

use alloc::collections::TryReserveError;
#[cfg(any(test, feature = "__checks"))]
use alloc::vec;

#[cfg(any(test, feature = "__checks"))]
use super::FREE;
use super::{MOST, Slots, too_many};
use crate::storage::heap::{Heap, bytes_of};
use crate::words::error::Error;

impl Slots {
    /// Reserves slots for this many entities.
    pub(crate) fn reserve(&mut self, entities: usize) {
        let new = entities.saturating_sub(self.free.recyclable());
        self.slots.reserve(new);
    }

    /// Returns the bytes of lists for work that is done in steps.
    pub(crate) fn bytes_of_steps(&self) -> usize {
        self.progress.bytes() + self.traversals.bytes()
    }

    /// Returns whether `more` entities could be created.
    pub(crate) fn can_hold(&self, more: usize) -> bool {
        self.new_slots(more)
            .checked_add(self.slots.len())
            .is_some_and(|slots| slots as u64 <= MOST)
    }

    /// Returns an error if `more` entities cannot be created.
    pub(crate) fn check_capacity(&self, more: usize) -> Result<(), Error> {
        let fits = self.can_hold(more);
        fits.then_some(()).ok_or_else(|| too_many(self.name))
    }

    /// Reserves exactly the memory that `more` entities need.
    pub(crate) fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve_exact(self.new_slots(more))
    }

    /// Returns how many new slots `more` entities need.
    fn new_slots(&self, more: usize) -> usize {
        more.saturating_sub(self.free.recyclable())
    }

    /// Sorts the free slots, so that the next entities take them in ascending order.
    pub(crate) fn sort_free(&mut self) {
        self.free.sort();
    }
}

/// All slots are kept, because they remember which ids have been used.
impl Heap for Slots {
    bytes_of!(slots, order, free, skips);

    fn trim(&mut self) {
        self.slots.trim();
        self.order.trim();
        self.free.trim();
        self.skips.trim();
        self.traversals.trim();
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Slots {
    /// Panics if the counts, the free slots or the rows are inconsistent.
    pub(crate) fn check_invariants(&self) {
        let slots = self.slots.iter();
        let alive = slots.filter(|slot| slot.generation & FREE == 0).count();
        assert_eq!(alive, self.len(), "slots: how many are alive");
        self.check_free();
        self.check_skips();
        self.order.check_invariants(self.slots.len());
    }

    /// Checks that only taken slots skip generations, which no entity may get again.
    fn check_skips(&self) {
        for (&index, &next) in &self.skips {
            let generation = self.slots[index as usize].generation;
            assert_eq!(
                generation & FREE,
                0,
                "slots: slot {index} is free and skips"
            );
            let skips = next == 0 || next > generation + 1;
            assert!(skips, "slots: slot {index} skips nothing");
        }
    }

    /// Checks that each slot is either taken, on the stack once, or retired.
    fn check_free(&self) {
        let mut waiting = vec![false; self.slots.len()];
        for &index in self.free.all() {
            let is_twice = core::mem::replace(&mut waiting[index as usize], true);
            assert!(!is_twice, "slots: slot {index} is on the stack twice");
        }
        for ((index, slot), waits) in self.slots.iter().enumerate().zip(waiting) {
            let (is_free, generation) = (slot.generation & FREE != 0, slot.generation & !FREE);
            let is_to_wait = is_free && generation != 0;
            assert_eq!(waits, is_to_wait, "slots: whether slot {index} waits");
            assert!(is_free || generation != 0, "slots: slot {index} has none");
        }
    }
}
