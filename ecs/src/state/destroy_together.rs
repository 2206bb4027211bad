//! Destroying several entities as one change: all state is final before the first notification.
//!
//! ```text
//! detach      unlink destroyed targets; find the entities that lose a relation
//! store       all destroyed entities, then all that lose a component
//! commit      in the same order, each like a change of its own; losses are recorded first, because
//!             a rewind revives targets before it gives relations to them back
//! ```

use alloc::vec::Vec;

use super::commit::{Transition, commit_from};
use super::core::{HasCore, Registries};
use super::destroy_plan::DestroyPlan;
use super::previous::Previous;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// Destroys all entities of a plan.
pub(super) fn destroy_together<C: HasCore>(context: &mut C, plan: &DestroyPlan) {
    let core = context.core_mut();
    core.collect_signatures();
    let losses = plan.detach(&mut core.indexes);
    let mut changes = Vec::new();
    for &id in &plan.ids {
        changes.extend(core.take_out_whole(id));
    }
    let destroyed = changes.len();
    for (id, component) in losses {
        changes.extend(core.strip(id, component));
    }
    commit_from(context, &mut changes, destroyed);
}

impl Registries {
    /// Removes a living entity from slots, collectors and indexes.
    fn take_out_whole(&mut self, id: UntypedId) -> Option<Transition<'static>> {
        let slot = self.slots.get(id)?;
        let effects = self.graph.destroy(slot.node, &self.groups);
        self.mark(id, effects);
        self.forget_slot(id, slot.row);
        self.slots.destroy(id);
        Some(Transition {
            id,
            effects,
            previous: Previous::Destroyed(slot),
        })
    }

    /// Removes a component from a living entity.
    fn strip(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
    ) -> Option<Transition<'static>> {
        let Slot { row, node } = self.slots.get(id)?;
        let (target, effects) = self.graph.edge(node, component, &self.groups);
        self.slots.set_node(id, target);
        self.mark(id, effects);
        Some(Transition {
            id,
            effects,
            previous: Previous::left(component, row),
        })
    }
}
