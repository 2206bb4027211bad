//! Edges of the signature graph: targets and effects are looked up, or computed on first use and
//! after they were forgotten.

use alloc::vec::Vec;

use super::edges::GraphEdge;
use super::nodes::Learned;
use super::signatures::Graph;
use super::steps::Steps;
use crate::matching::effects::{Effect, EffectsIndex};
use crate::matching::group::{GroupIndex, GroupSet, Groups};
use crate::matching::matcher::GroupEvent;
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

impl Graph {
    /// The target and effects of adding a component that the node lacks, or of removing one that it
    /// has.
    #[inline]
    pub(crate) fn edge(
        &mut self,
        node: NodeIndex,
        component: RawComponentIndex,
        groups: &Groups,
    ) -> (NodeIndex, EffectsIndex) {
        match self.fast_edge(node, component) {
            Some(known) => known,
            None => self.find_edge(node, component, groups),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_edge(
        &mut self,
        node: NodeIndex,
        component: RawComponentIndex,
        groups: &Groups,
    ) -> (NodeIndex, EffectsIndex) {
        if let Some(known) = self.edges.get(node, component) {
            return (known.target, known.effects);
        }
        let mut components = self.components(node).clone();
        if !components.remove(component) {
            components.insert(component);
        }
        let target = self.node(components, groups);
        let (effects, stays) = self.edge_effects([node, target], component, groups);
        let effects = self
            .effects
            .record(Some(component), &effects, &stays, groups);
        self.edges
            .insert(node, component, GraphEdge { target, effects });
        (target, effects)
    }

    /// The effects of adding or removing a component, and the groups in which the entity remains
    /// through another component of their any-of sets.
    pub(super) fn edge_effects(
        &self,
        [node, target]: [NodeIndex; 2],
        component: RawComponentIndex,
        groups: &Groups,
    ) -> (Vec<Effect>, Vec<GroupIndex>) {
        let mut effects = crossings(self.groups(node), self.groups(target), Some(component));
        let event = match self.components(target).contains(component) {
            true => GroupEvent::Entered,
            false => GroupEvent::Left,
        };
        effects.extend(of_each(groups, event, [Some(component)]));
        let stays = self.staying(node, target);
        let stays = stays.filter(|&group| groups.get(group).condition.watches(component));
        (effects, stays.collect())
    }

    /// The effects of updating a component that the node has.
    #[inline]
    pub(crate) fn update(
        &mut self,
        node: NodeIndex,
        component: RawComponentIndex,
        groups: &Groups,
    ) -> EffectsIndex {
        match self.known_update(node, component) {
            Some(known) => known,
            None => self.find_update(node, component, groups),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_update(
        &mut self,
        node: NodeIndex,
        component: RawComponentIndex,
        groups: &Groups,
    ) -> EffectsIndex {
        if let Some(known) = self.updates.get(node, component) {
            return known.effects;
        }
        let effects = self.update_effects(node, component, groups);
        let effects = self.effects.record(Some(component), &effects, &[], groups);
        let target = node;
        self.updates
            .insert(node, component, GraphEdge { target, effects });
        effects
    }

    /// The updates that have subscribers.
    pub(super) fn update_effects(
        &self,
        node: NodeIndex,
        component: RawComponentIndex,
        groups: &Groups,
    ) -> Vec<Effect> {
        let updated = |group| self.updates_of(group, &[component], groups);
        let of_each = of_each(groups, GroupEvent::Updated, [Some(component)]);
        let updated = self.groups(node).iter().flat_map(updated);
        updated.chain(of_each).collect()
    }

    /// The target and effects of inserting a bundle, given as the node of its own components:
    /// groups left and entered, and, for each component already present, updates of the groups that
    /// name it and in which the entity remains.
    pub(crate) fn merge(
        &mut self,
        node: NodeIndex,
        bundle: NodeIndex,
        groups: &Groups,
    ) -> (NodeIndex, EffectsIndex) {
        let edge = match self.merges.get([node, bundle]) {
            Some(known) => known,
            None => self.learn_merge(node, bundle, groups),
        };
        (edge.target, edge.effects)
    }

    #[cold]
    #[inline(never)]
    fn learn_merge(&mut self, node: NodeIndex, bundle: NodeIndex, groups: &Groups) -> GraphEdge {
        let mut components = self.components(node).clone();
        components.extend(self.components(bundle).iter());
        let target = self.node(components, groups);
        let (effects, stays) = self.merge_effects([node, bundle], target, groups);
        let effects = self.effects.record(None, &effects, &stays, groups);
        let edge = GraphEdge { target, effects };
        self.merges.record([node, bundle], edge);
        edge
    }

    /// The effects of inserting a bundle, and the groups in which the entity remains and that name
    /// an added component.
    pub(super) fn merge_effects(
        &self,
        [node, bundle]: [NodeIndex; 2],
        target: NodeIndex,
        groups: &Groups,
    ) -> (Vec<Effect>, Vec<GroupIndex>) {
        let (present, absent): (Vec<_>, Vec<_>) = self
            .components(bundle)
            .iter()
            .partition(|&component| self.components(node).contains(component));
        let only = (absent.len() == 1).then(|| absent[0]);
        let mut effects = crossings(self.groups(node), self.groups(target), only);
        let updated = |group| self.updates_of(group, &present, groups);
        effects.extend(self.staying(node, target).flat_map(updated));
        let (added, replaced) = (absent.iter().copied(), present.iter().copied());
        effects.extend(of_each(groups, GroupEvent::Entered, added.map(Some)));
        effects.extend(of_each(groups, GroupEvent::Updated, replaced.map(Some)));
        let watches = |group: &GroupIndex| names_any(*group, &absent, groups);
        let stays = self.staying(node, target).filter(watches);
        (effects, stays.collect())
    }

    /// The groups that match both nodes.
    fn staying(&self, from: NodeIndex, to: NodeIndex) -> impl Iterator<Item = GroupIndex> + '_ {
        let stays = move |group: &GroupIndex| self.groups(to).contains(*group);
        self.groups(from).iter().filter(stays)
    }

    /// The updates of a group by these components that have subscribers.
    fn updates_of(
        &self,
        group: GroupIndex,
        components: &[RawComponentIndex],
        groups: &Groups,
    ) -> Vec<Effect> {
        let is_watched = groups.get(group).watch(GroupEvent::Updated).is_watched();
        let of = groups.get(group);
        let named = components.iter().copied();
        let named = named.filter(|&component| is_watched && of.condition.watches(component));
        named
            .map(|component| Effect::new(group, GroupEvent::Updated, Some(component)))
            .collect()
    }

    /// The effects of creating an entity in a node.
    #[inline]
    pub(crate) fn create(&mut self, node: NodeIndex, groups: &Groups) -> EffectsIndex {
        match self.nodes.get(node).created.get(self.epoch) {
            Some(known) => known,
            None => self.learn_create(node, groups),
        }
    }

    #[cold]
    #[inline(never)]
    fn learn_create(&mut self, node: NodeIndex, groups: &Groups) -> EffectsIndex {
        let effects = self.create_effects(node, groups);
        let effects = self.effects.record(None, &effects, &[], groups);
        let epoch = self.epoch;
        self.nodes.get_mut(node).created = Learned::new(epoch, effects);
        effects
    }

    pub(super) fn create_effects(&self, node: NodeIndex, groups: &Groups) -> Vec<Effect> {
        let mut effects = crossings(&GroupSet::default(), self.groups(node), None);
        let components = self.components(node).iter().map(Some).chain([None]);
        effects.extend(of_each(groups, GroupEvent::Entered, components));
        effects
    }

    /// The node reached by these steps and the effects of creating an entity there. `first` are the
    /// components of the preceding steps, if there were any.
    pub(crate) fn arrival(
        &mut self,
        first: Option<RawComponentSet>,
        steps: Steps,
        groups: &Groups,
    ) -> (NodeIndex, EffectsIndex) {
        let mut components = first.unwrap_or_default();
        components.extend(steps.iter());
        let node = self.node(components, groups);
        let created = self.create(node, groups);
        if steps.are_all() {
            self.recent.record(steps, node, created);
        }
        (node, created)
    }

    /// The effects of destroying an entity in a node. Components are removed in ascending order,
    /// and the entity leaves a group with the first component without which it does not match. It
    /// enters no group in between.
    #[inline]
    pub(crate) fn destroy(&mut self, node: NodeIndex, groups: &Groups) -> EffectsIndex {
        match self.known_destroy(node) {
            Some(known) => known,
            None => self.learn_destroy(node, groups),
        }
    }

    #[cold]
    #[inline(never)]
    fn learn_destroy(&mut self, node: NodeIndex, groups: &Groups) -> EffectsIndex {
        let effects = self.destroy_effects(node, groups);
        let effects = self.effects.record(None, &effects, &[], groups);
        let epoch = self.epoch;
        self.nodes.get_mut(node).destroyed = Learned::new(epoch, effects);
        effects
    }

    /// The groups that a destroyed entity leaves, in order.
    pub(super) fn destroy_effects(&self, node: NodeIndex, groups: &Groups) -> Vec<Effect> {
        let mut components = self.components(node).clone();
        let mut member_of: Vec<_> = self.groups(node).iter().collect();
        let mut effects = Vec::new();
        for component in self.components(node).iter() {
            components.remove(component);
            member_of.retain(|&group| {
                let stays = groups.get(group).condition.matches(&components);
                if !stays {
                    effects.push(left(group, Some(component)));
                }
                stays
            });
            effects.extend(of_each(groups, GroupEvent::Left, [Some(component)]));
        }
        effects.extend(member_of.into_iter().map(|group| left(group, None)));
        effects.extend(of_each(groups, GroupEvent::Left, [None]));
        effects
    }
}

/// Whether the matcher of a group names one of these components.
fn names_any(group: GroupIndex, components: &[RawComponentIndex], groups: &Groups) -> bool {
    let condition = &groups.get(group).condition;
    components
        .iter()
        .any(|&component| condition.watches(component))
}

/// The groups left and entered between two sets of groups, in order of groups.
fn crossings(from: &GroupSet, to: &GroupSet, component: Option<RawComponentIndex>) -> Vec<Effect> {
    let crossed = |group| match from.contains(group) {
        true => left(group, component),
        false => Effect::new(group, GroupEvent::Entered, component),
    };
    from.differences(to).map(crossed).collect()
}

/// The effects on the group of each component; `None` is the entity itself.
fn of_each(
    groups: &Groups,
    event: GroupEvent,
    components: impl IntoIterator<Item = Option<RawComponentIndex>>,
) -> impl Iterator<Item = Effect> {
    let group = groups.of_each_component();
    let components = components.into_iter();
    let is_flag = |component: &Option<_>| component.is_some_and(|it| groups.flags().contains(it));
    let components = components.filter(move |component| !is_flag(component));
    components.filter_map(move |component| Some(Effect::new(group?, event, component)))
}

fn left(group: GroupIndex, component: Option<RawComponentIndex>) -> Effect {
    Effect::new(group, GroupEvent::Left, component)
}

#[cfg(test)]
mod tests {
    use super::super::steps::tests::{index, steps};
    use super::*;
    use crate::matching::matcher::Condition;
    use crate::storage::slots::EMPTY_NODE;

    #[test]
    fn crossings_are_in_order_of_the_groups() {
        let groups = |list: &[u32]| list.iter().copied().map(GroupIndex).collect::<GroupSet>();
        let crossed = crossings(&groups(&[0, 2, 5]), &groups(&[1, 2, 7]), None);
        let crossed: Vec<_> = crossed
            .iter()
            .map(|effect| (effect.group().0, effect.event()))
            .collect();
        use GroupEvent::{Entered, Left};
        assert_eq!(crossed, [(0, Left), (1, Entered), (5, Left), (7, Entered)]);
    }

    #[test]
    fn an_edge_taken_twice_returns_to_the_same_node() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        for component in [0, 1, 63, 64, 300] {
            let (there, effects) = graph.edge(EMPTY_NODE, index(component), &groups);
            assert_eq!(effects, EffectsIndex::NONE);
            assert!(graph.components(there).iter().eq([index(component)]));
            let (back, _) = graph.edge(there, index(component), &groups);
            assert_eq!(back, EMPTY_NODE);
        }
        assert_eq!(graph.len(), 6);
    }

    #[test]
    fn different_paths_reach_the_same_node() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        let mut walk = |a, b| {
            let (node, _) = graph.edge(EMPTY_NODE, index(a), &groups);
            graph.edge(node, index(b), &groups).0
        };
        assert_eq!(walk(0, 5), walk(5, 0));
    }

    #[test]
    fn more_steps_than_cache_entries_reach_their_nodes() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        for _ in 0..if cfg!(miri) { 2 } else { 3 } {
            for (a, b) in (0..200).map(|n| (n % 15, n / 15 + 20)) {
                let way = steps(&[b, a]);
                let known = graph.known_arrival(way);
                let (node, effects) = known.unwrap_or_else(|| graph.arrival(None, way, &groups));
                assert!(graph.components(node).iter().eq([a, b].map(index)));
                assert_eq!(effects, EffectsIndex::NONE);
            }
        }
    }

