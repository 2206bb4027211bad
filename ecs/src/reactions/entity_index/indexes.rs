//! All entity indexes of a context by number, independent of the types of their keys and context.
//! Functions that know the context type are in [`Refreshes`](super::Refreshes).

mod flags;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod moves;

use alloc::vec::Vec;

use super::ages::Ages;
use super::flags::Flag;
use super::index::{AnyIndex, KeyIndex};
use super::links::Links;
use super::structure::Structure;
use super::typed::TypedIndex;
use crate::matching::group::{GroupIndex, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::storage::heap::Heap;
use crate::storage::slab::Slab;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::RawComponentSet;

pub(crate) struct IndexState {
    pub(crate) group: GroupIndex,
    pub(crate) active: bool,
    pub(crate) index: TypedIndex,
}

impl IndexState {
    pub(crate) fn new(group: GroupIndex, index: impl AnyIndex) -> Self {
        Self {
            group,
            active: true,
            index: TypedIndex::new(index),
        }
    }

    fn links(&self) -> Option<&Links> {
        self.index.get()
    }

    fn links_mut(&mut self) -> Option<&mut Links> {
        self.index.get_mut()
    }

    /// Whether it is active and depends on values.
    fn follows_values(&self) -> bool {
        self.active && self.index.follows_values()
    }

    /// Whether it stores the links of a relation, which are updated immediately.
    pub(crate) fn is_relation(&self) -> bool {
        self.links().is_some()
    }
}

fn number(at: usize) -> IndexNumber {
    IndexNumber(u32::try_from(at).expect("fewer than 2^32 indexes"))
}

/// The position of the links of a relation in their journal.
pub(crate) type LinksCheckpoint = (IndexNumber, u64);

pub(crate) struct Indexes {
    states: Slab<IndexState>,
    /// Indexes are updated in this order: a key function may use older ones.
    ages: Ages,
    /// The number of each component's first index.
    of_components: Vec<Option<IndexNumber>>,
    /// How many components have had their indexes created.
    pub(crate) components: usize,
    /// The components that the active history excludes, if there is one.
    excluded: Option<RawComponentSet>,
    /// The indexes that store links of relations.
    relations: Vec<IndexNumber>,
    /// The flags of terms that are kept up to date, oldest first.
    pub(crate) flags: Vec<Flag>,
    /// How many recorders need the moves of sources.
    recorders: usize,
    /// Whether one of them restores a step.
    restoring: bool,
    /// The entities that a rewind changes: memory to reuse.
    pub(crate) changed: Vec<UntypedId>,
}

impl Indexes {
    pub(crate) fn new() -> Self {
        Self {
            states: Slab::new(),
            ages: Ages::default(),
            of_components: Vec::new(),
            components: 0,
            excluded: None,
            relations: Vec::new(),
            flags: Vec::new(),
            recorders: 0,
            restoring: false,
            changed: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states.len() == 0
    }

    /// All numbers, including those of removed indexes.
    pub(crate) fn numbers(&self) -> impl DoubleEndedIterator<Item = IndexNumber> + use<> {
        (0..self.states.end()).map(number)
    }

    /// Adds an index of a field after all others, so that those of a component are consecutive.
    pub(crate) fn add_field(&mut self, mut state: IndexState) -> IndexNumber {
        let is_relation = state.is_relation();
        if let Some(links) = state.links_mut() {
            links.record_unless(self.excluded.as_ref());
            if links.are_ordered() && self.recorders > 0 {
                links.start_moves();
            }
        }
        let number = number(self.states.push(state));
        self.ages.add(number);
        if is_relation {
            self.relations.push(number);
        }
        number
    }

    /// Adds an index with a handle.
    pub(crate) fn add(&mut self, state: IndexState) -> IndexNumber {
        let number = number(self.states.insert(state));
        self.ages.add(number);
        number
    }

    /// The oldest index.
    pub(crate) fn oldest(&self) -> Option<IndexNumber> {
        self.ages.at_or_after(0)
    }

    /// The oldest index that is younger than this one.
    pub(crate) fn next_younger(&self, number: IndexNumber) -> Option<IndexNumber> {
        self.ages.at_or_after(self.ages.place(number) + 1)
    }

    /// Sorts indexes by age, oldest first.
    pub(crate) fn sort_by_age<T>(&self, indexes: &mut [T], number: impl Fn(&T) -> IndexNumber) {
        indexes.sort_by_key(|of| self.ages.place(number(of)));
    }

    /// Starts recording links, except those of excluded components; `None` stops it.
    pub(crate) fn set_recorded(&mut self, excluded: Option<&RawComponentSet>) {
        self.excluded = excluded.cloned();
        self.change_relations(|links| links.record_unless(excluded));
    }

    /// Whether an index is active and not undone by the history; then it depends on present values only.
    pub(crate) fn is_unrecorded(&self, number: IndexNumber) -> bool {
        let state = self.state(number).filter(|state| state.active);
        state.is_some_and(|state| !state.links().is_some_and(Links::is_recording))
    }

    pub(crate) fn any_unrecorded(&self) -> bool {
        self.numbers().any(|number| self.is_unrecorded(number))
    }

    /// The active indexes, by number.
    pub(crate) fn active(&self) -> impl Iterator<Item = (IndexNumber, &IndexState)> + '_ {
        let active = self.states.iter().filter(|(_, state)| state.active);
        active.map(|(at, state)| (number(at), state))
    }

    /// The positions of the links that are recorded.
    pub(crate) fn checkpoints(&self) -> Vec<LinksCheckpoint> {
        let links = self
            .relations
            .iter()
            .filter_map(|&number| Some((number, self.links(number)?)));
        let recorded = links.filter(|(_, links)| links.is_recording());
        recorded
            .map(|(number, links)| (number, links.position()))
            .collect()
    }

    /// Seeks these positions in all links that are recorded; those that were created later have none. Returns
    /// those that could not, in order.
    pub(crate) fn seek(&mut self, checkpoints: &[LinksCheckpoint]) -> Vec<IndexNumber> {
        let mut lost = Vec::new();
        for at in 0..self.relations.len() {
            let number = self.relations[at];
            let Some(links) = self.links_mut(number).filter(|links| links.is_recording()) else {
                continue;
            };
            let known = checkpoints.binary_search_by_key(&number.0, |checkpoint| checkpoint.0.0);
            if !links.seek(known.ok().map(|at| checkpoints[at].1)) {
                lost.push(number);
            }
        }
        lost
    }

    /// Forgets the steps before these positions.
    pub(crate) fn forget_before(&mut self, checkpoints: &[LinksCheckpoint]) {
        for &(number, position) in checkpoints {
            if let Some(links) = self.links_mut(number) {
                links.forget_before(position);
            }
        }
    }

    pub(crate) fn dropped(&self) -> Vec<IndexNumber> {
        let states = self.states.iter();
        let dropped = states.filter(|(_, state)| state.index.is_dropped());
        dropped.map(|(at, _)| number(at)).collect()
    }

    /// Removes an index; returns it to be dropped.
    pub(crate) fn release(&mut self, number: IndexNumber) -> impl Sized {
        self.ages.end(number);
        self.states.remove(number.get())
    }

    /// All indexes by number, with their groups; for relations, also the component.
    pub(crate) fn all(
        &self,
    ) -> impl Iterator<Item = (usize, GroupIndex, Option<RawComponentIndex>)> + '_ {
        let states = self.states.iter();
        let present = states.filter(|(_, state)| !state.index.is_dropped());
        present.map(|(number, state)| {
            let component = state.links().map(|links| links.component);
            (number, state.group, component)
        })
    }

    /// The groups of active indexes that depend on values.
    pub(crate) fn observed_groups(&self) -> impl Iterator<Item = GroupIndex> + '_ {
        let active = self.states.values().filter(|state| state.follows_values());
        active.map(|state| state.group)
    }

    /// The active indexes that depend on values.
    pub(crate) fn following_values_mut(&mut self) -> impl Iterator<Item = &mut IndexState> + '_ {
        let active = self.states.values_mut();
        active.filter(|state| state.follows_values())
    }

    /// Records an index of a component; only the first one has an effect.
    pub(crate) fn assign(&mut self, component: RawComponentIndex, number: IndexNumber) {
        let at = component.get();
        if at >= self.of_components.len() {
            self.of_components.resize(at + 1, None);
        }
        self.of_components[at].get_or_insert(number);
    }

    /// The index of a component's `field`-th indexed field, if it was created.
    pub(crate) fn of_field(
        &self,
        component: RawComponentIndex,
        field: usize,
    ) -> Option<IndexNumber> {
        let first = (*self.of_components.get(component.get())?)?;
        Some(IndexNumber(first.0 + field as u32))
    }

    /// Marks entities dirty in these indexes, or removes them.
    #[inline(never)]
    pub(crate) fn prepare(&mut self, ids: &[UntypedId], updates: &[(IndexNumber, GroupEvent)]) {
        for &(number, event) in updates {
            let Some(state) = self.state_mut(number) else {
                continue;
            };
            match (event, ids) {
                (GroupEvent::Left, _) => ids.iter().for_each(|id| state.index.leave(*id)),
                (_, [id]) => state.index.mark_dirty(*id),
                _ => state.index.mark_batch_dirty(&mut ids.iter().copied()),
            }
        }
    }

    /// Removes entities left dirty by a panic from their buckets; lookups compute their keys.
    #[cold]
    pub(crate) fn set_dirty_apart(&mut self) {
        for state in self.states.values_mut() {
            state.index.set_dirty_apart();
        }
    }

    #[inline]
    pub(crate) fn state(&self, number: IndexNumber) -> Option<&IndexState> {
        self.states.get(number.get())
    }

    #[inline]
    pub(crate) fn state_mut(&mut self, number: IndexNumber) -> Option<&mut IndexState> {
        self.states.get_mut(number.get())
    }

    /// An index, if it has these types.
    pub(crate) fn get<S: ?Sized + 'static, T: Structure>(
        &self,
        number: IndexNumber,
    ) -> Option<&KeyIndex<S, T>> {
        self.state(number)?.index.get()
    }

    /// An index, if it has these types.
    pub(crate) fn get_mut<S: ?Sized + 'static, T: Structure>(
        &mut self,
        number: IndexNumber,
    ) -> Option<&mut KeyIndex<S, T>> {
        self.state_mut(number)?.index.get_mut()
    }

    #[inline]
    pub(crate) fn any_relation(&self) -> bool {
        !self.relations.is_empty()
    }

    pub(crate) fn relations(&self) -> impl DoubleEndedIterator<Item = &Links> + '_ {
        let all = self.relations.iter();
        all.filter_map(|&number| self.links(number))
    }

    /// The links of a relation, if it has been used.
    pub(crate) fn links_of(&self, component: RawComponentIndex) -> Option<&Links> {
        self.relations().find(|links| links.component == component)
    }

    /// The links of an ordered relation, if it has been used.
    pub(crate) fn ordered_links(&self, component: RawComponentIndex) -> Option<&Links> {
        let mut relations = self.relations();
        let links = relations.find(|links| links.component == component);
        links.filter(|links| links.are_ordered())
    }

    /// Whether a living entity is a target in any relation.
    #[inline]
    pub(crate) fn is_target(&self, id: UntypedId) -> bool {
        self.any_relation() && self.has_sources(id)
    }

    /// Whether one of these entities is a target in any relation.
    pub(crate) fn any_is_target(&self, ids: &[UntypedId]) -> bool {
        self.any_relation() && ids.iter().any(|&id| self.has_sources(id))
    }

    #[inline(never)] // contexts without relations pay one test
    fn has_sources(&self, id: UntypedId) -> bool {
        let mut relations = self.relations();
        relations.any(|links| links.has_sources(id))
    }

    /// Starts watching for changed links that affect which entities are destroyed with their
    /// target, or prevent its destruction.
    pub(crate) fn watch_destroys(&mut self) {
        self.change_relations(|links| {
            use OnTargetDestroyed::{Destroy, Reject};
            if matches!(links.on_target_destroyed, Destroy | Reject) {
                links.watch();
            }
        });
    }

    /// Stops watching; returns the sources with changed links, or `None` if many changed at once.
    pub(crate) fn watched_destroys(&mut self) -> Option<Vec<UntypedId>> {
        let mut changed = Some(Vec::new());
        self.change_relations(|links| match (&mut changed, links.watched()) {
            (Some(changed), Some(watched)) => changed.extend(watched),
            _ => changed = None,
        });
        changed
    }

    pub(crate) fn links(&self, number: IndexNumber) -> Option<&Links> {
        self.state(number)?.links()
    }

    /// Calls `change` with the links of each relation.
    pub(crate) fn change_relations(&mut self, mut change: impl FnMut(&mut Links)) {
        for at in 0..self.relations.len() {
            if let Some(links) = self.links_mut(self.relations[at]) {
                change(links);
            }
        }
    }

    pub(crate) fn links_mut(&mut self, number: IndexNumber) -> Option<&mut Links> {
        self.state_mut(number)?.links_mut()
    }

    /// Sets the target of an entity in a relation.
    pub(crate) fn relink(&mut self, number: IndexNumber, id: UntypedId, target: Option<UntypedId>) {
        match (self.links_mut(number), target) {
            (Some(links), Some(target)) => links.link(id, target),
            (Some(links), None) => links.unlink(id),
            (None, _) => (),
        }
    }
}

impl Heap for Indexes {
    fn bytes(&self) -> usize {
        let inside: usize = self.states.values().map(|it| it.index.bytes()).sum();
        let of_components = self.of_components.bytes()
            + self.relations.bytes()
            + self.changed.bytes()
            + self.flags.bytes();
        self.states.bytes() + self.ages.bytes() + of_components + self.excluded.bytes() + inside
    }

    fn trim(&mut self) {
        self.states.values_mut().for_each(|it| it.index.trim());
        self.states.trim();
        self.ages.trim();
        self.changed.trim();
    }
}
