//! Invariants of the graph between changes, for tests: whatever is cached must equal what would be
//! computed now.

use super::nodes::Learned;
use super::signatures::Graph;
use crate::matching::effects::{Effect, EffectsIndex};
use crate::matching::group::{GroupIndex, Groups};
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

impl Graph {
    /// Panics if the recorded groups of a node are wrong, or an edge has the wrong target or
    /// effects.
    pub(crate) fn check_invariants(&self, groups: &Groups) {
        self.nodes.check_invariants();
        for node in self.nodes.iter() {
            let (recorded, matching) = (node.groups.iter(), groups.matching(&node.components));
            assert!(
                recorded.eq(matching.iter()),
                "graph: groups of {:?}",
                node.list
            );
        }
        self.edges.check_invariants();
        self.updates.check_invariants();
        self.check_edges(groups);
        self.check_updates(groups);
        self.check_merges(groups);
        self.check_lifetimes(groups);
    }

    fn check_edges(&self, groups: &Groups) {
        for (component, from, edge) in self.edges.iter() {
            let mut components = self.components(from).clone();
            if !components.remove(component) {
                components.insert(component);
            }
            self.check_target(edge.target, &components);
            let (effects, stays) = self.edge_effects([from, edge.target], component, groups);
            let expected = (&*effects, &*stays);
            self.check_effects(edge.effects, Some(component), expected, groups);
        }
    }

    fn check_updates(&self, groups: &Groups) {
        for (component, node, edge) in self.updates.iter() {
            assert_eq!(edge.target, node, "graph: where an update leads");
            let effects = self.update_effects(node, component, groups);
            self.check_effects(edge.effects, Some(component), (&effects, &[]), groups);
        }
    }

    fn check_merges(&self, groups: &Groups) {
        for &([node, bundle], edge) in self.merges.iter() {
            let mut components = self.components(node).clone();
            components.extend(self.components(bundle).iter());
            self.check_target(edge.target, &components);
            let (effects, stays) = self.merge_effects([node, bundle], edge.target, groups);
            self.check_effects(edge.effects, None, (&effects, &stays), groups);
        }
    }

    /// Checks the cached effects of creating and destroying.
    fn check_lifetimes(&self, groups: &Groups) {
        for node in (0..self.bound() as u32).map(NodeIndex) {
            let known = |learned: Learned| learned.get(self.epoch);
            if let Some(created) = known(self.nodes.get(node).created) {
                let effects = self.create_effects(node, groups);
                self.check_effects(created, None, (&effects, &[]), groups);
            }
            if let Some(destroyed) = known(self.nodes.get(node).destroyed) {
                let effects = self.destroy_effects(node, groups);
                self.check_effects(destroyed, None, (&effects, &[]), groups);
            }
        }
        for (steps, node, created) in self.recent.iter() {
            self.check_target(node, &steps.iter().collect());
            let effects = self.create_effects(node, groups);
            self.check_effects(created, None, (&effects, &[]), groups);
        }
    }

    fn check_target(&self, node: NodeIndex, components: &RawComponentSet) {
        let target = self.components(node);
        assert_eq!(target, components, "graph: where an edge leads");
        let found = self.nodes.find(components);
        assert_eq!(found, Some(node), "graph: the target of an edge");
    }

    fn check_effects(
        &self,
        recorded: EffectsIndex,
        component: Option<RawComponentIndex>,
        expected: (&[Effect], &[GroupIndex]),
        groups: &Groups,
    ) {
        self.effects
            .check_recorded(recorded, component, expected, groups);
    }
}
