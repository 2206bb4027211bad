//! Cleaning up after dropped handles: of collectors, feeds, lists of removed values, entity indexes
//! and inboxes.

use alloc::vec::Vec;

use super::collectors::release_collector;
use super::core::{HasCore, check_own};
use super::entity_indexes::deactivate_index;
use super::recording::end as end_history;
use super::removed::end_log;
use super::subscribe::forget_removed_observers;
use crate::matching::group::IndexNumber;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Subscription, SubscriptionGuard};
use crate::world::World;

/// One in this many handles may be dropped without being noticed when another one is created.
const SPARE: usize = 16;

/// Cleans up after dropped handles before another one is created. If there are many handles, this
/// is not done every time, so that creating n of them takes about n checks.
pub(crate) fn look_for_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if let Some(unnoticed) = core.subs.unnoticed.checked_sub(1) {
        core.subs.unnoticed = unnoticed;
        return;
    }
    end_dropped(context);
    let core = context.core_mut();
    let handles = core.subs.collectors.len() + core.subs.removed.len() + core.subs.indexes.len();
    let handles = handles + core.subs.messages.inboxes() + core.subs.observers.guarded();
    core.subs.unnoticed = handles / SPARE;
}

/// Cleans up after dropped handles.
pub(crate) fn end_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if core.subs.history.as_ref().is_some_and(|it| it.is_dropped()) {
        end_history(context);
    }
    let core = context.core_mut();
    end_dropped_feeds(&mut core.world, &mut core.subs); // includes their collectors, which must not be released again below
    for collector in core.subs.collectors.dropped() {
        release_collector(&mut core.world, &mut core.subs, collector);
    }
    for (log, subscription) in core.subs.removed.dropped() {
        end_log(context, log, subscription);
    }
    for index in context.core().subs.indexes.dropped() {
        end_index(context, index);
    }
    context.core_mut().subs.messages.end_dropped();
    end_unguarded(context);
}

/// Ends the feeds whose handles were dropped.
pub(crate) fn end_dropped_feeds(world: &mut World, subs: &mut Subscribers) {
    subs.feeds.release_dropped();
    for collector in subs.feeds.take_idle() {
        release_collector(world, subs, collector);
    }
}

/// Returns a guard that removes an observer or listener on drop.
#[track_caller]
pub(crate) fn unsubscribe_on_drop<C: HasCore>(
    context: &mut C,
    subscription: Subscription,
) -> SubscriptionGuard {
    let Subscription {
        instance,
        subject,
        id,
    } = subscription;
    check_own(&context.core().world, instance, "subscription");
    look_for_dropped(context);
    let guard = SubscriptionGuard::new(subscription);
    let is_there = context
        .core_mut()
        .subs
        .observers
        .guard(subject, id, guard.watch());
    assert!(
        is_there,
        "{subscription:?} of context `{}` has ended, or its observer is running: make the guard as soon as \
         you have subscribed",
        C::NAME
    );
    guard
}

/// Removes the observers and listeners whose guards were dropped.
fn end_unguarded<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    let dropped = core.subs.observers.take_dropped();
    let mut ended = Vec::new();
    for (subject, id) in dropped {
        if let Some(observer) = core.subs.observers.remove(subject, id) {
            ended.push(observer);
            forget_removed_observers(&mut core.world, &mut core.subs, subject, 1);
        }
    }
    drop(ended); // user code
}

/// Removes an index.
fn end_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    deactivate_index(context, number);
    let ended = context.core_mut().subs.indexes.release(number);
    drop(ended); // dropping a key function: user code
}
