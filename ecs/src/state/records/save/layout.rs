//! What there is to be saved: the entities in order of their index, and what is written of each.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::names::{Named, Names};
use crate::state::{Core, HasCore};
use crate::storage::slots::Slot;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};

/// A context, with what is written of the entities of each node.
pub(super) struct SaveLayout<'a, C: 'static> {
    pub(super) core: &'a Core<C>,
    pub(super) names: Names<C>,
    /// By node; none if no entity is in it.
    nodes: Vec<Option<Vec<ComponentIndex>>>,
}

impl<'a, C: HasCore> SaveLayout<'a, C> {
    /// The layout of a context, or why something in it cannot be saved.
    pub(super) fn new(context: &'a C) -> Result<Self, String> {
        let mut layout = Self {
            core: context.core(),
            names: Names::new(),
            nodes: Vec::new(),
        };
        let mut impossible = BTreeMap::new();
        for (id, slot) in layout.entities() {
            if layout.components_at(slot).is_none() {
                layout.note(id.typed(), slot, &mut impossible);
            }
        }
        match impossible.is_empty() {
            true => Ok(layout),
            false => Err(layout.refusal(&impossible)),
        }
    }

    pub(super) fn entities(&self) -> impl Iterator<Item = (UntypedId, Slot)> + use<'a, C> {
        self.core.slots().iter()
    }

    fn components_at(&self, slot: Slot) -> Option<&Vec<ComponentIndex>> {
        self.nodes.get(slot.node.0 as usize)?.as_ref()
    }

    /// The components that are written of an entity, in order of their index.
    pub(super) fn components(&self, slot: Slot) -> &[ComponentIndex] {
        self.components_at(slot).map_or(&[], Vec::as_slice)
    }

    /// Notes what is written of the entities of a node, of which this is the first, and what cannot
    /// be.
    fn note(
        &mut self,
        id: EntityId<C>,
        slot: Slot,
        impossible: &mut BTreeMap<ComponentIndex, EntityId<C>>,
    ) {
        let mut components = Vec::new();
        for component in self.core.components(slot.node).iter() {
            let saving = self.names.at(component).saving();
            if saving.is_saved() {
                components.push(component);
            } else if !saving.is_transient {
                impossible.entry(component).or_insert(id);
            }
        }
        let at = slot.node.0 as usize;
        if at >= self.nodes.len() {
            self.nodes.resize(at + 1, None);
        }
        self.nodes[at] = Some(components);
    }

    fn refusal(&self, impossible: &BTreeMap<ComponentIndex, EntityId<C>>) -> String {
        let each = impossible.iter();
        let each = each.map(|(&component, id)| {
            let name = self.names.at(component).name();
            format!("component `{name}` (of entity {id})")
        });
        refusal(&format!("context `{}`", C::NAME), each.collect())
    }

    /// The components that are written of any entity.
    pub(super) fn all_components(&self) -> Vec<&Named> {
        let mut all: Vec<_> = self.nodes.iter().flatten().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|&index| self.names.at(index)).collect()
    }

    /// Whether the entities of each node have a component.
    pub(super) fn nodes_with(&self, component: ComponentIndex) -> Vec<bool> {
        let has = |components: &Option<Vec<_>>| {
            components
                .as_ref()
                .is_some_and(|all| all.contains(&component))
        };
        self.nodes.iter().map(has).collect()
    }

    /// Whether all entities have a component.
    pub(super) fn all_have(&self, component: ComponentIndex) -> bool {
        let mut nodes = self.nodes.iter().flatten();
        nodes.all(|components| components.contains(&component))
    }

    /// For each saved relation the targets whose sources are in another order than that of the
    /// entities.
    pub(super) fn source_orders(&self) -> Vec<(ComponentIndex, Vec<SourcesOf<'a>>)> {
        let relations = self.core.indexes().relations();
        let saved = relations.filter(|links| self.names.at(links.component).saving().is_saved());
        let orders = saved.map(|links| {
            let targets = links.targets_of_many();
            let is_odd = |(_, sources): &SourcesOf<'_>| !sources.is_sorted();
            (links.component, targets.filter(is_odd).collect::<Vec<_>>())
        });
        orders.filter(|(_, targets)| !targets.is_empty()).collect()
    }
}

/// A target and the entities that lead to it.
pub(super) type SourcesOf<'a> = (UntypedId, &'a [UntypedId]);

/// Why something cannot be saved.
pub(crate) fn refusal(what: &str, components: Vec<String>) -> String {
    format!(
        "cannot save {what}: {} cannot be written: derive both `serde::Serialize` and \
         `serde::Deserialize` for each type, or leave it out of saves by `#[component(transient)]`",
        components.join(", ")
    )
}
