//! Slots, ordered by their latest change.
//!
//! ```text
//! last ─► slot 7, stamp 5 ─► slot 2, stamp 5 ─► slot 9, stamp 3 ─► …
//! ```
//!
//! A linked list over the slots. A slot that changes again moves to the front, so it appears once,
//! and reading all changes after a stamp takes time proportional to their number.

use alloc::vec::Vec;
use core::iter;

use crate::storage::heap::{Heap, bytes_of, trim_end};

/// The end of the list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct RecentNode {
    /// 0 if the slot is not in the list.
    stamp: u64,
    later: u32,
    earlier: u32,
}

/// Slots, ordered by their latest change.
pub(crate) struct RecentSlots {
    nodes: Vec<RecentNode>,
    last: u32,
}

impl Heap for RecentSlots {
    bytes_of!(nodes);

    fn trim(&mut self) {
        trim_end(&mut self.nodes, |node| node.stamp != 0);
    }
}

impl Default for RecentSlots {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            last: NONE,
        }
    }
}

impl RecentSlots {
    /// Moves a slot to the front, with a stamp no earlier than the others.
    pub(crate) fn touch(&mut self, slot: u32, stamp: u64) {
        let at = slot as usize;
        if at >= self.nodes.len() {
            let absent = RecentNode {
                stamp: 0,
                later: NONE,
                earlier: NONE,
            };
            self.nodes.resize((at + 1).next_power_of_two(), absent);
        }
        if self.last == slot {
            self.nodes[at].stamp = stamp;
            return;
        }
        self.take_out(slot);
        self.nodes[at] = RecentNode {
            stamp,
            later: NONE,
            earlier: self.last,
        };
        if let Some(last) = self.nodes.get_mut(self.last as usize) {
            last.later = slot;
        }
        self.last = slot;
    }

    /// Unlinks a slot that is not the first.
    fn take_out(&mut self, slot: u32) {
        let RecentNode {
            stamp,
            later,
            earlier,
        } = self.nodes[slot as usize];
        if stamp == 0 {
            return;
        }
        if let Some(node) = self.nodes.get_mut(later as usize) {
            node.earlier = earlier;
        }
        if let Some(node) = self.nodes.get_mut(earlier as usize) {
            node.later = later;
        }
    }

    /// Whether a slot changed after a stamp.
    pub(crate) fn is_later(&self, slot: u32, stamp: u64) -> bool {
        let node = self.nodes.get(slot as usize);
        node.is_some_and(|node| node.stamp > stamp)
    }

    /// The slots that changed after a stamp, latest first.
    pub(crate) fn since(&self, stamp: u64) -> impl Iterator<Item = u32> + '_ {
        let after = move |slot: u32| {
            let node = self.nodes.get(slot as usize)?;
            (node.stamp > stamp).then_some(slot)
        };
        let earlier = move |slot: &u32| after(self.nodes[*slot as usize].earlier);
        iter::successors(after(self.last), earlier)
    }

    /// Panics if the links disagree, or a slot with a stamp is not in the list.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        let (mut at, mut later, mut count) = (self.last, NONE, 0);
        while let Some(node) = self.nodes.get(at as usize) {
            assert_eq!(node.later, later, "recent: what is later than slot {at}");
            let before = self.nodes.get(node.earlier as usize);
            assert!(
                before.is_none_or(|it| it.stamp <= node.stamp),
                "recent: stamps"
            );
            (at, later, count) = (node.earlier, at, count + 1);
            assert!(count <= self.nodes.len(), "recent: a circle");
        }
        let stamped = self.nodes.iter().filter(|node| node.stamp != 0);
        assert_eq!(stamped.count(), count, "recent: how many slots there are");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(recent: &RecentSlots, stamp: u64) -> Vec<u32> {
        recent.since(stamp).collect()
    }

    #[test]
    fn a_slot_appears_once_at_its_latest_change() {
        let mut recent = RecentSlots::default();
        for (slot, stamp) in [(7, 1), (2, 1), (9, 2), (2, 3), (2, 3), (7, 4)] {
            recent.touch(slot, stamp);
        }
        assert_eq!(since(&recent, 0), [7, 2, 9]);
        assert_eq!(since(&recent, 2), [7, 2]);
        assert_eq!(since(&recent, 3), [7]);
        assert!(since(&recent, 4).is_empty());
        let is_later = |slot| recent.is_later(slot, 2);
        assert_eq!(
            [7, 2, 9, 1, 100].map(is_later),
            [true, true, false, false, false]
        );
    }

    #[test]
    fn unlinking_the_middle_and_the_ends_keeps_the_list_intact() {
        let mut recent = RecentSlots::default();
        for (stamp, slot) in (1..).zip([0, 1, 2, 3, 1, 0, 3, 3, 2]) {
            recent.touch(slot, stamp);
        }
        assert_eq!(since(&recent, 0), [2, 3, 0, 1]);
    }
}
