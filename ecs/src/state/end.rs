//! The end of one entity.

use alloc::vec::{self, Vec};
use core::mem;

use super::core::{HasCore, Registries};
use super::dispatch::notify_queued;
use super::index::drop_all_spent;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;

impl Registries {
    /// Has collectors and listeners forget the slot of an entity that ends.
    #[inline]
    pub(super) fn forget_slot(&mut self, id: UntypedId, row: Row) {
        self.collectors.forget_slot(&self.slots, id, row);
        self.observers.note_end(id.raw());
    }

    /// Drops the components of an entity whose slot is free already.
    #[inline]
    pub(super) fn drop_components(&mut self, slot: Slot) {
        let components = self.graph.component_list(slot.node);
        self.columns.drop_left(components, slot.row);
    }
}

/// Ends an entity: its effects are those of its node. It is propagated before it is stored,
/// because collectors find the entity by its slot.
#[inline]
pub(super) fn end<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) {
    let core: &mut Registries = context.core_mut();
    let effects = core.graph.destroy(slot.node, &core.groups);
    core.apply(id, effects);
    core.forget_slot(id, slot.row);
    core.slots.destroy(id);
    if effects.is_followed() || core.observers.any_of_lives() {
        conclude_followed(context, id, slot, effects);
    } else {
        core.drop_components(slot);
    }
}

/// Has entity indexes follow the end of an entity, then notifies of it, and of each component
/// that has gone, or drops the components if there is nobody to notify.
#[inline(never)]
fn conclude_followed<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    slot: Slot,
    effects: EffectsIndex,
) {
    let core = context.core_mut();
    if effects.is_indexed() {
        core.prepare_indexes(id, effects);
    }
    let is_observed =
        core.graph.effects().are_observed(effects) || !core.observers.is_empty(Subject::DESTROYED);
    if effects.is_recorded() {
        record_end(core, id, slot, is_observed);
    }
    if is_observed {
        queue_end(core, id, slot, effects);
        notify_queued(context);
    } else {
        core.drop_components(slot);
    }
    if effects.is_indexed() {
        drop_all_spent(context); // an observer may have changed which indexes are concerned
    }
}

/// Hands the end over to the history, with the values; with clones, if they are `lent` to observers.
#[cold]
#[inline(never)]
fn record_end(core: &mut Registries, id: UntypedId, slot: Slot, lent: bool) {
    let left = EndedRow { core, slot };
    left.core.record_ended(id, slot.node, (slot.row, lent));
    mem::forget(left);
}

/// What an entity has left in its row. It is dropped if a clone of it panics.
struct EndedRow<'a> {
    core: &'a mut Registries,
    slot: Slot,
}

impl Drop for EndedRow<'_> {
    fn drop(&mut self) {
        self.core.drop_components(self.slot);
    }
}

/// Moves the components out and queues one change for each, then the end itself.
#[cold]
#[inline(never)]
pub(super) fn queue_end(core: &mut Registries, id: UntypedId, slot: Slot, effects: EffectsIndex) {
    for place in 0..core.graph.component_list(slot.node).len() {
        let component = core.graph.component_list(slot.node)[place];
        let value = core.columns.take_left(component, slot.row);
        core.queue_change(id, Some(component), value);
        core.queue_effects_of(effects, Some(component));
    }
    core.queue_change(id, None, None);
    core.queue_effects_of(effects, None);
    core.queue_entity(Subject::DESTROYED);
}

/// What is left in a row.
pub(super) enum Remains {
    /// The components of a node.
    Of(NodeIndex),
    One([ComponentIndex; 1]),
}

/// Drops values, or puts them on their pool stacks. If a `drop` panics, it goes on with the rest.
pub(super) fn leave(core: &mut Registries, left: Vec<(Remains, Row)>) {
    let left = left.into_iter();
    Leaving { core, left }.run();
}

/// Values that are being dropped.
struct Leaving<'a> {
    core: &'a mut Registries,
    left: vec::IntoIter<(Remains, Row)>,
}

impl Leaving<'_> {
    fn run(&mut self) {
        for (left, row) in self.left.by_ref() {
            let components = match &left {
                Remains::Of(node) => self.core.graph.component_list(*node),
                Remains::One(component) => component,
            };
            self.core.columns.drop_left(components, row);
        }
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.run();
    }
}
