//! The members of all groups: one set of rows for all groups that have the same members.
//!
//! As long as no signature tells groups apart, they match the same nodes of the graph, so they
//! have the same members, whatever happens. They share one set, and a change flips it once
//! for all of them.
//!
//! ```text
//! nodes     {}   {A}   {A, B}                       known so far
//! groups    0: A      1: A, not C      2: B
//! sets      0 ─► {A} {A, B}  of groups 0 and 1      1 ─► {A, B}  of group 2
//!
//! a new node {A, C} is in group 0, not in 1: group 0 gets a set of its own, a copy
//! ```
//!
//! The invariant: **groups that share a set match the same nodes**. A node is made known before
//! any entity is in it, so groups are split while they still have the same members.

use alloc::vec::Vec;

use super::numbers::GroupIndex;
use super::set::GroupSet;
use crate::matching::row_set::RowSet;
use crate::words::heap_size::heap_size;

/// A set of members by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SetIndex(u32);

impl SetIndex {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// Groups that got a set of their own: a copy of the one they had shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) from: SetIndex,
    pub(crate) own: SetIndex,
}

/// The groups that share a set.
struct Sharing {
    /// The first of them.
    first: GroupIndex,
    /// How many they are.
    count: usize,
}

/// The members that all groups had at one moment.
#[derive(Clone)]
pub(crate) struct MembersCopy {
    of_groups: Vec<SetIndex>,
    rows: Vec<RowSet>,
}

impl MembersCopy {
    /// How many groups there were.
    pub(crate) fn len(&self) -> usize {
        self.of_groups.len()
    }
}

/// The sets of all groups.
#[derive(Default)]
pub(super) struct Members {
    /// The set of each group.
    of_groups: Vec<SetIndex>,
    /// The rows of each set: apart, because every change goes there.
    rows: Vec<RowSet>,
    sharing: Vec<Sharing>,
}

impl Members {
    /// Adds a group: one that shares the set of another group, which matches the same nodes, or
    /// one that gets an empty set of its own.
    pub(super) fn add(&mut self, alike: Option<GroupIndex>) {
        let group = GroupIndex(self.of_groups.len() as u32); // fewer than 2^32
        let set = match alike {
            Some(other) => self.set(other),
            None => self.push(RowSet::default(), group),
        };
        self.sharing[set.get()].count += 1;
        self.of_groups.push(set);
    }

    /// Adds a set, which no group has yet.
    fn push(&mut self, rows: RowSet, first: GroupIndex) -> SetIndex {
        let set = SetIndex(self.rows.len() as u32); // there are no more than groups
        self.rows.push(rows);
        self.sharing.push(Sharing { first, count: 0 });
        set
    }

    /// Takes a new node into account, which these groups match; returns which sets it has split.
    pub(super) fn meet(&mut self, matching: &GroupSet) -> Vec<Split> {
        let mut met = alloc::vec![0; self.rows.len()];
        for group in matching.iter() {
            met[self.set(group).get()] += 1;
        }
        let some_met = |at: &usize| (1..self.sharing[*at].count).contains(&met[*at]);
        let split: Vec<_> = (0..met.len()).filter(some_met).collect();
        let sets = split.into_iter().map(|at| SetIndex(at as u32));
        sets.map(|from| self.split(from, matching)).collect()
    }

    /// Gives those groups of a set that match a new node a set of their own.
    fn split(&mut self, from: SetIndex, matching: &GroupSet) -> Split {
        let leaving = matching.iter().filter(|&group| self.set(group) == from);
        let leaving: Vec<_> = leaving.collect();
        let own = self.push(self.rows[from.get()].clone(), leaving[0]);
        self.sharing[own.get()].count = leaving.len();
        self.sharing[from.get()].count -= leaving.len();
        for group in leaving {
            self.of_groups[group.get()] = own;
        }
        let left = self.of_groups.iter().position(|&set| set == from);
        let left = left.expect("some of them do not match the node");
        self.sharing[from.get()].first = GroupIndex(left as u32);
        Split { from, own }
    }

