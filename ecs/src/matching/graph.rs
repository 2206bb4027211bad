//! The signature graph: one node for each distinct set of components that some
//! entity has had, and on its edges, worked out once, all that a change must do.
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
//! walked in the two directions, so one table of *toggle* edges serves both. The
//! edges of all nodes stand in one table, `links[node * width + component]`.
//!
//! Nodes and targets never change. Effects depend on the groups and on who watches
//! them: a new group, collector or observer makes the graph *forget* them, and they
//! are worked out again as edges are walked.

mod learn;
mod recent;

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use self::recent::RecentNodes;
pub(crate) use self::recent::Steps;

use crate::matching::effects::{EffectsIndex, EffectsTable};
use crate::matching::group::{GroupIndex, Groups};
use crate::matching::matcher::Matcher;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};
use crate::words::component::ComponentIndex;
use crate::words::heap_size::bytes_of;
use crate::words::signature::ComponentSet;

/// An edge: where toggling a component leads and does, and what updating it does.
#[derive(Clone, Copy)]
struct Link {
    target: NodeIndex,
    toggle: EffectsIndex,
    update: EffectsIndex,
}

impl Link {
    const UNKNOWN: Self = Self {
        target: EMPTY_NODE,
        toggle: EffectsIndex::UNKNOWN,
        update: EffectsIndex::UNKNOWN,
    };
}

/// A set of components and the groups that entities with just these belong to.
struct Node {
    components: ComponentSet,
    /// The same, one by one, ascending.
    list: Box<[ComponentIndex]>,
    groups: Vec<GroupIndex>,
    created: EffectsIndex,
    destroyed: EffectsIndex,
}

/// The graph of one context.
pub(crate) struct Graph {
    nodes: Vec<Node>,
    by_components: HashMap<ComponentSet, NodeIndex>,
    links: Vec<Link>,
    /// How many components each row of `links` has room for.
    width: usize,
    effects: EffectsTable,
    recent: RecentNodes,
}