    #[test]
    fn an_arrival_adds_only_its_own_node() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        let after = |component| Steps::AFTER_OTHERS.with(index(component)).unwrap();
        let first = [3, 1, 64, 0, 4, 70].map(index).into_iter().collect();
        let (all, _) = graph.arrival(Some(first), after(2), &groups);
        assert!(
            graph
                .components(all)
                .iter()
                .eq([0, 1, 2, 3, 4, 64, 70].map(index))
        );
        let first = [index(65)].into_iter().collect();
        let (one, _) = graph.arrival(Some(first), Steps::AFTER_OTHERS, &groups);
        assert!(graph.components(one).iter().eq([index(65)]));
        let (two, _) = graph.arrival(None, steps(&[2, 0]), &groups);
        assert_eq!((all.0, one.0, two.0, graph.len()), (1, 2, 3, 4));
    }

    /// F28: a recycled epoch number.
    #[test]
    fn effects_of_the_first_epoch_are_forgotten_when_epochs_wrap() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        let condition = Condition::default();
        graph.epoch = 1;
        graph.create(EMPTY_NODE, &groups);
        graph.destroy(EMPTY_NODE, &groups);
        graph.epoch = u32::MAX;
        graph.forget(&condition, GroupEvent::Entered);
        assert_eq!(graph.epoch, 1);
        let node = graph.nodes.get(EMPTY_NODE);
        assert_eq!(node.created.get(1), None);
        assert_eq!(node.destroyed.get(1), None);
    }

    #[test]
    fn unused_nodes_are_freed_and_their_edges_forgotten() {
        let groups = Groups::new();
        let mut graph = Graph::new(&groups);
        let (one, _) = graph.edge(EMPTY_NODE, index(1), &groups);
        let (both, _) = graph.edge(one, index(2), &groups);
        graph.arrival(None, steps(&[1]), &groups);
        graph.retain(&[true, false, true], false);
        assert_eq!((graph.len(), graph.known_arrival(steps(&[1]))), (2, None));
        assert_eq!(graph.fast_edge(EMPTY_NODE, index(1)), None);
        assert!(graph.components(both).iter().eq([1, 2].map(index)));
        let (other, _) = graph.edge(both, index(1), &groups);
        assert!(graph.components(other).iter().eq([index(2)]));
        assert_eq!(other, one);
    }
}
