//! Lists of removed values: creating, filling, reading and releasing them.

use alloc::vec::Vec;
use core::mem;

use super::core::HasCore;
use super::matcher_groups::group;
use super::subscribe::{forget_removed_observers, subscribe};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::change::Change;
use crate::reactions::notification::of_changes;
use crate::reactions::removed::RemovedValues;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Subject, Subscription};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::demands::Confined;
use crate::words::entity_id::EntityId;

/// Creates a list of removed values and its handle.
pub(crate) fn keep_removed<C: HasCore, T: Component<C> + Clone>(
    context: &mut C,
) -> RemovedValues<C, T> {
    let group = group(context, Matcher::all_of_index(index_of::<C, T>()));
    let core = context.core_mut();
    let log = core.subs.removed.add::<C, T>();
    let observer = of_changes(Confined::shareable(
        move |context: &mut C, change: &Change<'_, C>| {
            if let Some(value) = change.previous::<T>() {
                append(context, log, change.entity(), value);
            }
        },
    ));
    let subject = Subject::group(group.index, GroupEvent::Left);
    let subscription = subscribe(&mut core.world, &mut core.subs, subject, observer);
    core.subs.observers.keep(subject, subscription.id);
    let watched = match core.subs.removed.get_mut::<C, T>(log) {
        Some(log) => log.watch(subscription),
        None => unreachable!("the log has just been added"),
    };
    RemovedValues::new(core.world.instance, log, subscription, watched)
}

/// Clones a value before accessing the log: cloning is user code.
fn append<C: HasCore, T: Component<C> + Clone>(
    context: &mut C,
    log: usize,
    entity: EntityId<C>,
    value: &T,
) {
    let Some(known) = context.core().subs.removed.get::<C, T>(log) else {
        return;
    };
    if let Some(subscription) = known.left_by() {
        return end_log(context, log, subscription);
    }
    if !known.active {
        return;
    }
    let value = value.clone();
    if let Some(log) = context.core_mut().subs.removed.get_mut::<C, T>(log) {
        log.values.push((entity, value));
    }
}

/// Swaps the values of a list with these.
pub(crate) fn swap_removed<C: HasCore, T: Component<C>>(
    subs: &mut Subscribers,
    log: usize,
    values: &mut Vec<(EntityId<C>, T)>,
) {
    if let Some(log) = subs.removed.get_mut::<C, T>(log) {
        mem::swap(values, &mut *log.values);
    }
}

/// Sets whether a list is filled.
pub(crate) fn set_keeping_removed<C: HasCore, T: Component<C>>(
    subs: &mut Subscribers,
    log: usize,
    active: bool,
) {
    if let Some(log) = subs.removed.get_mut::<C, T>(log) {
        log.active = active;
    }
}

/// Releases a list of removed values and its observer.
pub(crate) fn end_log<C: HasCore>(context: &mut C, log: usize, subscription: Subscription) {
    let Subscription { subject, id, .. } = subscription;
    let core = context.core_mut();
    let ended = (
        core.subs.removed.release(log),
        core.subs.observers.remove(subject, id),
    );
    forget_removed_observers(&mut core.world, &mut core.subs, subject, 1);
    drop(ended); // dropping values and an observer: user code
}
