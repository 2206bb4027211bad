//! Destroying one entity.

use super::commit::commit_one;
use super::core::{HasCore, Registries};
use super::previous::Previous;
use crate::storage::slots::{Row, Slot};
use crate::words::entity_id::UntypedId;

impl Registries {
    /// Removes the slot of an entity to be destroyed from collectors, listeners and traversals.
    #[inline]
    pub(super) fn forget_slot(&mut self, id: UntypedId, row: Row) {
        self.slots.list_traversals();
        self.collectors.forget_slot(&self.slots, id, row);
        self.observers.record_destroy(id.raw());
    }
}

/// Destroys an entity, with the effects of its node. It is marked before its slot is freed, because
/// collectors find it by its slot.
#[inline]
pub(super) fn destroy<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) {
    let core: &mut Registries = context.core_mut();
    let effects = core.graph.destroy(slot.node, &core.groups);
    core.mark(id, effects);
    core.forget_slot(id, slot.row);
    core.slots.destroy(id);
    if effects.is_observed() || core.observers.any_of_lifetimes() {
        commit_one(context, id, effects, Previous::Destroyed(slot));
    } else {
        core.drop_components(slot);
    }
}
