//! Creating entities, and requests to destroy them.

use alloc::vec::Vec;

use super::announcing::{announce, announce_all, plan_destroy};
use super::commit::{commit_one, mark};
use super::core::HasCore;
use super::destroy::destroy as destroy_one;
use super::destroy_together::destroy_together;
use super::dispatch::{Dispatch, check_limit};
use super::events::delivery::warn_of_undelivered;
use super::events::forget_events;
use super::previous::Previous;
use super::recording::{drop_forgotten, forget_history};
use super::user_code::is_dispatching;
use crate::matching::effects::EffectsIndex;
use crate::reactions::queue::Step;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{EMPTY_NODE, NodeIndex, Slot};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::world::World;

/// Creates an entity without components.
#[inline]
pub(crate) fn create<C: HasCore>(context: &mut C) -> EntityId<C> {
    let (id, _) = context.core_mut().world.slots.create(EMPTY_NODE);
    arrive(context, id, EMPTY_NODE);
    id.typed()
}

/// Commits a new entity with the components of its node.
#[inline]
pub(crate) fn arrive<C: HasCore>(context: &mut C, id: UntypedId, node: NodeIndex) {
    let core = context.core_mut();
    let effects = core.world.graph.create(node, &core.world.groups);
    arrive_as(context, id, effects);
}

/// Commits a new entity with these effects.
#[inline]
pub(crate) fn arrive_as<C: HasCore>(context: &mut C, id: UntypedId, effects: EffectsIndex) {
    if effects != EffectsIndex::NONE || context.core().subs.observers.any_of_lifetimes() {
        arrive_recorded(context, id, effects);
    }
}

/// Commits a new entity that concerns a collector or an observer.
#[inline(never)]
fn arrive_recorded<C: HasCore>(context: &mut C, id: UntypedId, effects: EffectsIndex) {
    let core = context.core_mut();
    mark(&core.world, &mut core.subs, id, effects);
    if (effects.is_observed() || core.subs.observers.any_of_lifetimes())
        && let Some(slot) = core.world.slots.get(id)
    {
        commit_one(context, id, effects, Previous::Created(slot.node));
    }
}

/// Whether anything depends on destroyed entities: observers, collectors with contents,
/// relations, or a traversal.
#[inline]
pub(super) fn any_records_destroys(world: &World, subs: &Subscribers) -> bool {
    let is_recorded = subs.observers.any_of_one() || subs.collectors.any_is_filled();
    let is_visited = world.slots.any_traversal_by_rows();
    is_recorded || is_visited || subs.observers.any_of_lifetimes() || subs.indexes.any_relation()
}

/// Destroys an entity.
///
/// A request by a *will be destroyed* observer is executed right after the destroy that the
/// observer was notified of: such an observer runs before its change, so it can neither be queued
/// nor run inside itself.
#[inline]
#[track_caller]
pub(crate) fn destroy<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core_mut();
    let id = id.untyped();
    let Some(slot) = core.world.slots.get(id) else {
        return Err(dead::<C>(id));
    };
    if let Some(components) = core.world.graph.is_destroyed_alone(slot.node)
        && !any_records_destroys(&core.world, &core.subs)
    {
        core.world.slots.destroy(id);
        core.world.columns.drop_left(components, slot.row);
        return Ok(());
    }
    destroy_recorded(context, id, slot)
}

/// Destroys an entity if anything depends on it, or if no entity of its node was destroyed before.
#[inline(never)]
fn destroy_recorded<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) -> Result<(), Error> {
    let core = context.core();
    if !core.subs.observers.is_empty(Subject::WILL_BE_DESTROYED) || core.subs.indexes.is_target(id)
    {
        return destroy_with_dependents(context, &[id]);
    }
    destroy_one(context, id, slot);
    Ok(())
}

