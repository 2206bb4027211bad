//! Adding and removing observers and listeners.

use alloc::vec::Vec;
use core::mem;

use super::core::{HasCore, Registries, check_own};
use crate::reactions::notification::Observer;
use crate::reactions::observers::RemovedObserver;
use crate::reactions::subscription::{Subject, Subscription};

/// Removes an observer or a listener; returns whether it existed.
#[track_caller]
pub(crate) fn unsubscribe<C: HasCore>(context: &mut C, subscription: Subscription) -> bool {
    let Subscription {
        instance,
        subject,
        id,
    } = subscription;
    let core = context.core_mut();
    check_own(core, instance, "subscription");
    let ended = core.observers.remove(subject, id);
    if ended.is_some() {
        core.forget_removed_observers(subject, 1);
    }
    ended.is_some()
}

/// Removes all observers of these subjects, except internal ones.
pub(crate) fn end_observers<C: HasCore>(context: &mut C, subjects: &[Subject]) {
    let ended = context.core_mut().remove_observers(subjects);
    drop(ended); // user code
}

impl Registries {
    /// Adds an observer, which is notified of all later changes.
    pub(crate) fn subscribe(&mut self, subject: Subject, observer: Observer) -> Subscription {
        let id = self.observers.add(subject, self.queue.changes, observer);
        self.recount_observers(subject);
        Subscription {
            instance: self.instance,
            subject,
            id,
        }
    }

    /// Removes all observers of these subjects, except internal ones; returns them to be dropped.
    pub(super) fn remove_observers(&mut self, subjects: &[Subject]) -> Vec<RemovedObserver> {
        let mut all = Vec::new();
        for &subject in subjects {
            let ended = self.observers.remove_all(subject);
            if !ended.is_empty() {
                self.forget_removed_observers(subject, ended.len());
            }
            all.extend(ended);
        }
        all
    }

    /// Updates everything that counts observers after `count` observers of a subject were removed.
    pub(super) fn forget_removed_observers(&mut self, subject: Subject, count: usize) {
        self.close_gaps(subject);
        self.recount_observers(subject);
        if let Subject::Event(audience) = subject {
            match audience.event {
                Some(event) => {
                    if let Some(source) = self.events.source_mut(event) {
                        source.listeners -= count;
                    }
                    self.close_idle();
                }
                None => self.forget_change_observers(count),
            }
        }
    }

    /// Subtracts removed observers of each change; with the last one, removes the relays.
    fn forget_change_observers(&mut self, count: usize) {
        self.relays.observers -= count;
        if self.relays.observers > 0 {
            return;
        }
        for Subscription { subject, id, .. } in mem::take(&mut self.relays.subscriptions) {
            self.observers.remove(subject, id);
            self.forget_removed_observers(subject, 1);
        }
    }

    /// Closes the gaps of removed observers, or leaves it to the running dispatch.
    fn close_gaps(&mut self, subject: Subject) {
        if self.queue.turn.is_idle() {
            self.observers.compact(subject);
        } else {
            self.queue.gaps.push(subject);
            self.queue.untidy = true;
        }
    }

    /// Releases the collectors of events without listeners; during a delivery this is postponed to
    /// its end.
    pub(super) fn close_idle(&mut self) {
        if !self.events.delivering {
            for collector in self.events.take_idle() {
                self.release_collector(collector);
            }
        }
    }

    /// The collectors of listeners and feeds, which were not created by users.
    pub(crate) fn internal_collectors(&self) -> Vec<usize> {
        let mut internal = self.event_collectors();
        internal.extend(self.feeds.collectors());
        internal
    }

    pub(super) fn event_collectors(&self) -> Vec<usize> {
        let sources = self.events.sources();
        sources.map(|(_, source)| source.collector).collect()
    }
}
