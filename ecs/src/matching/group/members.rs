//! The members of all groups: one set of rows for all groups that have the same members.
//!
//! Groups are *twins* as long as no signature tells them apart: they match the same nodes of
//! the graph, so they have the same members, whatever happens. Twins share a set, and
//! a change flips it once for all of them.
//!
//! ```text
//! nodes     {}   {A}   {A, B}                       known so far
//! groups    0: A      1: A, not C      2: B
//! sets      0 ─► {A} {A, B}  of groups 0 and 1      1 ─► {A, B}  of group 2
//!
//! a new node {A, C} is in group 0, not in 1: group 0 gets a set of its own, a copy
//! ```
//!
//! The invariant: **two groups share a set exactly if they match the same nodes**. A node is made
//! known before any entity is in it, so groups are told apart while they have the same
//! members still.

use alloc::vec::Vec;

use super::GroupIndex;
use crate::matching::row_set::RowSet;
use crate::storage::slots::NodeIndex;
use crate::words::heap_size::bytes_of;

/// A set of members by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SetIndex(u32);

impl SetIndex {
    #[inline]
    pub(super) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The groups that share a set.
struct Twins {
    /// The nodes that all of them match, ascending, and no others.
    nodes: Vec<NodeIndex>,
    /// The first of them.
    first: GroupIndex,
    /// How many they are.
    count: usize,
}

/// The sets of all groups.
#[derive(Default)]
pub(super) struct Members {
    /// The set of each group.
    of_groups: Vec<SetIndex>,
    /// The rows of each set: apart, because every change goes there.
    rows: Vec<RowSet>,
    twins: Vec<Twins>,
}

impl Members {
    /// Adds a group that matches these nodes, ascending; tells whether it has the members
    /// that it should, those of its twins. Else it has none yet.
    pub(super) fn add(&mut self, nodes: Vec<NodeIndex>) -> bool {
        let group = GroupIndex(self.of_groups.len() as u32); // fewer than 2^32
        if let Some(at) = self.twins.iter().position(|twins| twins.nodes == nodes) {
            self.twins[at].count += 1;
            self.of_groups.push(SetIndex(at as u32));
            return true;
        }
        let set = self.push(RowSet::default(), nodes, group);
        self.of_groups.push(set);
        false
    }

    fn push(&mut self, rows: RowSet, nodes: Vec<NodeIndex>, first: GroupIndex) -> SetIndex {
        let set = SetIndex(self.rows.len() as u32); // there are no more than groups
        self.rows.push(rows);
        self.twins.push(Twins {
            nodes,
            first,
            count: 1,
        });
        set
    }

    /// Takes a new node into account, which these groups match, ascending; tells whether it has
    /// told twins apart.
    pub(super) fn meet(&mut self, node: NodeIndex, matching: &[GroupIndex]) -> bool {
        let sets = self.rows.len();
        let mut met = alloc::vec![0; sets];
        for &group in matching {
            met[self.set(group).get()] += 1;
        }
        for (at, &count) in met.iter().enumerate() {
            if count == self.twins[at].count {
                self.twins[at].nodes.push(node);
            } else if count > 0 {
                self.part(SetIndex(at as u32), node, matching);
            }
        }
        self.rows.len() > sets
    }

    /// Gives those groups of a set that match a new node a set of their own.
    fn part(&mut self, from: SetIndex, node: NodeIndex, matching: &[GroupIndex]) {
        let those = |members: &Self, group: &GroupIndex| members.set(*group) == from;
        let mut leaving = matching.iter().copied().filter(|group| those(self, group));
        let Some(first) = leaving.next() else {
            return;
        };
        let mut nodes = self.twins[from.get()].nodes.clone();
        nodes.push(node);
        let leaving: Vec<_> = leaving.collect();
        let own = self.push(self.rows[from.get()].clone(), nodes, first);
        self.twins[own.get()].count += leaving.len();
        self.twins[from.get()].count -= leaving.len() + 1;
        for group in leaving.into_iter().chain([first]) {
            self.of_groups[group.get()] = own;
        }
        let left = self.of_groups.iter().position(|&set| set == from);
        let left = left.expect("some of them do not match the node");
        self.twins[from.get()].first = GroupIndex(left as u32);
    }

    /// The set of a group.
    #[inline]
    pub(super) fn set(&self, group: GroupIndex) -> SetIndex {
        self.of_groups[group.get()]
    }

    /// Whether a group is the first of those that share its set: as that one it stands for
    /// all of them.
    pub(super) fn is_first(&self, group: GroupIndex) -> bool {
        self.twins[self.set(group).get()].first == group
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

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(RowSet::bytes).sum();
        let nodes = self.twins.iter().map(|twins| bytes_of(&twins.nodes));
        let tables = bytes_of(&self.of_groups) + bytes_of(&self.rows) + bytes_of(&self.twins);
        rows + nodes.sum::<usize>() + tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::slots::Row;

    fn groups(list: &[u32]) -> Vec<GroupIndex> {
        list.iter().copied().map(GroupIndex).collect()
    }

    #[test]
    fn groups_share_a_set_until_a_node_tells_them_apart() {
        let mut members = Members::default();
        assert!(!members.add(Vec::new()));
        assert!([(), ()].map(|()| members.add(Vec::new())) == [true; 2]);
        assert!(!members.meet(NodeIndex(1), &groups(&[0, 1, 2])));
        let set = members.set(GroupIndex(1));
        members.sets()[set.get()].flip(Row(70));

        assert!(members.meet(NodeIndex(2), &groups(&[0, 2])));
        let set = members.set(GroupIndex(2));
        members.sets()[set.get()].flip(Row(5));
        let rows = [0, 1, 2].map(|group| members.of(GroupIndex(group)).iter().collect::<Vec<_>>());
        assert_eq!(rows[0], [Row(5), Row(70)]);
        assert_eq!(rows[1], [Row(70)]);
        assert_eq!(rows[2], rows[0]);
        let first = [0, 1, 2].map(|group| members.is_first(GroupIndex(group)));
        assert_eq!(first, [true, true, false]);

        assert!(members.add([1, 2].map(NodeIndex).to_vec()));
        assert!(members.meet(NodeIndex(3), &groups(&[3])));
        let first = [0, 1, 2, 3].map(|group| members.is_first(GroupIndex(group)));
        assert_eq!(first, [true, true, false, true]);
    }
}
