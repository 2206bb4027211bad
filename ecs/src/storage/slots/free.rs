//! The free slots: a stack; or a queue, of which a minimum stays free.
//!
//! ```text
//! slots   [3, 1, 7]             stack: the next entity takes slot 7, a destroyed one is put behind it
//! slots   [_, _, 3, 1, 7, 4]    queue: the next entity takes slot 3, if more than `minimum` are free
//!          taken ▲
//! ```

use alloc::vec::Vec;
use core::iter;

use crate::storage::heap::heap;

#[derive(Clone)]
pub(super) struct FreeSlots {
    /// From `taken` on, the free slots; in a queue in the order of reuse, else in the opposite one.
    slots: Vec<u32>,
    /// The length of the beginning of a queue that has been taken; 0 for a stack.
    taken: usize,
    /// The number of slots that are not reused; 0 makes it a stack.
    minimum: usize,
}

heap!(FreeSlots: slots);

impl FreeSlots {
    pub(super) const fn new(minimum: usize) -> Self {
        Self {
            slots: Vec::new(),
            taken: 0,
            minimum,
        }
    }

    /// Makes a list of slots in the order of reuse.
    #[cfg(feature = "serde")]
    pub(super) fn of(mut slots: Vec<u32>, minimum: usize) -> Self {
        if minimum == 0 {
            slots.reverse();
        }
        Self {
            slots,
            ..Self::new(minimum)
        }
    }

    #[cfg(feature = "serde")]
    pub(super) const fn minimum(&self) -> usize {
        self.minimum
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.taken
    }

    /// How many can be taken.
    #[inline]
    pub(super) fn recyclable(&self) -> usize {
        self.len().saturating_sub(self.minimum)
    }

    /// The slots, in the order in which they became free, if nothing was undone.
    #[inline]
    pub(super) fn all(&self) -> &[u32] {
        &self.slots[self.taken..]
    }

    /// The slots in the order of reuse.
    #[cfg(any(test, feature = "serde"))]
    pub(super) fn in_order(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        let (all, is_queue) = (self.all(), self.minimum > 0);
        (0..all.len()).map(move |nth| match is_queue {
            true => all[nth],
            false => all[all.len() - 1 - nth],
        })
    }

    /// Takes the next slot to reuse.
    #[inline]
    pub(super) fn take(&mut self) -> Option<u32> {
        match self.minimum {
            0 => self.slots.pop(),
            _ => self.take_oldest(),
        }
    }

    #[inline(never)] // keeps the way of a stack short
    fn take_oldest(&mut self) -> Option<u32> {
        if self.recyclable() == 0 {
            return None;
        }
        let oldest = self.slots[self.taken];
        self.taken += 1;
        if self.taken >= self.len().max(64) {
            self.slots.drain(..self.taken);
            self.taken = 0;
        }
        Some(oldest)
    }

    /// Reverts [`take`](Self::take).
    pub(super) fn put_back(&mut self, index: u32) {
        if self.minimum == 0 {
            return self.slots.push(index);
        }
        if self.taken == 0 {
            self.taken = self.len().max(8);
            self.slots.splice(..0, iter::repeat_n(0, self.taken));
        }
        self.taken -= 1;
        self.slots[self.taken] = index;
    }

    /// Adds a slot that has become free.
    #[inline]
    pub(super) fn push(&mut self, index: u32) {
        self.slots.push(index);
    }

    /// The list to which the slots that become free are added.
    pub(super) fn newest(&mut self) -> &mut Vec<u32> {
        &mut self.slots
    }

    /// Removes the slot that has become free last, or else, in a queue, the next one to reuse. Returns whether it was
    /// one of them.
    pub(super) fn remove(&mut self, index: u32) -> bool {
        let is_next = self.minimum > 0 && self.all().first() == Some(&index);
        if self.all().last() == Some(&index) {
            self.slots.pop();
            return true;
        }
        self.taken += usize::from(is_next);
        is_next
    }

    /// Removes the slot at a place of [`all`](Self::all), which the last one takes.
    pub(super) fn swap_remove(&mut self, place: usize) {
        self.slots.swap_remove(self.taken + place);
    }

    /// Swaps two places of [`all`](Self::all).
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.slots.swap(self.taken + one, self.taken + other);
    }

    /// Sorts the slots, so that they are reused in ascending order.
    pub(super) fn sort(&mut self) {
        let slots = &mut self.slots[self.taken..];
        match self.minimum {
            0 => slots.sort_unstable_by(|a, b| b.cmp(a)),
            _ => slots.sort_unstable(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::VecDeque;

    #[test]
    fn a_queue_reuses_the_oldest_and_keeps_a_minimum() {
        let (mut free, mut expected, mut taken) = (FreeSlots::new(3), VecDeque::new(), Vec::new());
        for round in 0..2000_u32 {
            match round * 7 % 5 {
                0 | 1 if round % 400 < 200 => {
                    free.push(round);
                    expected.push_back(round);
                }
                4 => {
                    if let Some(index) = taken.pop() {
                        free.put_back(index); // the latest take is undone
                        expected.push_front(index);
                    }
                }
                _ => {
                    let next = (expected.len() > 3).then(|| expected.pop_front()).flatten();
                    assert_eq!(free.take(), next);
                    taken.extend(next);
                }
            }
            assert!(free.in_order().eq(expected.iter().copied()));
            assert_eq!(free.recyclable(), expected.len().saturating_sub(3));
        }
        assert!(free.slots.len() <= 2 * free.len().max(64) + 8);
    }
}
