//! Cleaning up after dropped handles: of collectors, feeds, lists of removed values, entity indexes
//! and inboxes.

use alloc::vec::Vec;

use super::core::{HasCore, Registries, check_own};
use super::index::deactivate_index;
use super::recording::end as end_history;
use super::removed::end_log;
use crate::matching::group::IndexNumber;
use crate::reactions::subscription::{Subscription, SubscriptionGuard};

/// One in this many handles may be dropped without being noticed when another one is created.
const SPARE: usize = 16;

/// Cleans up after dropped handles before another one is created. If there are many handles, this
/// is not done every time, so that creating n of them takes about n checks.
pub(crate) fn look_for_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if let Some(unnoticed) = core.unnoticed.checked_sub(1) {
        core.unnoticed = unnoticed;
        return;
    }
    end_dropped(context);
    let core = context.core_mut();
    let handles = core.collectors.len() + core.removed.len() + core.indexes.len();
    let handles = handles + core.messages.inboxes() + core.observers.guarded();
    core.unnoticed = handles / SPARE;
}

/// Cleans up after dropped handles.
pub(crate) fn end_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if core.history.as_ref().is_some_and(|it| it.is_dropped()) {
        end_history(context);
    }
    let core = context.core_mut();
    core.end_dropped_feeds(); // includes their collectors, which must not be released again below
    for collector in core.collectors.dropped() {
        core.release_collector(collector);
    }
    for (log, subscription) in core.removed.dropped() {
        end_log(context, log, subscription);
    }
    for index in context.core().indexes.dropped() {
        end_index(context, index);
    }
    context.core_mut().messages.end_dropped();
    end_unguarded(context);
}

impl Registries {
    /// Ends the feeds whose handles were dropped.
    pub(crate) fn end_dropped_feeds(&mut self) {
        self.feeds.release_dropped();
        for collector in self.feeds.take_idle() {
            self.release_collector(collector);
        }
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
    check_own(context.core(), instance, "subscription");
    look_for_dropped(context);
    let guard = SubscriptionGuard::new(subscription);
    let is_there = context
        .core_mut()
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
    let dropped = core.observers.take_dropped();
    let mut ended = Vec::new();
    for (subject, id) in dropped {
        if let Some(observer) = core.observers.remove(subject, id) {
            ended.push(observer);
            core.forget_removed_observers(subject, 1);
        }
    }
    drop(ended); // user code
}

/// Removes an index.
fn end_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    deactivate_index(context, number);
    let ended = context.core_mut().indexes.release(number);
    drop(ended); // dropping a key function: user code
}
