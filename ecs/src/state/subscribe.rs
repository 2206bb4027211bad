//! Adding and removing observers and listeners.

use alloc::vec::Vec;
use core::mem;

use super::collectors::release_collector;
use super::core::{HasCore, check_own};
use super::groups::recount_observers;
use crate::reactions::notification::Observer;
use crate::reactions::observers::RemovedObserver;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Subject, Subscription};
use crate::world::World;

/// Removes an observer or a listener; returns whether it existed.
#[track_caller]
pub(crate) fn unsubscribe<C: HasCore>(context: &mut C, subscription: Subscription) -> bool {
    let Subscription {
        instance,
        subject,
        id,
    } = subscription;
    let core = context.core_mut();
    check_own(&core.world, instance, "subscription");
    let ended = core.subs.observers.remove(subject, id);
    if ended.is_some() {
        forget_removed_observers(&mut core.world, &mut core.subs, subject, 1);
    }
    ended.is_some()
}

/// Removes all observers of these subjects, except internal ones.
pub(crate) fn end_observers<C: HasCore>(context: &mut C, subjects: &[Subject]) {
    let core = context.core_mut();
    let ended = remove_observers(&mut core.world, &mut core.subs, subjects);
    drop(ended); // user code
}

/// Closes the gaps of removed observers, or leaves it to the running dispatch.
fn close_gaps(subs: &mut Subscribers, subject: Subject) {
    if subs.queue.turn.is_idle() {
        subs.observers.compact(subject);
    } else {
        subs.queue.gaps.push(subject);
        subs.queue.untidy = true;
    }
}

/// The collectors of listeners and feeds, which were not created by users.
pub(crate) fn internal_collectors(subs: &Subscribers) -> Vec<usize> {
    let mut internal = event_collectors(subs);
    internal.extend(subs.feeds.collectors());
    internal
}

pub(super) fn event_collectors(subs: &Subscribers) -> Vec<usize> {
    let sources = subs.events.sources();
    sources.map(|(_, source)| source.collector).collect()
}

/// Adds an observer, which is notified of all later changes.
pub(crate) fn subscribe(
    world: &mut World,
    subs: &mut Subscribers,
    subject: Subject,
    observer: Observer,
) -> Subscription {
    let id = subs.observers.add(subject, subs.queue.changes, observer);
    recount_observers(world, subs, subject);
    Subscription {
        instance: world.instance,
        subject,
        id,
    }
}

/// Removes all observers of these subjects, except internal ones; returns them to be dropped.
pub(super) fn remove_observers(
    world: &mut World,
    subs: &mut Subscribers,
    subjects: &[Subject],
) -> Vec<RemovedObserver> {
    let mut all = Vec::new();
    for &subject in subjects {
        let ended = subs.observers.remove_all(subject);
        if !ended.is_empty() {
            forget_removed_observers(world, subs, subject, ended.len());
        }
        all.extend(ended);
    }
    all
}

/// Updates everything that counts observers after `count` observers of a subject were removed.
pub(super) fn forget_removed_observers(
    world: &mut World,
    subs: &mut Subscribers,
    subject: Subject,
    count: usize,
) {
    close_gaps(subs, subject);
    recount_observers(world, subs, subject);
    if let Subject::Event(audience) = subject {
        match audience.event {
            Some(event) => {
                if let Some(source) = subs.events.source_mut(event) {
                    source.listeners -= count;
                }
                close_idle(world, subs);
            }
            None => forget_change_observers(world, subs, count),
        }
    }
}

/// Subtracts removed observers of each change; with the last one, removes the relays.
fn forget_change_observers(world: &mut World, subs: &mut Subscribers, count: usize) {
    subs.relays.observers -= count;
    if subs.relays.observers > 0 {
        return;
    }
    for Subscription { subject, id, .. } in mem::take(&mut subs.relays.subscriptions) {
        subs.observers.remove(subject, id);
        forget_removed_observers(world, subs, subject, 1);
    }
}

/// Releases the collectors of events without listeners; during a delivery this is postponed to
/// its end.
pub(super) fn close_idle(world: &mut World, subs: &mut Subscribers) {
    if !subs.events.delivering {
        for collector in subs.events.take_idle() {
            release_collector(world, subs, collector);
        }
    }
}
