//! Destroying one entity.

use super::commit::{commit_one, mark};
use super::core::HasCore;
use super::previous::{Previous, drop_components};
use crate::reactions::subscribers::Subscribers;
use crate::storage::slots::{Row, Slot};
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Removes the slot of an entity to be destroyed from collectors, listeners and traversals.
#[inline]
pub(super) fn forget_slot(world: &mut World, subs: &mut Subscribers, id: UntypedId, row: Row) {
    world.slots.list_traversals();
    subs.collectors.forget_slot(&world.slots, id, row);
    subs.observers.record_destroy(id.raw());
}

/// Destroys an entity, with the effects of its node. It is marked before its slot is freed, because
/// collectors find it by its slot.
#[inline]
pub(super) fn destroy<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) {
    let core = context.core_mut();
    let effects = core.world.graph.destroy(slot.node, &core.world.groups);
    mark(&core.world, &mut core.subs, id, effects);
    forget_slot(&mut core.world, &mut core.subs, id, slot.row);
    core.world.slots.destroy(id);
    if effects.is_observed() || core.subs.observers.any_of_lifetimes() {
        commit_one(context, id, effects, Previous::Destroyed(slot));
    } else {
        drop_components(&mut core.world, slot);
    }
}