/// Destroys living entities with all that are destroyed with them, as one change.
#[inline(never)]
fn destroy_with_dependents<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let core = context.core();
    if !core.subs.observers.is_empty(Subject::WILL_BE_DESTROYED) {
        return announce_and_destroy(context, ids);
    }
    let plan = plan_destroy(&core.world, &core.subs, ids)?;
    destroy_together(context, &plan);
    Ok(())
}

#[cold]
pub(super) fn dead<C: HasCore>(id: UntypedId) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Destroy)
}

#[cold]
#[inline(never)]
fn announce_and_destroy<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let core = context.core_mut();
    if !is_dispatching(&core.world, &core.subs) {
        let mut dispatch = Dispatch::start(context);
        let ended = announce_and_destroy_all(dispatch.context(), ids);
        dispatch.run(); // also if rejected: observers may have changed something
        return ended;
    }
    let queue = &mut core.subs.queue;
    if let [id] = *ids
        && queue.is_destroy_pending(id)
    {
        let error = Error::being_destroyed(id.raw(), C::NAME);
        return Err(core.world.named(error));
    }
    if queue.destroying.is_none() {
        return announce_and_destroy_all(context, ids);
    }
    for &id in ids {
        if !queue.is_destroy_pending(id) {
            queue.pending.push(id.raw());
        }
    }
    Ok(())
}

/// Destroys entities, and then those that their observers have requested to destroy.
fn announce_and_destroy_all<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let mut notified = 1;
    let ended = announce_and_destroy_together(context, ids);
    while let Some(id) = context.core_mut().subs.queue.pending.pop() {
        let id = context.core().world.slots.own(id);
        if context.core().world.slots.get(id).is_none() {
            continue; // destroyed with another one
        }
        notified += 1;
        check_limit(context, notified, &Step::Entity(Subject::WILL_BE_DESTROYED));
        let _ = announce_and_destroy_together(context, &[id]); // there is no caller to report to
    }
    ended
}

/// Destroys entities with all that are destroyed with them, after notifying the observers of each.
fn announce_and_destroy_together<C: HasCore>(
    context: &mut C,
    ids: &[UntypedId],
) -> Result<(), Error> {
    if let [id] = *ids
        && !context.core().subs.indexes.any_relation()
    {
        announce(context, id.typed());
        if let Some(slot) = context.core().world.slots.get(id) {
            destroy_one(context, id, slot);
        }
        return Ok(());
    }
    let plan = announce_all(context, ids)?;
    destroy_together(context, &plan);
    Ok(())
}

/// Destroys every entity that is alive at the call, in order of index.
pub(crate) fn destroy_all<C: HasCore>(context: &mut C) {
    let ids: Vec<_> = context
        .core()
        .world
        .slots
        .iter()
        .map(|(id, _)| id.typed())
        .collect();
    let _ = destroy_listed(context, &ids); // no entity remains to reject it
}

/// Destroys entities one after the other, skipping those destroyed in the meantime; as one change
/// if some of them are targets.
pub(crate) fn destroy_listed<C: HasCore>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    if context
        .core()
        .subs
        .indexes
        .any_is_target(EntityId::untyped_all(ids))
    {
        return destroy_with_dependents(context, EntityId::untyped_all(ids));
    }
    for &id in ids {
        // An observer may have destroyed it already, or be about to.
        let _ = destroy(context, id);
    }
    Ok(())
}

/// Destroys every entity and clears collected entities; ids start from the beginning.
pub(crate) fn reset<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    warn_of_undelivered(&mut core.world, &mut core.subs);
    destroy_all(context);
    let core = context.core_mut();
    core.subs.collectors.clear_plain();
    for collector in core.subs.feeds.collectors() {
        core.subs.collectors.clear(collector);
    }
    core.subs.feeds.send_everything();
    core.world.slots.sort_free();
    forget_history(&mut core.world, &mut core.subs);
    let collected = (
        core.subs.removed.empty_all(),
        core.subs.messages.empty_all(),
    );
    let entered = core::mem::take(&mut core.subs.entered);
    forget_events(context);
    drop((collected, entered)); // user code
    drop_forgotten(context);
}
