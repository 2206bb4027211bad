//! The signature graph of one context.
//!
//! ```text
//!   node {Position}  ──toggle Velocity──►  node {Position, Velocity}
//!        │                    │
//!        │                    └ effects: enters group 0, leaves group 2,
//!        │                               collectors 0b101, observed
//!        └──update Position──► effects: updates group 1, collectors 0b010
//! ```
//!
//! Adding a component an entity lacks and removing one it has are the same edge,
//! walked in the two directions, so one table of *toggle* edges serves both.
//!
//! What is known here can be worked out anew from the groups at any time:
//!
//! - The effects of an edge depend on the groups that name its component, and on who watches
//!   them. Whoever begins or ceases to watch a group makes the graph *forget* just those edges
//!   ([`forget`](Graph::forget)).
//! - A node that no entity is in is of no use. When there are twice as many nodes as were in
//!   use the last time, those are given back ([`retain`](Graph::retain)), and all edges with
//!   them. Nodes in use keep their numbers.
//!
//! Whoever holds a node without an entity in it, or effects, must not let either happen
//! meanwhile: so nodes are given back before a change, never in the middle of one.

use super::edges::Edges;
use super::nodes::{Learned, Nodes};
use super::recent::{Merges, RecentNodes};
use super::steps::Steps;
use crate::matching::effects::{EffectsIndex, EffectsTable};
use crate::matching::group::{GroupIndex, GroupSet, Groups};
use crate::matching::matcher::{Condition, GroupEvent};
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;
use crate::words::limits::FIRST_ROUND;
use crate::words::signature::RawComponentSet;

/// The graph of one context.
pub(crate) struct Graph {
    pub(super) nodes: Nodes,
    pub(super) edges: Edges,
    pub(super) updates: Edges,
    pub(super) merges: Merges,
    pub(super) effects: EffectsTable,
    pub(super) recent: RecentNodes,
    /// Since when it is known what coming to life and ending in a node does.
    pub(super) epoch: u32,
    /// What is known in this epoch of a node if coming to an end in it concerns nobody.
    alone: Learned,
    /// How many nodes there may be before those are given back that no entity is in.
    pub(super) limit: usize,
}

impl Graph {
    /// So few nodes are kept.
    const FEW: usize = 256;

    /// A graph of one node, that of entities without components.
    pub(crate) fn new(groups: &Groups) -> Self {
        let mut graph = Self {
            nodes: Nodes::default(),
            edges: Edges::default(),
            updates: Edges::default(),
            merges: Merges::default(),
            effects: EffectsTable::new(),
            recent: RecentNodes::new(),
            epoch: FIRST_ROUND,
            alone: Learned::new(FIRST_ROUND, EffectsIndex::NONE),
            limit: Self::FEW,
        };
        graph.node(RawComponentSet::new(), groups);
        graph
    }

