//! What becomes of indexes and links that depend on components which are left out. Nothing of them is
//! recorded, for the values stay as they are. So they do not go back with the rest: they follow the
//! entities that have been changed on the way, as they follow any other change.
//!
//! An entity cannot lead to one that has been taken back: nobody knows who gets that id the next time. So
//! it loses the relation, whatever becomes of sources when a target is destroyed.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::matching::effects::EffectsIndex;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::IndexState;
use crate::state::core::{HasCore, Registries};
use crate::state::index::{drop_pending, flush_batch};
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;

/// What is left to be done, with user code, for what is left out.
pub(super) struct Behind {
    /// The values of relations whose targets are not there any more, to be dropped.
    pub(super) values: Vec<Box<AnyValue>>,
    /// The indexes that are to ask for keys.
    pub(super) indexes: Vec<IndexNumber>,
}

impl Registries {
    /// Puts an entity where it has the component, or has it no longer; collectors of rewinds follow,
    /// if any `is_observed` says that there are.
    pub(super) fn toggle_component(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        is_observed: bool,
    ) {
        let Some(Slot { node, .. }) = self.slots.get(id) else {
            return;
        };
        let (target, effects) = self.graph.edge(node, component, &self.groups);
        self.slots.set_node(id, target);
        if is_observed {
            self.collect(id, effects);
        }
    }

    /// Takes a component that is left out from an entity; returns the value.
    pub(crate) fn lose(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        is_observed: bool,
    ) -> Option<Box<AnyValue>> {
        self.toggle_component(id, component, is_observed);
        let row = self.slots.row_of(id);
        self.columns.take_left(component, row)
    }

    /// Has collectors that follow rewinds gather an entity.
    pub(super) fn collect(&mut self, id: UntypedId, effects: EffectsIndex) {
        let concerned = self.graph.effects().collectors(effects);
        let following = concerned.filter(|&collector| self.collectors.includes_rewinds(collector));
        let following: Vec<_> = following.collect();
        for collector in following {
            self.collectors.collect_ids(&self.slots, &[id], collector);
        }
    }

    /// Has what depends on components that are left out follow the entities that have been changed on
    /// the way; `is_observed` says whether collectors gather it. Runs no user code.
    pub(super) fn update_excluded(
        &mut self,
        mut changed: Vec<UntypedId>,
        is_observed: bool,
    ) -> Behind {
        each_once(&mut changed);
        let mut values = Vec::new();
        for number in self.unrecorded(IndexState::is_relation) {
            self.unlink_sources(number, &changed);
            for (id, component) in self.unlink_targets(number, &changed) {
                values.extend(self.lose(id, component, is_observed));
                changed.push(id);
            }
            self.link_again(number, &changed);
        }
        each_once(&mut changed);
        let indexes = self.unrecorded(|state| !state.is_relation());
        for &number in &indexes {
            self.mark_changed(number, &changed);
        }
        Behind { values, indexes }
    }

    /// The indexes that nothing is recorded of, as far as they are such ones.
    fn unrecorded(&self, is_such: fn(&IndexState) -> bool) -> Vec<IndexNumber> {
        let unrecorded = self.indexes.unrecorded();
        let such = unrecorded.filter(|(_, state)| is_such(state));
        let mut such: Vec<_> = such.map(|(number, _)| number).collect();
        self.indexes.sort_by_age(&mut such, |&number| number);
        such
    }

    /// Whether an entity is alive and in the group that an index follows.
    fn is_indexed_in(&self, number: IndexNumber, id: UntypedId) -> bool {
        let state = self.indexes.state(number);
        state.is_some_and(|state| self.is_member(state.group, id))
    }

    /// Has those lead nowhere that have not got the component any more.
    fn unlink_sources(&mut self, number: IndexNumber, changed: &[UntypedId]) {
        for &id in changed {
            if !self.is_indexed_in(number, id) {
                self.indexes.relink(number, id, None);
            }
        }
    }

    /// Has nobody lead to those that are not there any more. Returns who loses the component by it.
    fn unlink_targets(
        &mut self,
        number: IndexNumber,
        changed: &[UntypedId],
    ) -> Vec<(UntypedId, RawComponentIndex)> {
        let mut lost = Vec::new();
        for &target in changed {
            for source in self.sources_of_destroyed(number, target) {
                self.indexes.relink(number, source, None);
                let links = self.indexes.links(number);
                let links = links.filter(|links| !self.may_point_to(links, target));
                lost.extend(links.map(|links| (source, links.component)));
            }
        }
        lost
    }

    /// Who leads to an entity that is not alive any more. Another one may live in its slot.
    fn sources_of_destroyed(&self, number: IndexNumber, target: UntypedId) -> Vec<UntypedId> {
        let Some(links) = self.indexes.links(number) else {
            return Vec::new();
        };
        if self.slots.get(target).is_some() {
            return Vec::new();
        }
        let points_to_it = |source: &UntypedId| links.target(*source) == Some(target);
        links.each_source(target).filter(points_to_it).collect()
    }

    /// Has those who have kept the component lead to their targets again that have come back to life.
    fn link_again(&mut self, number: IndexNumber, changed: &[UntypedId]) {
        let Some(links) = self.indexes.links(number) else {
            return;
        };
        let is_kept = links.on_target_destroyed == OnTargetDestroyed::Keep;
        if is_kept && changed.iter().any(|&id| self.slots.get(id).is_some()) {
            let members = self.members_of_index(number);
            self.link_all(number, &members);
        }
    }

    /// Has an index ask those for their keys that are in its group, and take out the others.
    fn mark_changed(&mut self, number: IndexNumber, changed: &[UntypedId]) {
        let is_in = |id: &UntypedId| self.is_indexed_in(number, *id);
        let (members, others): (Vec<_>, Vec<_>) = changed.iter().partition(|id| is_in(id));
        if let Some(state) = self.indexes.state_mut(number) {
            others.into_iter().for_each(|id| state.index.leave(id));
            state.index.mark_batch_dirty(members);
        }
    }
}

/// Has these indexes ask for keys, and drop those that nobody has any more: user code.
pub(super) fn flush_excluded<C: HasCore>(context: &mut C, indexes: &[IndexNumber]) {
    for &number in indexes {
        flush_batch(context, number);
        drop_pending(context, number);
    }
}

/// In the order of their slots, each once.
fn each_once(ids: &mut Vec<UntypedId>) {
    ids.sort_unstable_by_key(|id| (id.index(), id.generation()));
    ids.dedup();
}
