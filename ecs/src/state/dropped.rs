//! The end of what was made for a handle: collectors, feeds, lists of removed values, entity
//! indexes and inboxes end when theirs has been dropped.

use alloc::vec::Vec;

use super::core::{HasCore, Registries, check_own};
use super::index::deactivate_index;
use super::recording::end as end_history;
use super::removed::end_log;
use crate::matching::group::IndexNumber;
use crate::reactions::subscription::{Subscription, SubscriptionGuard};

/// Of so many handles one may be dropped and not noticed when another one is made.
const SPARE: usize = 16;

/// Ends what was made for handles that have been dropped, before another one is made. Where there
/// are many, they are looked at once in a while, so that to make n of them takes about n looks.
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

/// Ends what was made for handles that have been dropped.
pub(crate) fn end_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if core.history.as_ref().is_some_and(|it| it.is_dropped()) {
        end_history(context);
    }
    let core = context.core_mut();
    core.end_dropped_feeds(); // with their collectors, which would end twice behind the others
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
    /// Ends the feeds whose handles have been dropped.
    pub(crate) fn end_dropped_feeds(&mut self) {
        self.feeds.release_dropped();
        for collector in self.feeds.take_idle() {
            self.release_collector(collector);
        }
    }
}

/// Has an observer or a listener end when what is returned is dropped.
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

/// Ends the observers and listeners whose guards have been dropped.
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

/// Ends an index.
fn end_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    deactivate_index(context, number);
    let ended = context.core_mut().indexes.release(number);
    drop(ended); // a key function: user code
}
