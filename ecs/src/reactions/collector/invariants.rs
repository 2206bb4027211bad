//! Invariants of collectors between changes, for tests.

use alloc::collections::BTreeSet;

use super::Collectors;
use crate::matching::group::{GroupIndex, Groups};
use crate::matching::matcher::{EventSet, GroupEvent};
use crate::storage::slots::Slots;
use crate::words::entity_id::{AnyContext, UntypedId};

impl Collectors {
    /// Panics if lists, seen slots and rows disagree, or groups have recorded other collectors.
    pub(crate) fn check_invariants(&self, slots: &Slots, groups: &Groups) {
        let count = self.states.len();
        assert_eq!(
            (self.lists.len(), self.rows.len()),
            (count, count),
            "collectors: tables"
        );
        let filled: BTreeSet<_> = self.filled.iter().copied().collect();
        let holds = (0..count).filter(|&index| self.buffered(index) > 0);
        assert!(
            filled.len() == self.filled.len() && holds.eq(filled),
            "collectors: which are filled"
        );
        let released: BTreeSet<_> = self.released.iter().copied().collect();
        assert_eq!(
            released.len(),
            self.released.len(),
            "collectors: released twice"
        );
        for index in 0..count {
            let is_idle = !self.states[index].active;
            assert!(
                is_idle || !released.contains(&index),
                "collectors: {index} was released"
            );
            assert!(
                !is_idle || self.buffered(index) == 0,
                "collectors: {index} is paused, and holds"
            );
            self.check_buffered(slots, index);
            self.check_watched(groups, index);
        }
    }

    /// Checks contents and seen slots.
    fn check_buffered(&self, slots: &Slots, index: usize) {
        let (list, rows) = (self.lists[index].ids(), &self.rows[index]);
        assert!(
            rows.is_empty() || list.is_empty(),
            "collectors: {index} keeps rows and a list"
        );
        rows.check_invariants(slots);
        let buffered: BTreeSet<_> = list.iter().copied().collect();
        assert_eq!(
            buffered.len(),
            list.len(),
            "collectors: {index} holds one twice"
        );
        self.check_expected(slots, index, &buffered);
        self.check_seen(slots, index, &buffered);
    }

    /// Expected ids are in the list, and include all that may be revived.
    fn check_expected(&self, slots: &Slots, index: usize, buffered: &BTreeSet<UntypedId>) {
        let expected = &self.states[index].expected;
        let has_list = !self.lists[index].ids().is_empty();
        assert_eq!(
            self.lists[index].is_known(),
            has_list && expected.is_empty(),
            "collectors: whether {index} is on the fast path"
        );
        let mut future = buffered.iter().filter(|id| slots.is_future(id.raw()));
        assert!(
            self.lists[index].is_of_slots() || future.all(|id| expected.contains(id)),
            "collectors: {index} holds one that is to come"
        );
        assert!(
            expected.is_empty() || self.includes_rewinds(index),
            "collectors: {index} follows no rewinds, and expects some"
        );
        let is_in_order = expected.is_sorted_by(|a, b| a < b);
        assert!(
            is_in_order && expected.iter().all(|id| buffered.contains(id)),
            "collectors: ids that {index} expects"
        );
    }

    /// The slots of a list of slots are seen, once each; no others are.
    fn check_seen_slots(&self, index: usize, buffered: &BTreeSet<UntypedId>) {
        let list = &self.lists[index];
        let held: BTreeSet<_> = buffered.iter().map(|id| id.index()).collect();
        let seen = (0..list.covered()).filter(|slot| list.has_seen(*slot));
        assert!(
            held.len() == buffered.len() && seen.eq(held),
            "collectors: slots that {index} has seen"
        );
    }

    /// Living entities in the list are seen or expected; no others are.
    fn check_seen(&self, slots: &Slots, index: usize, buffered: &BTreeSet<UntypedId>) {
        let list = &self.lists[index];
        if list.is_of_slots() {
            return self.check_seen_slots(index, buffered);
        }
        for slot in 0..list.covered() {
            let is_free = slots.alive_in::<AnyContext>(slot).is_none();
            assert!(
                !is_free || !list.has_seen(slot),
                "collectors: {index} has seen the next of slot {slot}"
            );
        }
        let expected = &self.states[index].expected;
        for (id, _) in slots.iter() {
            let is_known = list.has_seen(id.index()) || expected.binary_search(&id).is_ok();
            let is_buffered = buffered.contains(&id);
            assert_eq!(
                is_known, is_buffered,
                "collectors: whether {index} holds {id}"
            );
        }
    }

    /// An active collector is subscribed to its groups and to no others.
    fn check_watched(&self, groups: &Groups, index: usize) {
        let state = &self.states[index];
        for group in groups.indices() {
            for event in GroupEvent::ALL {
                let waits_for =
                    |(of, events): &(GroupIndex, EventSet)| *of == group && events.contains(event);
                let waits = state.active && state.groups.iter().any(waits_for);
                let mut recorded = groups.get(group).watch(event).collectors();
                let is_recorded = recorded.any(|number| number == index);
                assert_eq!(
                    is_recorded, waits,
                    "collectors: {index} at {event:?} of {group:?}"
                );
            }
        }
    }
}
