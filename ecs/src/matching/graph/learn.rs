//! Working out what an edge leads to and does, when it is walked for the first time since
//! groups, collectors or observers have come or gone.

use alloc::vec::Vec;

use super::{Graph, Steps};
use crate::matching::effects::{Effect, EffectsIndex};
use crate::matching::group::{GroupIndex, Groups};
use crate::matching::matcher::GroupEvent;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};
use crate::words::component::ComponentIndex;

impl Graph {
    #[cold]
    #[inline(never)]
    pub(super) fn learn_toggle<C: 'static>(
        &mut self,
        node: NodeIndex,
        component: ComponentIndex,
        groups: &mut Groups<C>,
    ) -> (NodeIndex, EffectsIndex) {
        let mut components = self.components(node).clone();
        if !components.remove(component) {
            components.insert(component);
        }
        let target = self.node(components, groups);
        let effects = crossings(self.groups(node), self.groups(target), Some(component));
        let toggle = self.effects.note(&effects, groups);
        let link = self.link_mut(node, component);
        (link.target, link.toggle) = (target, toggle);
        (target, toggle)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn learn_update<C: 'static>(
        &mut self,
        node: NodeIndex,
        component: ComponentIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        let concerned = |group: &GroupIndex| {
            let group = groups.get(*group);
            group.matcher.watches(component) && group.watch(GroupEvent::Updated).is_watched()
        };
        let event = GroupEvent::Updated;
        let effects: Vec<_> = (self.groups(node).iter().copied())
            .filter(concerned)
            .map(|group| Effect {
                group,
                event,
                component: Some(component),
            })
            .collect();
        let update = self.effects.note(&effects, groups);
        self.link_mut(node, component).update = update;
        update
    }

    #[cold]
    #[inline(never)]
    pub(super) fn learn_create<C: 'static>(
        &mut self,
        node: NodeIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        let effects = crossings(&[], self.groups(node), None);
        let created = self.effects.note(&effects, groups);
        self.nodes[node.0 as usize].created = created;
        created
    }

    #[cold]
    #[inline(never)]
    pub(super) fn learn_arrival<C: 'static>(
        &mut self,
        start: NodeIndex,
        steps: Steps,
        groups: &mut Groups<C>,
    ) -> (NodeIndex, EffectsIndex) {
        let node = self.walk(start, steps, groups);
        let created = self.create(node, groups);
        if start == EMPTY_NODE {
            self.recent.note(steps, node, created);
        }
        (node, created)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn learn_destroy<C: 'static>(
        &mut self,
        node: NodeIndex,
        groups: &Groups<C>,
    ) -> EffectsIndex {
        let mut components = self.components(node).clone();
        let mut member_of = self.groups(node).to_vec();
        let mut effects = Vec::new();
        for component in self.components(node).iter() {
            components.remove(component);
            let stays = |group: &GroupIndex| groups.get(*group).matcher.matches(&components);
            let kept: Vec<_> = member_of.iter().copied().filter(stays).collect();
            effects.extend(crossings(&member_of, &kept, Some(component)));
            member_of = kept;
        }
        effects.extend(crossings(&member_of, &[], None));
        let destroyed = self.effects.note(&effects, groups);
        self.nodes[node.0 as usize].destroyed = destroyed;
        destroyed
    }
}

/// The groups left and entered between two ascending lists of groups, in order of
/// the groups.
fn crossings(
    from: &[GroupIndex],
    to: &[GroupIndex],
    component: Option<ComponentIndex>,
) -> Vec<Effect> {
    let left = from.iter().filter(|group| to.binary_search(group).is_err());
    let entered = to.iter().filter(|group| from.binary_search(group).is_err());
    let effect = |event| {
        move |&group: &GroupIndex| Effect {
            group,
            event,
            component,
        }
    };
    let mut effects: Vec<_> = left.map(effect(GroupEvent::Left)).collect();
    effects.extend(entered.map(effect(GroupEvent::Entered)));
    effects.sort_by_key(|effect| effect.group);
    effects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_told_in_order_of_the_groups() {
        let groups = |list: &[u32]| list.iter().copied().map(GroupIndex).collect::<Vec<_>>();
        let told = crossings(&groups(&[0, 2, 5]), &groups(&[1, 2, 7]), None);
        let told: Vec<_> = told
            .iter()
            .map(|effect| (effect.group.0, effect.event))
            .collect();
        use GroupEvent::{Entered, Left};
        assert_eq!(told, [(0, Left), (1, Entered), (5, Left), (7, Entered)]);
    }
}
