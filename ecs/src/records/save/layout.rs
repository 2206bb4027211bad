//! What is saved: the entities in order of index, and the saved components of each.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::names::{Named, Names};
use crate::formats::packed::Packer;
use crate::reactions::entity_index::Links;
use crate::state::{Core, HasCore};
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::{Row, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::saving::absent::PartScope;
use crate::words::signature::RawComponentSet;

/// The selected parts of a context.
#[derive(Clone)]
pub(crate) struct Selection {
    /// The entities of a part, ascending and without duplicates.
    pub(crate) part: Option<Vec<UntypedId>>,
    pub(crate) without: RawComponentSet,
}

/// A context or a part of it, with the saved components of each node.
pub(super) struct SaveLayout<'a, C: 'static> {
    pub(super) core: &'a Core<C>,
    pub(super) names: Names<C>,
    /// The entities of a part, ascending.
    pub(super) part: Option<&'a [UntypedId]>,
    without: &'a RawComponentSet,
    /// By node; `None` if no saved entity is in it.
    nodes: Vec<Option<Vec<RawComponentIndex>>>,
}

impl<'a, C: HasCore> SaveLayout<'a, C> {
    /// Creates the layout; an error says what cannot be saved.
    pub(super) fn new(context: &'a C, selection: &'a Selection) -> Result<Self, String> {
        let mut layout = Self {
            core: context.core(),
            names: Names::new(),
            part: selection.part.as_deref(),
            without: &selection.without,
            nodes: Vec::new(),
        };
        layout.check_alive()?;
        let impossible = match layout.entities() {
            SavedEntities::All(all) => layout.record_all(all),
            SavedEntities::Part(part) => layout.record_all(part),
        };
        match impossible.is_empty() {
            true => Ok(layout),
            false => Err(layout.rejection(&impossible)),
        }
    }

    fn check_alive(&self) -> Result<(), String> {
        let mut part = self.part.unwrap_or_default().iter();
        match part.find(|&&id| self.core.world.slots().get(id).is_none()) {
            None => Ok(()),
            Some(dead) => Err(format!(
                "cannot save a part of context `{}`: entity {dead}, one of those chosen by `only`, is not \
                 alive",
                C::NAME
            )),
        }
    }

    /// The saved entities, in order of index.
    pub(super) fn entities(
        &self,
    ) -> SavedEntities<
        impl Iterator<Item = (UntypedId, Slot)> + use<'a, C>,
        impl Iterator<Item = (UntypedId, Slot)> + use<'a, C>,
    > {
        let slots = self.core.world.slots();
        match self.part {
            None => SavedEntities::All(slots.iter()),
            Some(part) => {
                let alive = part.iter().filter_map(|&id| Some((id, slots.get(id)?)));
                SavedEntities::Part(alive)
            }
        }
    }

    /// Whether an entity is saved.
    pub(super) fn saves_entity(&self, id: UntypedId) -> bool {
        match self.part {
            None => self.core.world.slots().get(id).is_some(),
            Some(part) => part.binary_search(&id).is_ok(),
        }
    }

    /// The number of saved entities.
    pub(super) fn len(&self) -> usize {
        self.part.map_or(self.core.world.slots().len(), <[_]>::len)
    }

    /// Finds the ids of entities outside of a part.
    pub(super) fn find_absent(&self) -> Option<PartScope> {
        let scope = PartScope::begin::<C>(self.part?.to_vec());
        let mut nowhere = Packer::default();
        for named in self.all_components() {
            for (id, slot) in self.entities() {
                if !self.components(slot).contains(&named.index) {
                    continue;
                }
                let value = self.core.world.value_in(slot.row, named.index);
                record_ids(&scope, (id, named), value, &mut nowhere);
            }
        }
        scope.writing(None);
        Some(scope)
    }

    fn components_at(&self, slot: Slot) -> Option<&Vec<RawComponentIndex>> {
        self.nodes.get(slot.node.0 as usize)?.as_ref()
    }

    /// The saved components of an entity, in order of index.
    pub(super) fn components(&self, slot: Slot) -> &[RawComponentIndex] {
        self.components_at(slot).map_or(&[], Vec::as_slice)
    }

    /// The rows of the saved entities, in order of index.
    pub(super) fn rows(&self) -> Vec<Row> {
        match self.entities() {
            SavedEntities::All(all) => all.map(|(_, slot)| slot.row).collect(),
            SavedEntities::Part(part) => part.map(|(_, slot)| slot.row).collect(),
        }
    }

    /// Records the saved components of all nodes with entities; returns those that cannot be saved.
    fn record_all(
        &mut self,
        entities: impl Iterator<Item = (UntypedId, Slot)>,
    ) -> BTreeMap<RawComponentIndex, EntityId<C>> {
        let mut impossible = BTreeMap::new();
        for (id, slot) in entities {
            if self.components_at(slot).is_none() {
                self.record(id.typed(), slot, &mut impossible);
            }
        }
        impossible
    }

    /// Records the saved components of a node, of which `id` is the first entity, and those that
    /// cannot be saved.
    fn record(
        &mut self,
        id: EntityId<C>,
        slot: Slot,
        impossible: &mut BTreeMap<RawComponentIndex, EntityId<C>>,
    ) {
        let mut components = Vec::new();
        let all = self.core.world.components(slot.node).iter();
        for component in all.filter(|&component| !self.without.contains(component)) {
            let saving = self.names.at(component).saving();
            if self.saves(component) {
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

    fn rejection(&self, impossible: &BTreeMap<RawComponentIndex, EntityId<C>>) -> String {
        let each = impossible.iter();
        let each = each.map(|(&component, id)| {
            let name = self.names.at(component).name();
            format!("component `{name}` (of entity {id})")
        });
        rejection(&format!("context `{}`", C::NAME), each.collect())
    }

    /// Whether values of a component are saved.
    pub(super) fn saves(&self, component: RawComponentIndex) -> bool {
        !self.without.contains(component) && self.names.at(component).saving().is_saved()
    }

    /// The components of all saved entities.
    pub(super) fn all_components(&self) -> Vec<&Named> {
        let mut all: Vec<_> = self.nodes.iter().flatten().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|&index| self.names.at(index)).collect()
    }

    /// Whether entities have a component, by node.
    pub(super) fn nodes_with(&self, component: RawComponentIndex) -> Vec<bool> {
        let has = |components: &Option<Vec<_>>| {
            components
                .as_ref()
                .is_some_and(|all| all.contains(&component))
        };
        self.nodes.iter().map(has).collect()
    }

    /// Whether all saved entities have a component.
    pub(super) fn all_have(&self, component: RawComponentIndex) -> bool {
        let mut nodes = self.nodes.iter().flatten();
        nodes.all(|components| components.contains(&component))
    }

    /// For each saved relation, the targets whose sources are not in ascending order.
    pub(super) fn source_orders(&self) -> Vec<(String, Vec<SourcesOf<'a>>)> {
        let relations = self.core.subs.indexes().relations();
        let saved = relations.filter(|links| {
            let is_saved = self.names.at(links.component).saving().is_saved();
            is_saved && !self.without.contains(links.component)
        });
        let orders = saved.map(|links| {
            let mut targets = match self.part {
                Some(part) => sources_within(links, part),
                None => links.targets_of_many().map(whole).collect(),
            };
            targets.retain(|(_, sources)| !sources.is_sorted());
            (self.names.name_of(links.component), targets)
        });
        let orders = orders.chain(self.unknown_orders());
        orders.filter(|(_, targets)| !targets.is_empty()).collect()
    }
}

/// All entities of a context, or those of a part. The variant is checked at most once per entity: a
/// chain of both iterators makes a whole save take 50 % longer.
pub(super) enum SavedEntities<A, P> {
    All(A),
    Part(P),
}

impl<A: Iterator, P: Iterator<Item = A::Item>> Iterator for SavedEntities<A, P> {
    type Item = A::Item;

    #[inline]
    fn next(&mut self) -> Option<A::Item> {
        match self {
            Self::All(all) => all.next(),
            Self::Part(part) => part.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::All(all) => all.size_hint(),
            Self::Part(part) => part.size_hint(),
        }
    }
}

/// A target and its sources.
pub(super) type SourcesOf<'a> = (UntypedId, Cow<'a, [UntypedId]>);

fn whole<'a>((target, sources): (UntypedId, &'a [UntypedId])) -> SourcesOf<'a> {
    (target, Cow::Borrowed(sources))
}

