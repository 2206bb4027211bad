//! The members of groups and matchers.

use alloc::vec::Vec;

use super::data::World;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::{Condition, Matcher};
use crate::matching::members::{Members, Terms};
use crate::words::entity_id::{EntityId, UntypedId};

impl World {
    /// The matcher of a group.
    pub(crate) fn matcher<C>(&self, group: GroupIndex) -> &Matcher<C> {
        Matcher::of(&self.groups.get(group).condition)
    }

    /// The members of a group.
    #[inline]
    pub(crate) fn members(&self, group: GroupIndex) -> Members<'_> {
        self.groups.members(group, self.columns.all(), &self.slots)
    }

    /// The rows that match a condition, which need not have a group.
    pub(crate) fn matching(&self, condition: &Condition) -> Members<'_, Terms> {
        Members::of(condition, self.columns.all(), &self.slots)
    }

    /// The number of members of a group.
    #[inline]
    pub(crate) fn group_len(&self, group: GroupIndex) -> usize {
        self.groups.len_of(group, self.columns.all(), &self.slots)
    }

    /// Whether an entity is alive and a member of a group.
    #[inline]
    #[track_caller]
    pub(crate) fn is_member<I>(&self, group: GroupIndex, id: EntityId<I>) -> bool {
        let slot = self.slots.get(id);
        slot.is_some_and(|slot| self.graph.groups(slot.node).contains(group))
    }

    /// The ids of a group's members, in the order of their rows.
    pub(crate) fn member_ids(&self, group: GroupIndex) -> Vec<UntypedId> {
        let rows = self.members(group).iter();
        rows.filter_map(|row| self.slots.id_in(row)).collect()
    }
}
