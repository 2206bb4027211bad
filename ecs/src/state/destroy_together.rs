//! Destroying several entities as one change: all state is final before the first notification.
//!
//! ```text
//! detach      unlink destroyed targets; find the entities that lose a relation
//! store       all destroyed entities, then all that lose a component
//! commit      in the same order, each like a change of its own; losses are recorded first, because
//!             a rewind revives targets before it gives relations to them back
//! ```

use alloc::vec::Vec;

use super::commit::{commit_from, mark};
use super::core::HasCore;
use super::destroy::forget_slot;
use super::destroy_plan::DestroyPlan;
use super::groups::collect_signatures;
use super::previous::Previous;
use super::run::Run;
use crate::reactions::subscribers::Subscribers;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Destroys all entities of a plan.
pub(super) fn destroy_together<C: HasCore>(context: &mut C, plan: &DestroyPlan) {
    let core = context.core_mut();
    collect_signatures(&mut core.world, &core.subs);
    let losses = plan.detach(&mut core.subs.indexes);
    let mut changes = Vec::new();
    for &id in &plan.ids {
        changes.extend(take_out_whole(&mut core.world, &mut core.subs, id));
    }
    let destroyed = changes.len();
    for (id, component) in losses {
        changes.extend(strip(&mut core.world, &mut core.subs, id, component));
    }
    commit_from(context, &mut changes, destroyed);
}

/// Removes a living entity from slots, collectors and indexes.
fn take_out_whole(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
) -> Option<Run<'static>> {
    let slot = world.slots.get(id)?;
    let effects = world.graph.destroy(slot.node, &world.groups);
    mark(world, subs, id, effects);
    forget_slot(world, subs, id, slot.row);
    world.slots.destroy(id);
    Some(Run::of(id, effects, Previous::Destroyed(slot)))
}

/// Removes a component from a living entity.
fn strip(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
) -> Option<Run<'static>> {
    let Slot { node, .. } = world.slots.get(id)?;
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.slots.set_node(id, target);
    mark(world, subs, id, effects);
    Some(Run::of(id, effects, Previous::left(component)))
}
