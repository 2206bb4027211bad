//! Queueing notifications for the dispatch, in the order of changes.

use alloc::boxed::Box;

use crate::matching::effects::EffectsIndex;
use crate::reactions::queue::{QueuedChange, Step};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Queues a change: the steps queued after it belong to it. Its previous value is pooled for
/// `recycle_to` afterwards, or dropped.
pub(super) fn queue_change(
    subs: &mut Subscribers,
    entity: UntypedId,
    recycle_to: Option<RawComponentIndex>,
    previous: Option<Box<AnyValue>>,
) {
    let number = subs.queue.next_change();
    let change = QueuedChange {
        number,
        entity,
        previous,
        recycle_to,
    };
    subs.queue.steps.push_back(Step::Change(change));
}

/// Queues a step for observers of created or destroyed entities.
pub(super) fn queue_entity(subs: &mut Subscribers, subject: Subject) {
    if !subs.observers.is_empty(subject) {
        subs.queue.steps.push_back(Step::Entity(subject));
    }
}

/// Queues a step for each group whose observers are notified of these effects.
pub(super) fn queue_effects(world: &World, subs: &mut Subscribers, effects: EffectsIndex) {
    let table = world.graph.effects();
    subs.queue.push_groups(table, table.to_notify(effects));
}

/// Queues a step for each observed group that a destroyed entity leaves through `component`.
pub(super) fn queue_effects_of(
    world: &World,
    subs: &mut Subscribers,
    effects: EffectsIndex,
    component: Option<RawComponentIndex>,
) {
    let table = world.graph.effects();
    subs.queue.push_groups_of(table, effects, component);
}
