//! Destroying several entities as one change: all state is final before the first notification.
//!
//! ```text
//! detach      unlink destroyed targets; find the entities that lose a relation
//! store       all destroyed entities, then all that lose a component
//! commit      in the same order, each like a change of its own
//! ```

use alloc::vec::Vec;

use super::commit::{Transition, commit_recorded};
use super::core::{HasCore, Registries};
use super::destroy_plan::DestroyPlan;
use super::previous::Previous;
use crate::reactions::history::Kind;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// Destroys all entities of a plan.
pub(super) fn destroy_together<C: HasCore>(context: &mut C, plan: &DestroyPlan) {
    let core = context.core_mut();
    core.collect_signatures();
    core.record_together(plan);
    let losses = plan.detach(&mut core.indexes);
    let mut changes = Vec::new();
    for &id in &plan.ids {
        changes.extend(core.take_out_whole(id));
    }
    for (id, component) in losses {
        changes.extend(core.strip(id, component));
    }
    commit_recorded(context, &mut changes);
}

impl Registries {
    /// Records the change in the history with clones of all values, before anything changes: if one
    /// panics, nothing has changed.
    fn record_together(&mut self, plan: &DestroyPlan) {
        if self.history.is_none() {
            return;
        }
        let passed = true;
        for (id, component) in plan.losses(&self.indexes) {
            if let Some(slot) = self.slots.get(id) {
                self.record_left(Kind::Removed, id, component, (slot.row, passed));
            }
        }
        for &id in &plan.ids {
            if let Some(slot) = self.slots.get(id) {
                self.record_destroyed(id, slot.node, (slot.row, passed));
            }
        }
    }

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
