//! The signature graph of one context.
//!
//! ```text
//!   node {Position}  ──edge of Velocity──►  node {Position, Velocity}
//!        │                    │
//!        │                    └ effects: enters group 0, leaves group 2,
//!        │                               collectors 0b101, observed
//!        └──update Position──► effects: updates group 1, collectors 0b010
//! ```
//!
//! Adding a component that an entity lacks and removing one that it has use the same edge in
//! opposite directions, so one table serves both.
//!
//! The cached effects can be recomputed from the groups at any time:
//!
//! - The effects of an edge depend on the groups that name its component, and on their subscribers.
//!   Subscribing to or unsubscribing from a group [forgets](Graph::forget) only the edges
//!   concerned.
//! - Nodes without entities are useless. When there are twice as many nodes as were in use the last
//!   time, unused ones are [freed](Graph::retain), together with all edges. Nodes in use keep their
//!   numbers.
//!
//! Neither may happen while a caller holds effects or a node without entities, so nodes are freed
//! before a change, never during one.

use super::edges::Edges;
use super::nodes::{Learned, Nodes};
use super::recent::{Merges, RecentNodes};
use super::steps::Steps;
use crate::matching::effects::{EffectsIndex, EffectsTable};
use crate::matching::group::{GroupIndex, GroupSet, Groups};
use crate::matching::matcher::{Condition, GroupEvent};
use crate::storage::heap::heap;
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;
use crate::words::limits::FIRST_ROUND;
use crate::words::signature::RawComponentSet;

/// The signature graph of one context.
pub(crate) struct Graph {
    pub(super) nodes: Nodes,
    pub(super) edges: Edges,
    pub(super) updates: Edges,
    pub(super) merges: Merges,
    pub(super) effects: EffectsTable,
    pub(super) recent: RecentNodes,
    /// The epoch in which the effects of creating and destroying were computed.
    pub(super) epoch: u32,
    /// What `destroyed` of a node is in this epoch if destroying its entities concerns no
    /// subscriber.
    alone: Learned,
    /// The number of nodes above which unused ones are freed.
    pub(super) limit: usize,
}

heap!(Graph: nodes, edges, updates, merges, effects, recent);

impl Graph {
    /// The number of nodes that are always kept; small under Miri, as tests exceed it.
    const FEW: usize = if cfg!(miri) { 32 } else { 256 };

    /// A graph with one node, that of entities without components.
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

    /// The components of a node.
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        &self.nodes.get(node).components
    }

    /// The components of a node as a list, ascending; none, if the node is of another context, which
    /// user code has put in the place of this one during a change.
    #[inline]
    pub(crate) fn component_list(&self, node: NodeIndex) -> &[RawComponentIndex] {
        let node = self.nodes.find_by_number(node);
        node.map_or(&[], |node| &node.list)
    }

    /// The groups of a node.
    pub(crate) fn groups(&self, node: NodeIndex) -> &GroupSet {
        &self.nodes.get(node).groups
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// An upper bound of the node numbers.
    pub(crate) fn bound(&self) -> usize {
        self.nodes.bound()
    }

    /// The target and effects of the edge of a component, if it is near and known.
    #[inline]
    pub(crate) fn fast_edge(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<(NodeIndex, EffectsIndex)> {
        let near = self.near_edge(node, component);
        near.filter(|(_, effects)| effects.are_known())
    }

    /// The target of the edge of a component, if it is near; the effects may be unknown.
    #[inline]
    pub(crate) fn near_edge(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<(NodeIndex, EffectsIndex)> {
        let edge = self.edges.at(node, component)?;
        Some((edge.target, edge.effects))
    }

    /// The effects of updating a component, if near; they may be unknown.
    #[inline]
    pub(crate) fn near_update(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<EffectsIndex> {
        Some(self.updates.at(node, component)?.effects)
    }

    /// The effects of updating a component, if near and known.
    #[inline]
    pub(crate) fn known_update(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
    ) -> Option<EffectsIndex> {
        let near = self.near_update(node, component);
        near.filter(|effects| effects.are_known())
    }

    /// The node reached by these steps from the empty node and the effects of creating an entity
    /// there, if cached.
    #[inline]
    pub(crate) fn known_arrival(&self, steps: Steps) -> Option<(NodeIndex, EffectsIndex)> {
        self.recent.get(steps)
    }

    /// The effects of destroying an entity in a node, if known.
    #[inline]
    pub(crate) fn known_destroy(&self, node: NodeIndex) -> Option<EffectsIndex> {
        self.nodes.get(node).destroyed.get(self.epoch)
    }

    /// The components of a node as a list, ascending, if it is known that destroying its entities
    /// concerns no subscriber.
    #[inline]
    pub(crate) fn is_destroyed_alone(&self, node: NodeIndex) -> Option<&[RawComponentIndex]> {
        let node = self.nodes.find_by_number(node)?;
        (node.destroyed == self.alone).then_some(&*node.list)
    }

    #[inline]
    pub(crate) fn effects(&self) -> &EffectsTable {
        &self.effects
    }

    /// The node of a component set; created if missing.
    pub(crate) fn node(&mut self, components: RawComponentSet, groups: &Groups) -> NodeIndex {
        if let Some(known) = self.nodes.find(&components) {
            return known;
        }
        let matching = groups.matching(&components);
        self.nodes.insert(components, matching)
    }

    /// Adds a new group, which must have the highest number. It has no subscribers yet, so all
    /// effects stay valid.
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

    /// Forgets the effects of all changes that can cause an event of a condition's group, after its
    /// subscribers changed.
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

    /// Forgets the effects of creating and destroying.
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

    /// Forgets all effects if most of them are no longer used. Keeps the list of effects to notify
    /// while a dispatch iterates over it, until the next call after that.
    pub(crate) fn tidy(&mut self, dispatching: bool) {
        let known = self.edges.len() + self.updates.len() + self.merges.len();
        let are_left = self.effects.keeps_forgotten() && !dispatching;
        if are_left || self.effects.len() > Self::FEW + 2 * known {
            self.forget_all(dispatching);
        }
    }

    /// Sets the components that the active history excludes; `None` if there is no history.
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

    /// Whether there are too many nodes for this number of entities, or effects take too much
    /// memory.
    pub(crate) fn is_large(&self, entities: usize) -> bool {
        self.nodes.len() > self.limit.max(entities / 64) || self.effects.are_heavy()
    }

    /// Frees all nodes except those in use, by number, and forgets all effects.
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

    /// A graph in which that many nodes know the effects of adding the component of the only group,
    /// which is observed; and a function that forgets them.
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
    fn any_number_of_used_effects_is_kept() {
        let (mut graph, _) = learned(Graph::FEW + 1);
        graph.tidy(false);
        assert_eq!(graph.edges.len(), Graph::FEW + 1);
    }

    #[test]
    fn effects_are_forgotten_when_many_are_unused() {
        for (nodes, left) in [(Graph::FEW - 1, Graph::FEW), (Graph::FEW, 1)] {
            let (mut graph, forget) = learned(nodes);
            forget(&mut graph);
            graph.tidy(false);
            assert_eq!(graph.effects.len(), left);
        }
    }

    #[test]
    fn a_graph_is_large_with_many_nodes_for_its_entities() {
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
