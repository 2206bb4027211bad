//! The nodes of the signature graph, found by number or by component set.
//!
//! The number of a freed node is reused by the next new node, the lowest first, so that numbers do
//! not depend on when nodes were freed.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::matching::effects::EffectsIndex;
use crate::matching::group::GroupSet;
use crate::storage::heap::heap;
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

/// Effects computed in an epoch of the graph; the next epoch invalidates them.
///
/// The epoch is in the upper half of the word, so that one comparison checks both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Learned(u64);

impl Learned {
    /// Epochs start at one.
    pub(super) const NOTHING: Self = Self(0);

    /// Effects computed in an epoch.
    pub(super) fn new(epoch: u32, effects: EffectsIndex) -> Self {
        Self(u64::from(epoch) << 32 | u64::from(effects.bits()))
    }

    /// The effects, if they were computed in this epoch.
    #[inline]
    pub(super) fn get(self, epoch: u32) -> Option<EffectsIndex> {
        let is_known = (self.0 >> 32) as u32 == epoch;
        is_known.then_some(EffectsIndex::from_bits(self.0 as u32))
    }
}

/// A set of components, and the groups that match it.
pub(super) struct Node {
    pub(super) components: RawComponentSet,
    /// The components as a list, ascending.
    pub(super) list: Box<[RawComponentIndex]>,
    pub(super) groups: GroupSet,
    /// The effects of creating an entity in this node.
    pub(super) created: Learned,
    /// The effects of destroying an entity in this node.
    pub(super) destroyed: Learned,
    is_free: bool,
}

heap!(Node: components, list, groups);

impl Node {
    fn new(components: RawComponentSet, groups: GroupSet) -> Self {
        Self {
            list: components.iter().collect(),
            components,
            groups,
            created: Learned::NOTHING,
            destroyed: Learned::NOTHING,
            is_free: false,
        }
    }

    fn free() -> Self {
        Self {
            is_free: true,
            ..Self::new(RawComponentSet::new(), GroupSet::default())
        }
    }
}

#[derive(Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    by_components: HashTable<NodeIndex>,
    hasher: DefaultHashBuilder,
    /// The numbers of the free nodes, descending.
    free: Vec<NodeIndex>,
}

heap!(Nodes: nodes, by_components, free; each nodes);

impl Nodes {
    #[inline]
    pub(super) fn get(&self, node: NodeIndex) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// A node by its number, if it exists.
    #[inline]
    pub(super) fn find_by_number(&self, node: NodeIndex) -> Option<&Node> {
        self.nodes.get(node.0 as usize)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, node: NodeIndex) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    /// The node of a component set, if it exists.
    pub(super) fn find(&self, components: &RawComponentSet) -> Option<NodeIndex> {
        let hash = self.hasher.hash_one(components);
        let is_it = |node: &NodeIndex| self.get(*node).components == *components;
        self.by_components.find(hash, is_it).copied()
    }

    /// Adds a node for a component set that has none.
    pub(super) fn insert(&mut self, components: RawComponentSet, groups: GroupSet) -> NodeIndex {
        let node = Node::new(components, groups);
        let index = match self.free.pop() {
            Some(index) => {
                *self.get_mut(index) = node;
                index
            }
            None => {
                let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 signatures");
                self.nodes.push(node);
                NodeIndex(index)
            }
        };
        self.record(index);
        index
    }

    /// Makes a node findable by its components.
    fn record(&mut self, index: NodeIndex) {
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        let hash = |node: &NodeIndex| hasher.hash_one(&nodes[node.0 as usize].components);
        self.by_components.insert_unique(hash(&index), index, hash);
    }

    /// Frees all nodes except those in use, by number.
    pub(super) fn retain(&mut self, in_use: impl Fn(NodeIndex) -> bool) {
        for (index, node) in (0..).map(NodeIndex).zip(&mut self.nodes) {
            if !node.is_free && !in_use(index) {
                *node = Node::free();
            }
        }
        let end = self.nodes.iter().rposition(|node| !node.is_free);
        self.nodes.truncate(end.map_or(0, |last| last + 1));
        self.nodes.shrink_to_fit();
        let numbers = (0..self.bound() as u32).map(NodeIndex);
        let (free, taken): (Vec<_>, Vec<_>) = numbers.partition(|&node| self.get(node).is_free);
        self.by_components = HashTable::with_capacity(taken.len());
        taken.into_iter().for_each(|node| self.record(node));
        self.free = free.into_iter().rev().collect();
    }

    /// The components of each number; `None` if it is free.
    pub(super) fn by_number(&self) -> impl Iterator<Item = Option<&RawComponentSet>> {
        let nodes = self.nodes.iter();
        nodes.map(|node| (!node.is_free).then_some(&node.components))
    }

    /// Skips the next unused number; [`free_skipped`](Self::free_skipped) must follow.
    pub(super) fn skip_number(&mut self) {
        self.nodes.push(Node::free());
    }

    /// Makes the skipped numbers available.
    pub(super) fn free_skipped(&mut self) {
        let numbers = (0..self.bound() as u32).map(NodeIndex).rev();
        self.free = numbers.filter(|&node| self.get(node).is_free).collect();
    }

    /// The nodes that are not free, by number.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| !node.is_free)
    }

    /// The nodes that are not free.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut().filter(|node| !node.is_free)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// An upper bound of the numbers.
    pub(super) fn bound(&self) -> usize {
        self.nodes.len()
    }

    /// Panics if a node is not found by its components, or the free list is wrong.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        let free = self.nodes.iter().filter(|node| node.is_free).count();
        assert_eq!(free, self.free.len(), "nodes: how many are free");
        let are_free = self.free.iter().all(|&node| self.get(node).is_free);
        assert!(are_free, "nodes: one is used and free");
        assert!(
            self.free.is_sorted_by(|a, b| a.0 > b.0),
            "nodes: the lowest free number is not the next"
        );
        assert_eq!(
            self.by_components.len(),
            self.len(),
            "nodes: how many are found"
        );
        for (index, node) in (0..).map(NodeIndex).zip(&self.nodes) {
            let list = node.components.iter();
            assert!(
                list.eq(node.list.iter().copied()),
                "nodes: the list of {index:?}"
            );
            let found = self.find(&node.components);
            let is_found = node.is_free || found == Some(index);
            assert!(is_found, "nodes: {index:?} is found as {found:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(component: usize) -> RawComponentSet {
        [RawComponentIndex::new(component)].into_iter().collect()
    }

    #[test]
    fn freed_nodes_are_not_found_and_their_numbers_are_reused() {
        let mut nodes = Nodes::default();
        for component in 0..6 {
            nodes.insert(set(component), GroupSet::default());
        }
        nodes.retain(|node| [0, 3].contains(&node.0));
        assert_eq!((nodes.len(), nodes.bound()), (2, 4));
        let found = [0, 1, 3, 5].map(|component| nodes.find(&set(component)));
        assert_eq!(found, [Some(NodeIndex(0)), None, Some(NodeIndex(3)), None]);
        let new = [9, 8, 7].map(|one| nodes.insert(set(one), GroupSet::default()));
        assert_eq!(new, [1, 2, 4].map(NodeIndex));
        assert_eq!(nodes.find(&set(8)), Some(NodeIndex(2)));
        assert_eq!(nodes.iter().count(), 5);
    }
}