    /// The components of entities in a node.
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        &self.nodes.get(node).components
    }

    /// The components of entities in a node, one by one, ascending.
    #[inline]
    pub(crate) fn component_list(&self, node: NodeIndex) -> &[RawComponentIndex] {
        &self.nodes.get(node).list
    }

    /// The groups of entities in a node.
    pub(crate) fn groups(&self, node: NodeIndex) -> &GroupSet {
        &self.nodes.get(node).groups
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number from which on there are no nodes.
    pub(crate) fn bound(&self) -> usize {
        self.nodes.bound()
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let edges = self.edges.bytes() + self.updates.bytes() + self.merges.bytes();
        let learned = self.effects.bytes() + self.recent.bytes();
        self.nodes.bytes() + edges + learned
    }

    /// Where toggling a component leads and what it does, if that is known and near.
    #[inline]
    pub(crate) fn fast_edge(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<(NodeIndex, EffectsIndex)> {
        let near = self.near_edge(node, component);
        near.filter(|(_, effects)| effects.are_known())
    }

    /// Where toggling a component leads, if that is near; what it does may be unknown.
    #[inline]
    pub(crate) fn near_edge(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<(NodeIndex, EffectsIndex)> {
        let edge = self.edges.at(node, component)?;
        Some((edge.target, edge.effects))
    }

    /// What updating a component does, if that is near; it may be unknown.
    #[inline]
    pub(crate) fn near_update(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<EffectsIndex> {
        Some(self.updates.at(node, component)?.effects)
    }

    /// What updating a component does, if that is known and near.
    #[inline]
    pub(crate) fn known_update(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<EffectsIndex> {
        let near = self.near_update(node, component);
        near.filter(|effects| effects.are_known())
    }

    /// Where these steps lead from the node without components, and what an entity does that
    /// comes to life there, if that is at hand.
    #[inline]
    pub(crate) fn known_arrival(&self, steps: Steps) -> Option<(NodeIndex, EffectsIndex)> {
        self.recent.get(steps)
    }

    /// What an entity does that ends in a node, if it has been worked out.
    #[inline]
    pub(crate) fn known_destroy(&self, node: NodeIndex) -> Option<EffectsIndex> {
        self.nodes.get(node).destroyed.get(self.epoch)
    }

    /// The components of entities in a node, one by one, ascending, if it is known that
    /// their end concerns nobody.
    #[inline]
    pub(crate) fn is_destroyed_alone(&self, node: NodeIndex) -> Option<&[RawComponentIndex]> {
        let node = self.nodes.find_by_number(node)?;
        (node.destroyed == self.alone).then_some(&*node.list)
    }

    /// What the changes do beside storing a value.
    #[inline]
    pub(crate) fn effects(&self) -> &EffectsTable {
        &self.effects
    }

    /// The node of a set of components.
    pub(crate) fn node(&mut self, components: RawComponentSet, groups: &Groups) -> NodeIndex {
        if let Some(known) = self.nodes.find(&components) {
            return known;
        }
        let matching = groups.matching(&components);
        self.nodes.insert(components, matching)
    }

    /// Takes a new group, the last in number, into account. Nobody watches it, so what changes do
    /// stays as it is.
    pub(crate) fn add_group(&mut self, group: GroupIndex, condition: &Condition) {
        let matches = |components: &RawComponentSet| condition.matches(components);
        for node in self
            .nodes
            .iter_mut()
            .filter(|node| matches(&node.components))
        {
            node.groups.insert(group);
        }
    }

    /// Forgets what those changes do that can be an event of a condition's group, to be worked
    /// out anew: somebody begins or ceases to watch it.
    pub(crate) fn forget(&mut self, condition: &Condition, event: GroupEvent) {
        self.merges.clear();
        if condition.is_of_each_component() {
            (self.edges, self.updates) = (Edges::default(), Edges::default());
            self.forget_lifetimes();
        } else if event == GroupEvent::Updated {
            let watched = condition.watched();
            watched.for_each(|component| self.updates.forget(component));
        } else {
            let components = condition.components();
            components
                .iter()
                .for_each(|component| self.edges.forget(component));
            self.forget_lifetimes();
        }
    }

    /// Forgets what coming to life and ending does.
    fn forget_lifetimes(&mut self) {
        self.recent.clear();
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            for node in self.nodes.iter_mut() {
                (node.created, node.destroyed) = (Learned::NOTHING, Learned::NOTHING);
            }
            1
        });
        self.alone = Learned::new(self.epoch, EffectsIndex::NONE);
    }

    /// Forgets what all changes do, if most of what is kept of that is of no use any more.
    /// Keeps the list of what to notify of while a dispatch walks through it.
    pub(crate) fn tidy(&mut self, dispatching: bool) {
        let known = self.edges.len() + self.updates.len() + self.merges.len();
        if self.effects.len() > Self::FEW + 2 * known {
            self.forget_all(dispatching);
        }
    }

    /// Has a history follow every change but those of some components, or no longer.
    pub(crate) fn set_recorded(&mut self, recorded: Option<RawComponentSet>, dispatching: bool) {
        self.effects.set_recorded(recorded);
        self.forget_all(dispatching);
    }

    fn forget_all(&mut self, dispatching: bool) {
        (self.edges, self.updates) = (Edges::default(), Edges::default());
        self.merges.clear();
        self.effects.forget(dispatching);
        self.forget_lifetimes();
    }

    /// Whether there are so many nodes that those are to be given back that no entity is in,
    /// among so many entities; or effects take too much memory.
    pub(crate) fn is_large(&self, entities: usize) -> bool {
        self.nodes.len() > self.limit.max(entities / 64) || self.effects.are_heavy()
    }

    /// Gives back all nodes but those that are in use, by number, and forgets what all
    /// changes do.
    pub(crate) fn retain(&mut self, in_use: &[bool], dispatching: bool) {
        self.nodes.retain(|node| in_use[node.0 as usize]);
        self.limit = Self::FEW.max(2 * self.nodes.len());
        self.forget_all(dispatching);
        self.effects.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::tests::index;
    use super::*;
    use crate::matching::matcher::Condition;

    /// A graph that has learned, of so many nodes, what it does to add the component of the only
    /// group, which is observed; how to forget that again.
    fn learned(nodes: usize) -> (Graph, impl Fn(&mut Graph)) {
        let mut groups = Groups::new();
        let mut graph = Graph::new(&groups);
        let condition = Condition::default().and_all([index(0)].into_iter().collect());
        let group = groups.add(condition.clone());
        groups.change_watch(group, GroupEvent::Entered, |watch| watch.set_observers(1));
        graph.add_group(group, &condition);
        for other in 1..=nodes {
            let node = graph.node([index(other)].into_iter().collect(), &groups);
            graph.edge(node, index(0), &groups);
        }
        assert_eq!(graph.effects.len(), 1 + nodes);
        (graph, move |graph| {
            graph.forget(&condition, GroupEvent::Entered);
        })
    }

    #[test]
    fn effects_that_are_of_use_are_kept_however_many_there_are() {
        let (mut graph, _) = learned(Graph::FEW + 1);
        graph.tidy(false);
        assert_eq!(graph.edges.len(), Graph::FEW + 1);
    }

    #[test]
    fn effects_are_forgotten_when_more_than_a_few_are_of_no_use() {
        for (nodes, left) in [(Graph::FEW - 1, Graph::FEW), (Graph::FEW, 1)] {
            let (mut graph, forget) = learned(nodes);
            forget(&mut graph);
            graph.tidy(false);
            assert_eq!(graph.effects.len(), left);
        }
    }

    #[test]
    fn a_graph_is_large_that_has_more_than_a_few_nodes_and_more_than_entities_account_for() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        for component in 1..Graph::FEW {
            graph.node([index(component)].into_iter().collect(), &groups);
        }
        assert!(!graph.is_large(0));
        graph.node([index(0)].into_iter().collect(), &groups);
        assert!(graph.is_large(64 * Graph::FEW));
        assert!(!graph.is_large(64 * (Graph::FEW + 1)));
    }
}
