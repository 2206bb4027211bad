//! Invariants of indexes, for tests.

use super::Indexes;
use super::{IndexState, number};
use crate::matching::group::{GroupIndex, Groups};
use crate::matching::matcher::GroupEvent;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

impl Indexes {
    /// Panics if an index is inconsistent, contains a dead entity, or is not recorded where
    /// expected. Runs no user code.
    pub(crate) fn check_invariants(
        &self,
        slots: &Slots,
        groups: &Groups,
        is_member: impl Fn(GroupIndex, UntypedId) -> bool,
    ) {
        let present = self.states.iter().map(|(at, _)| number(at));
        self.ages.check_invariants(present);
        for number in self.numbers() {
            let state = self.state(number);
            if let Some(state) = state {
                let is_member = |id| is_member(state.group, id);
                state.index.check_invariants(slots, &is_member);
            }
            let links = state.is_some_and(IndexState::is_relation);
            let is_recorded = self.relations.contains(&number);
            assert_eq!(
                is_recorded, links,
                "indexes: whether {number:?} is a relation"
            );
            for group in groups.indices() {
                let follows = state.is_some_and(|it| it.active && it.group == group);
                let is_of_flags = self.flags.iter().any(|flag| flag.number == number);
                for event in GroupEvent::ALL {
                    let follows = follows && !(is_of_flags && event == GroupEvent::Updated);
                    let mut recorded = groups.get(group).watch(event).indexes();
                    assert_eq!(
                        recorded.any(|other| other == number),
                        follows,
                        "indexes: {number:?} at {event:?} of {group:?}"
                    );
                }
            }
        }
    }
}
