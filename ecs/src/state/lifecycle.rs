//! Creating an entity, and resetting a context.

use super::commit::commit_created;
use super::core::HasCore;
use super::destroy::destroy_all;
use super::events::delivery::warn_of_undelivered;
use super::events::forget_events;
use super::recording::{drop_cut, forget_history};
use crate::matching::effects::EffectsIndex;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};
use crate::words::entity_id::{EntityId, UntypedId};

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
        commit_created(context, id, effects);
    }
}

/// Destroys every entity and clears collected entities; ids start from the beginning.
pub(crate) fn reset<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.world.end_unreported();
    warn_of_undelivered(&mut core.world, &mut core.subs);
    destroy_all(context);
    let core = context.core_mut();
    core.subs.collectors.clear_plain();
    for collector in core.subs.feeds.collectors() {
        core.subs.collectors.clear(collector);
    }
    core.subs.feeds.send_everything();
    core.world.slots.sort_free();
    core.world.unknown = None;
    forget_history(&mut core.world, &mut core.subs);
    let collected = (
        core.subs.removed.empty_all(),
        core.subs.messages.empty_all(),
    );
    let entered = core.subs.entered.forget();
    forget_events(context);
    drop((collected, entered)); // user code
    let core = context.core_mut();
    drop_cut(&mut core.world, &mut core.subs);
}
