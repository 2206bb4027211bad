//! Components excluded from a snapshot: a surviving entity keeps its present value, moved to its
//! new row; others have none.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::taken::{EntitiesThen, Knowledge};
use crate::reactions::entity_index::Refresh;
use crate::state::core::Registries;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;

/// What happens to entities that were in one node and are in another one now.
struct NodeChange {
    /// The excluded components that they keep.
    kept: Vec<RawComponentIndex>,
    /// Their new set of components, if it differs from that at the snapshot.
    components: Option<RawComponentSet>,
}

/// Entities whose components differ from those at the snapshot.
pub(super) type Changed = Vec<(UntypedId, RawComponentSet)>;

impl Registries {
    /// Moves the values of excluded components to their new rows. Returns the entities whose
    /// components differ from those at the snapshot.
    pub(super) fn keep_excluded(
        &mut self,
        entities: &mut EntitiesThen,
        knowledge: &Knowledge,
    ) -> Changed {
        let mut changed = Vec::new();
        if knowledge.excluded.is_empty() {
            return changed;
        }
        let mut node_changes = HashMap::new();
        for (id, then) in entities.slots.iter() {
            let now = self.slot_now(id, knowledge);
            let nodes = (then.node, now.map(|slot| slot.node));
            let node_change = node_changes
                .entry(nodes)
                .or_insert_with(|| self.node_change(nodes, knowledge));
            for &component in &node_change.kept {
                if let Some(now) = now {
                    let rows = (now.row, then.row);
                    self.columns
                        .hand_over(component, rows, &mut entities.columns);
                }
            }
            if let Some(components) = &node_change.components {
                changed.push((id, components.clone()));
            }
        }
        changed
    }

    /// The present slot of an entity that has survived.
    fn slot_now(&self, id: UntypedId, knowledge: &Knowledge) -> Option<Slot> {
        match self.knows(knowledge) {
            true => self.slots.get(id),
            false => None,
        }
    }

    fn node_change(
        &self,
        (then, now): (NodeIndex, Option<NodeIndex>),
        knowledge: &Knowledge,
    ) -> NodeChange {
        let is_excluded = |component: &RawComponentIndex| knowledge.excluded.contains(*component);
        let now = now
            .into_iter()
            .flat_map(|node| self.graph.component_list(node));
        let kept: Vec<_> = now.copied().filter(is_excluded).collect();
        let before = knowledge.signatures.components(then);
        let others = before.iter().filter(|component| !is_excluded(component));
        let components: RawComponentSet = others.chain(kept.iter().copied()).collect();
        NodeChange {
            kept,
            components: (components != *before).then_some(components),
        }
    }

    /// Removes excluded relations whose target does not exist: its id may be given to another
    /// entity. Returns the values, to be dropped. Runs no user code.
    pub(super) fn remove_dangling_links(
        &mut self,
        excluded: &RawComponentSet,
    ) -> Vec<Box<AnyValue>> {
        let lost = self.dangling_links(excluded).into_iter();
        lost.filter_map(|(id, component)| self.remove_excluded(id, component, false))
            .collect()
    }

    /// The entities with an excluded relation whose target does not exist, with the component.
    fn dangling_links(&self, excluded: &RawComponentSet) -> Vec<(UntypedId, RawComponentIndex)> {
        let mut found = Vec::new();
        let active = self.indexes.active().map(|(number, _)| number);
        for (number, links) in active.filter_map(|it| Some((it, self.indexes.links(it)?))) {
            let refresh = self.refreshes.get(number);
            if let (true, Some(Refresh::Links(target_of))) =
                (excluded.contains(links.component), refresh)
            {
                let points_to_none = |id: &UntypedId| {
                    let target = target_of(&self.columns, &self.slots, *id);
                    target.is_some_and(|target| !self.may_point_to(links, target))
                };
                let ids = self.slots.iter().map(|(id, _)| id).filter(points_to_none);
                found.extend(ids.map(|id| (id, links.component)));
            }
        }
        found
    }

    /// Moves entities to the nodes of their components.
    pub(super) fn change_nodes(&mut self, changed: &Changed) {
        for (id, components) in changed {
            let node = self.graph.node(components.clone(), &self.groups);
            self.slots.set_node(*id, node);
        }
    }
}