    /// The set of a group.
    #[inline]
    pub(super) fn set(&self, group: GroupIndex) -> SetIndex {
        self.of_groups[group.get()]
    }

    /// Whether a group is the first of those that share its set: as that one it stands for
    /// all of them.
    pub(super) fn is_first(&self, group: GroupIndex) -> bool {
        self.sharing[self.set(group).get()].first == group
    }

    /// The first of the groups that share a group's set.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn first_of(&self, group: GroupIndex) -> GroupIndex {
        self.sharing[self.set(group).get()].first
    }

    /// The rows of a group.
    #[inline]
    pub(super) fn of(&self, group: GroupIndex) -> &RowSet {
        &self.rows[self.set(group).get()]
    }

    /// The rows of each set.
    #[inline]
    pub(super) fn sets(&mut self) -> &mut [RowSet] {
        &mut self.rows
    }

    /// A copy of the members of all groups.
    pub(super) fn copied(&self) -> MembersCopy {
        MembersCopy {
            of_groups: self.of_groups.clone(),
            rows: self.rows.clone(),
        }
    }

    /// Has the groups of then have the members that they had, and the others none.
    pub(super) fn put_back(&mut self, copy: &MembersCopy) {
        for (rows, sharing) in self.rows.iter_mut().zip(&self.sharing) {
            match copy.of_groups.get(sharing.first.get()) {
                Some(set) => rows.clone_from(&copy.rows[set.get()]),
                None => rows.clear(),
            }
        }
    }

    /// Panics if groups and sets of rows disagree on who shares what.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        assert_eq!(self.rows.len(), self.sharing.len(), "members: the sets");
        self.rows.iter().for_each(RowSet::check_invariants);
        for (set, sharing) in self.sharing.iter().enumerate() {
            let groups = self.of_groups.iter().enumerate();
            let mut groups = groups.filter(|(_, of)| of.get() == set).map(|(at, _)| at);
            let first = Some(sharing.first.get());
            assert_eq!(
                groups.next(),
                first,
                "members: the first group of set {set}"
            );
            let count = groups.count() + 1;
            assert_eq!(count, sharing.count, "members: how many share set {set}");
        }
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(RowSet::bytes).sum();
        let tables = heap_size(&self.of_groups) + heap_size(&self.rows) + heap_size(&self.sharing);
        rows + tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::slots::Row;

    fn groups(list: &[u32]) -> GroupSet {
        list.iter().copied().map(GroupIndex).collect()
    }

    #[test]
    fn groups_share_a_set_until_a_node_splits_it() {
        let mut members = Members::default();
        for alike in [None, Some(GroupIndex(0)), Some(GroupIndex(1))] {
            members.add(alike);
        }
        assert!(members.meet(&groups(&[0, 1, 2])).is_empty());
        let set = members.set(GroupIndex(1));
        members.sets()[set.get()].flip(Row(70));

        let (from, own) = (SetIndex(0), SetIndex(1));
        assert_eq!(members.meet(&groups(&[0, 2])), [Split { from, own }]);
        let set = members.set(GroupIndex(2));
        members.sets()[set.get()].flip(Row(5));
        let rows = [0, 1, 2].map(|group| members.of(GroupIndex(group)).iter().collect::<Vec<_>>());
        assert_eq!(rows[0], [Row(5), Row(70)]);
        assert_eq!(rows[1], [Row(70)]);
        assert_eq!(rows[2], rows[0]);
        let first = [0, 1, 2].map(|group| members.is_first(GroupIndex(group)));
        assert_eq!(first, [true, true, false]);

        members.add(Some(GroupIndex(1)));
        assert_eq!(members.meet(&groups(&[3])).len(), 1);
        let first = [0, 1, 2, 3].map(|group| members.is_first(GroupIndex(group)));
        assert_eq!(first, [true, true, false, true]);
    }
}