impl Graph {
    /// A graph of one node, that of entities without components.
    pub(crate) fn new<C: 'static>(components: usize, groups: &mut Groups<C>) -> Self {
        let mut graph = Self {
            nodes: Vec::new(),
            by_components: HashMap::new(),
            links: Vec::new(),
            width: components.next_power_of_two(),
            effects: EffectsTable::new(),
            recent: RecentNodes::new(),
        };
        graph.node(ComponentSet::new(), groups);
        graph
    }

    /// The components of entities in a node.
    pub(crate) fn components(&self, node: NodeIndex) -> &ComponentSet {
        &self.nodes[node.0 as usize].components
    }

    /// The components of entities in a node, one by one, ascending.
    #[inline]
    pub(crate) fn component_list(&self, node: NodeIndex) -> &[ComponentIndex] {
        &self.nodes[node.0 as usize].list
    }

    /// The groups of entities in a node, in order of creation.
    pub(crate) fn groups(&self, node: NodeIndex) -> &[GroupIndex] {
        &self.nodes[node.0 as usize].groups
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let inside = |node: &Node| {
            // The set is there twice: as the key that leads to the node, too.
            2 * node.components.bytes() + size_of_val(&*node.list) + bytes_of(&node.groups)
        };
        let inside: usize = self.nodes.iter().map(inside).sum();
        let tables = bytes_of(&self.nodes) + bytes_of(&self.links);
        let maps = self.by_components.allocation_size() + self.recent.bytes();
        tables + inside + maps + self.effects.bytes()
    }

    /// Where adding a component that the node lacks, or removing one it has, leads,
    /// and what it does.
    #[inline]
    pub(crate) fn toggle<C: 'static>(
        &mut self,
        node: NodeIndex,
        component: ComponentIndex,
        groups: &mut Groups<C>,
    ) -> (NodeIndex, EffectsIndex) {
        match self.known_toggle(node, component) {
            Some(known) => known,
            None => self.learn_toggle(node, component, groups),
        }
    }

    /// What [`toggle`](Self::toggle) gives, if it has been worked out.
    #[inline]
    pub(crate) fn known_toggle(
        &self,
        node: NodeIndex,
        component: ComponentIndex,
    ) -> Option<(NodeIndex, EffectsIndex)> {
        let link = self.link(node, component)?;
        (link.toggle != EffectsIndex::UNKNOWN).then_some((link.target, link.toggle))
    }

    /// What [`update`](Self::update) gives, if it has been worked out.
    #[inline]
    pub(crate) fn known_update(
        &self,
        node: NodeIndex,
        component: ComponentIndex,
    ) -> Option<EffectsIndex> {
        let link = self.link(node, component)?;
        (link.update != EffectsIndex::UNKNOWN).then_some(link.update)
    }

    /// What updating a component that the node has does.
    #[inline]
    pub(crate) fn update<C: 'static>(
        &mut self,
        node: NodeIndex,
        component: ComponentIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        match self.known_update(node, component) {
            Some(known) => known,
            None => self.learn_update(node, component, groups),
        }
    }

    /// What an entity does that comes to life in a node.
    #[inline]
    pub(crate) fn create<C: 'static>(
        &mut self,
        node: NodeIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        match self.nodes[node.0 as usize].created {
            EffectsIndex::UNKNOWN => self.learn_create(node, groups),
            known => known,
        }
    }

    /// Where these steps lead from a node, and what an entity does that comes to life there.
    #[inline]
    pub(crate) fn arrival<C: 'static>(
        &mut self,
        start: NodeIndex,
        steps: Steps,
        groups: &mut Groups<C>,
    ) -> (NodeIndex, EffectsIndex) {
        if start == EMPTY_NODE {
            let (node, created) = self.recent.get(steps);
            if created != EffectsIndex::UNKNOWN {
                return (node, created);
            }
        }
        self.learn_arrival(start, steps, groups)
    }

    /// Where these steps lead from a node.
    pub(crate) fn walk<C: 'static>(
        &mut self,
        start: NodeIndex,
        steps: Steps,
        groups: &mut Groups<C>,
    ) -> NodeIndex {
        let step = |node, component| self.toggle(node, component, groups).0;
        steps.iter().fold(start, step)
    }

    /// What an entity does that ends in a node: its components go in ascending
    /// order, and a group is left through the first one without which the entity
    /// does not match. It enters no group on the way.
    #[inline]
    pub(crate) fn destroy<C: 'static>(
        &mut self,
        node: NodeIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        match self.nodes[node.0 as usize].destroyed {
            EffectsIndex::UNKNOWN => self.learn_destroy(node, groups),
            known => known,
        }
    }

    /// What [`destroy`](Self::destroy) gives, if it has been worked out.
    #[inline]
    pub(crate) fn known_destroy(&self, node: NodeIndex) -> Option<EffectsIndex> {
        let known = self.nodes.get(node.0 as usize)?.destroyed;
        (known != EffectsIndex::UNKNOWN).then_some(known)
    }

    /// The components of entities in a node, one by one, ascending, if it is known that
    /// their end concerns nobody.
    #[inline]
    pub(crate) fn ends_alone(&self, node: NodeIndex) -> Option<&[ComponentIndex]> {
        let node = self.nodes.get(node.0 as usize)?;
        (node.destroyed == EffectsIndex::NONE).then_some(&*node.list)
    }

    /// What the changes do beside storing a value.
    #[inline]
    pub(crate) fn effects(&self) -> &EffectsTable {
        &self.effects
    }

    /// Forgets all effects, to be worked out anew as edges are walked; keeps the list
    /// of what is to be told while a delivery walks through it.
    pub(crate) fn forget_effects(&mut self, delivering: bool) {
        self.effects.forget(delivering);
        self.recent.forget_effects();
        for link in &mut self.links {
            (link.toggle, link.update) = (EffectsIndex::UNKNOWN, EffectsIndex::UNKNOWN);
        }
        for node in &mut self.nodes {
            (node.created, node.destroyed) = (EffectsIndex::UNKNOWN, EffectsIndex::UNKNOWN);
        }
    }

    /// The nodes that a matcher matches, ascending.
    pub(crate) fn matching<C: 'static>(&self, matcher: &Matcher<C>) -> Vec<NodeIndex> {
        let nodes = (0..).map(NodeIndex).zip(&self.nodes);
        let matching = nodes.filter(|(_, node)| matcher.matches(&node.components));
        matching.map(|(index, _)| index).collect()
    }

    /// Takes a new group, the last in number, into account. The effects must be
    /// forgotten afterwards.
    pub(crate) fn add_group<C: 'static>(&mut self, group: GroupIndex, matcher: &Matcher<C>) {
        for node in self
            .nodes
            .iter_mut()
            .filter(|node| matcher.matches(&node.components))
        {
            node.groups.push(group);
        }
    }

    /// The node of a set of components.
    pub(crate) fn node<C: 'static>(
        &mut self,
        components: ComponentSet,
        groups: &mut Groups<C>,
    ) -> NodeIndex {
        if let Some(&node) = self.by_components.get(&components) {
            return node;
        }
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 signatures");
        let matching = groups.matching(&components);
        if groups.meet(NodeIndex(index), &matching) {
            self.effects.resolve(groups);
        }
        self.by_components
            .insert(components.clone(), NodeIndex(index));
        self.nodes.push(Node {
            groups: matching,
            list: components.iter().collect(),
            components,
            created: EffectsIndex::UNKNOWN,
            destroyed: EffectsIndex::UNKNOWN,
        });
        self.links
            .resize(self.nodes.len() * self.width, Link::UNKNOWN);
        NodeIndex(index)
    }

    /// The edge of a component; none where the table has no room for it yet.
    #[inline]
    fn link(&self, node: NodeIndex, component: ComponentIndex) -> Option<&Link> {
        if component.get() >= self.width {
            return None;
        }
        self.links
            .get(node.0 as usize * self.width + component.get())
    }

    fn link_mut(&mut self, node: NodeIndex, component: ComponentIndex) -> &mut Link {
        if component.get() >= self.width {
            self.widen(component.get() + 1);
        }
        &mut self.links[node.0 as usize * self.width + component.get()]
    }

    /// Gives each node room for the edges of more components.
    fn widen(&mut self, components: usize) {
        let width = components.next_power_of_two();
        let mut links = Vec::with_capacity(self.nodes.len() * width);
        for row in self.links.chunks(self.width) {
            let end = links.len() + width;
            links.extend_from_slice(row);
            links.resize(end, Link::UNKNOWN);
        }
        (self.links, self.width) = (links, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(component: usize) -> ComponentIndex {
        ComponentIndex::new(component)
    }

    #[test]
    fn toggling_twice_leads_back() {
        let mut groups = Groups::<()>::new();
        let mut graph = Graph::new(2, &mut groups);
        for component in [0, 1, 63, 64, 300] {
            let (there, effects) = graph.toggle(EMPTY_NODE, index(component), &mut groups);
            assert_eq!(effects, EffectsIndex::NONE);
            assert!(graph.components(there).iter().eq([index(component)]));
            assert_eq!(
                graph.toggle(there, index(component), &mut groups).0,
                EMPTY_NODE
            );
        }
        assert_eq!(graph.len(), 6);
    }

    #[test]
    fn different_ways_lead_to_the_same_node() {
        let mut groups = Groups::<()>::new();
        let mut graph = Graph::new(2, &mut groups);
        let mut walk = |a, b| {
            let (node, _) = graph.toggle(EMPTY_NODE, index(a), &mut groups);
            graph.toggle(node, index(b), &mut groups).0
        };
        assert_eq!(walk(0, 5), walk(5, 0));
    }
}
