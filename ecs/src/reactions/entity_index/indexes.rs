//! All entity indexes of a context, by number, whatever the types of their keys and of the context.
//! What must know the context stands beside them, in [`Refreshes`](super::Refreshes).

mod upkeep;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::ages::Ages;
use super::index::{AnyIndex, Index, JournalPosition};
use super::links::Links;
use crate::matching::group::{GroupIndex, Groups, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::RawComponentSet;
use crate::words::slab::Slab;

/// An index and what it follows.
pub(crate) struct IndexState {
    pub(crate) group: GroupIndex,
    pub(crate) active: bool,
    /// Whether a history takes back what it does. That of an index which depends on a component that
    /// is left out does not.
    recorded: bool,
    /// Where that of a component was when it was made: nobody had the component before.
    birth: Option<JournalPosition>,
    pub(crate) index: Box<dyn AnyIndex>,
}

impl IndexState {
    /// An index that follows a group.
    pub(crate) fn new(group: GroupIndex, index: impl AnyIndex) -> Self {
        let index = Box::new(index);
        Self {
            group,
            active: true,
            recorded: false,
            birth: None,
            index,
        }
    }

    /// Has it record what it does, if a history follows that leaves none of those components out which
    /// it depends on.
    fn record(&mut self, excluded: Option<&RawComponentSet>, groups: &Groups) {
        let condition = &groups.get(self.group).condition;
        self.recorded = excluded.is_some_and(|excluded| !condition.names_any(excluded));
        self.index.record(self.recorded);
    }

    /// Whether it goes back and forward with a history.
    fn is_travelling(&self) -> bool {
        self.active && self.recorded
    }

    /// Has it go to a moment; without one, it has been made since: it goes to where it held nothing.
    /// Returns whether it can.
    fn seek(&mut self, checkpoint: Option<&JournalPosition>) -> bool {
        let checkpoint = checkpoint.or(self.birth.as_ref());
        checkpoint.is_some_and(|checkpoint| self.index.seek(checkpoint))
    }

    /// Whether it is the links of a relation, which are changed by the way.
    pub(crate) fn is_relation(&self) -> bool {
        let index: &dyn Any = &*self.index;
        index.is::<Links>()
    }
}

/// The number of an index by its place.
fn number(at: usize) -> IndexNumber {
    IndexNumber(u32::try_from(at).expect("fewer than 2^32 indexes"))
}

/// Where an index is in what it records, and who is dirty in it.
pub(crate) type IndexCheckpoint = (IndexNumber, JournalPosition);

/// All indexes of a context.
pub(crate) struct Indexes {
    states: Slab<IndexState>,
    /// In their order indexes are brought up to date: a key function can look into older ones.
    ages: Ages,
    /// The number of each component's first index.
    of_components: Vec<Option<IndexNumber>>,
    /// How many components have had their indexes made.
    pub(crate) components: usize,
    /// The components that a history leaves out, if one follows: others note what they do for it.
    excluded: Option<RawComponentSet>,
    /// Those that are the links of relations.
    relations: Vec<IndexNumber>,
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
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states.len() == 0
    }

    /// The numbers that there are, those of indexes that have ended included.
    pub(crate) fn numbers(&self) -> impl DoubleEndedIterator<Item = IndexNumber> + use<> {
        (0..self.states.end()).map(number)
    }

    /// Adds an index of a field, behind all others: those of a component follow each other.
    pub(crate) fn add_field(&mut self, mut state: IndexState, groups: &Groups) -> IndexNumber {
        state.record(self.excluded.as_ref(), groups);
        state.birth = Some(state.index.checkpoint());
        let is_relation = state.is_relation();
        let number = number(self.states.push(state));
        self.ages.add(number);
        if is_relation {
            self.relations.push(number);
        }
        number
    }

    /// Adds an index that users have a handle of.
    pub(crate) fn add(&mut self, mut state: IndexState, groups: &Groups) -> IndexNumber {
        state.record(self.excluded.as_ref(), groups);
        let number = number(self.states.insert(state));
        self.ages.add(number);
        number
    }

    /// The oldest one.
    pub(crate) fn oldest(&self) -> Option<IndexNumber> {
        self.ages.at_or_after(0)
    }

    /// The oldest one that is younger than this.
    pub(crate) fn next_younger(&self, number: IndexNumber) -> Option<IndexNumber> {
        self.ages.at_or_after(self.ages.place(number) + 1)
    }

    /// Puts indexes in the order of their age, the oldest one first.
    pub(crate) fn sort_by_age<T>(&self, indexes: &mut [T], number: impl Fn(&T) -> IndexNumber) {
        indexes.sort_by_key(|of| self.ages.place(number(of)));
    }

    /// Has them record what they do from now on, but for those that depend on components which are
    /// left out; or none of them any longer.
    pub(crate) fn set_recorded(&mut self, excluded: Option<&RawComponentSet>, groups: &Groups) {
        self.excluded = excluded.cloned();
        for state in self.states.values_mut() {
            state.record(excluded, groups);
        }
    }

    /// The active ones of which a history that follows takes nothing back: they hold what the present
    /// values say.
    pub(crate) fn unrecorded(&self) -> impl Iterator<Item = (IndexNumber, &IndexState)> + '_ {
        self.active().filter(|(_, state)| !state.recorded)
    }

    /// Whether there are such ones.
    pub(crate) fn any_unrecorded(&self) -> bool {
        self.unrecorded().next().is_some()
    }

    /// The active ones, by number.
    pub(crate) fn active(&self) -> impl Iterator<Item = (IndexNumber, &IndexState)> + '_ {
        let active = self.states.iter().filter(|(_, state)| state.active);
        active.map(|(at, state)| (number(at), state))
    }

    /// Where the active ones are in what they record.
    pub(crate) fn checkpoints(&self) -> Vec<IndexCheckpoint> {
        let recorded = self
            .states
            .iter()
            .filter(|(_, state)| state.is_travelling());
        recorded
            .map(|(at, state)| (number(at), state.index.checkpoint()))
            .collect()
    }

    /// Has the active ones that record what they do go to these moments; returns those that cannot, in
    /// order.
    pub(crate) fn seek(&mut self, checkpoints: &[IndexCheckpoint]) -> Vec<IndexNumber> {
        let mut lost = Vec::new();
        let states = self.states.iter_mut();
        for (at, state) in states.filter(|(_, state)| state.is_travelling()) {
            let number = number(at);
            let known = checkpoints.binary_search_by_key(&number.0, |checkpoint| checkpoint.0.0);
            if !state.seek(known.ok().map(|at| &checkpoints[at].1)) {
                lost.push(number);
            }
        }
        lost
    }

    /// Has them forget what they recorded before these moments.
    pub(crate) fn forget_before(&mut self, checkpoints: &[IndexCheckpoint]) {
        for (number, checkpoint) in checkpoints {
            if let Some(state) = self.state_mut(*number) {
                state.index.forget_before(checkpoint);
            }
        }
    }

    /// The indexes whose handles have been dropped.
    pub(crate) fn dropped(&self) -> Vec<IndexNumber> {
        let states = self.states.iter();
        let dropped = states.filter(|(_, state)| state.index.is_dropped());
        dropped.map(|(at, _)| number(at)).collect()
    }

    /// Ends an index; it is handed over to be dropped.
    pub(crate) fn release(&mut self, number: IndexNumber) -> impl Sized {
        self.ages.end(number);
        self.states.remove(number.get())
    }

    /// All of them by number, with the group that each follows, and the component of a relation.
    pub(crate) fn all(
        &self,
    ) -> impl Iterator<Item = (usize, GroupIndex, Option<RawComponentIndex>)> + '_ {
        let states = self.states.iter();
        let present = states.filter(|(_, state)| !state.index.is_dropped());
        present.map(|(number, state)| {
            let index: &dyn Any = &*state.index;
            let links = index.downcast_ref::<Links>();
            (number, state.group, links.map(|links| links.component))
        })
    }

    /// The groups that active indexes follow.
    pub(crate) fn observed_groups(&self) -> impl Iterator<Item = GroupIndex> + '_ {
        let active = self.states.values().filter(|state| state.active);
        active.map(|state| state.group)
    }

    /// The active indexes, to be changed.
    pub(crate) fn active_mut(&mut self) -> impl Iterator<Item = &mut IndexState> + '_ {
        let active = self.states.values_mut();
        active.filter(|state| state.active)
    }

    /// Notes an index of a component; the first one counts.
    pub(crate) fn assign(&mut self, component: RawComponentIndex, number: IndexNumber) {
        let at = component.get();
        if at >= self.of_components.len() {
            self.of_components.resize(at + 1, None);
        }
        self.of_components[at].get_or_insert(number);
    }

    /// The index of a component's `field`-th indexed field, if it has been made.
    pub(crate) fn of_field(
        &self,
        component: RawComponentIndex,
        field: usize,
    ) -> Option<IndexNumber> {
        let first = (*self.of_components.get(component.get())?)?;
        Some(IndexNumber(first.0 + field as u32))
    }

    /// Marks an entity dirty, or takes it out, in the indexes that are to follow.
    #[inline(never)]
    pub(crate) fn prepare(&mut self, id: UntypedId, updates: &[(IndexNumber, GroupEvent)]) {
        for &(number, event) in updates {
            let Some(state) = self.state_mut(number) else {
                continue;
            };
            match event {
                GroupEvent::Left => state.index.leave(id),
                GroupEvent::Entered | GroupEvent::Updated => state.index.mark_dirty(id),
            }
        }
    }

    /// Takes those who are dirty behind a panic out of their buckets: they are asked for their keys
    /// wherever one is looked up.
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

    /// One index, if it is of this type.
    pub(crate) fn get<S: ?Sized + 'static, K: 'static>(
        &self,
        number: IndexNumber,
    ) -> Option<&Index<S, K>> {
        let index: &dyn Any = &*self.state(number)?.index;
        index.downcast_ref()
    }

    /// One index, if it is of this type, to be changed.
    pub(crate) fn get_mut<S: ?Sized + 'static, K: 'static>(
        &mut self,
        number: IndexNumber,
    ) -> Option<&mut Index<S, K>> {
        let index: &mut dyn Any = &mut *self.state_mut(number)?.index;
        index.downcast_mut()
    }

    /// Whether there are relations.
    #[inline]
    pub(crate) fn any_relation(&self) -> bool {
        !self.relations.is_empty()
    }

    /// The links of all relations.
    pub(crate) fn relations(&self) -> impl DoubleEndedIterator<Item = &Links> + '_ {
        let all = self.relations.iter();
        all.filter_map(|&number| self.links(number))
    }

    /// The links of a relation that keeps them in order, if it has been used.
    pub(crate) fn ordered_links(&self, component: RawComponentIndex) -> Option<&Links> {
        let mut relations = self.relations();
        let links = relations.find(|links| links.component == component);
        links.filter(|links| links.are_ordered())
    }

    /// Whether entities lead to one that is alive, by any relation.
    #[inline]
    pub(crate) fn is_target(&self, id: UntypedId) -> bool {
        self.any_relation() && self.has_sources(id)
    }

    /// Whether entities lead to one of these, by any relation.
    pub(crate) fn any_is_target(&self, ids: &[UntypedId]) -> bool {
        self.any_relation() && ids.iter().any(|&id| self.has_sources(id))
    }

    #[inline(never)] // so that contexts without relations pay one test
    fn has_sources(&self, id: UntypedId) -> bool {
        let mut relations = self.relations();
        relations.any(|links| links.has_sources(id))
    }

    /// Begins to note which links change that say who ends with its target, or keeps it from ending.
    pub(crate) fn watch_destroys(&mut self) {
        self.change_relations(|links| {
            use OnTargetDestroyed::{Destroy, Reject};
            if matches!(links.on_target_destroyed, Destroy | Reject) {
                links.watch();
            }
        });
    }

    /// Ends to note them; hands over the sources, or nothing if many have been changed at once.
    pub(crate) fn watched_destroys(&mut self) -> Option<Vec<UntypedId>> {
        let mut changed = Some(Vec::new());
        self.change_relations(|links| match (&mut changed, links.watched()) {
            (Some(changed), Some(watched)) => changed.extend(watched),
            _ => changed = None,
        });
        changed
    }

    /// The links of one relation.
    pub(crate) fn links(&self, number: IndexNumber) -> Option<&Links> {
        let index: &dyn Any = &*self.state(number)?.index;
        index.downcast_ref()
    }

    /// Hands the links of each relation to `change`.
    pub(crate) fn change_relations(&mut self, mut change: impl FnMut(&mut Links)) {
        for at in 0..self.relations.len() {
            if let Some(links) = self.links_mut(self.relations[at]) {
                change(links);
            }
        }
    }

    fn links_mut(&mut self, number: IndexNumber) -> Option<&mut Links> {
        let index: &mut dyn Any = &mut *self.state_mut(number)?.index;
        index.downcast_mut()
    }

    /// Has the links of a relation lead from an entity to a target, or nowhere.
    pub(crate) fn relink(&mut self, number: IndexNumber, id: UntypedId, target: Option<UntypedId>) {
        match (self.links_mut(number), target) {
            (Some(links), Some(target)) => links.link(id, target),
            (Some(links), None) => links.unlink(id),
            (None, _) => (),
        }
    }
}