/// The targets of a part's entities, with their sources in the part.
fn sources_within<'a>(links: &'a Links, part: &[UntypedId]) -> Vec<SourcesOf<'a>> {
    let targets: BTreeSet<_> = part.iter().filter_map(|&id| links.target(id)).collect();
    let sources = targets.into_iter().map(|target| {
        let mut sources = links.sources(target).to_vec();
        sources.retain(|source| part.binary_search(source).is_ok());
        (target, Cow::Owned(sources))
    });
    sources.collect()
}

/// Records the ids inside a value of an entity, by writing it to a buffer that is discarded. A value
/// that cannot be written causes an error later.
pub(crate) fn record_ids(
    scope: &PartScope,
    (id, named): (UntypedId, &Named),
    value: Option<&AnyValue>,
    nowhere: &mut Packer,
) {
    scope.writing(Some((id, named.name())));
    if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
        _ = erased_serde::serialize(value, &mut *nowhere);
        nowhere.clear();
    }
}

/// The error for components that cannot be saved.
pub(crate) fn rejection(what: &str, components: Vec<String>) -> String {
    format!(
        "cannot save {what}: {} cannot be written: derive both `serde::Serialize` and \
         `serde::Deserialize` for each type, or leave it out of saves by `#[component(transient)]`",
        components.join(", ")
    )
}
