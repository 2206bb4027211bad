//! Observers and listeners that are unsubscribed when a handle is dropped: from then on they do
//! nothing, and they are removed at the next check.

use alloc::vec::Vec;

use super::ObserverRegistry;
use crate::reactions::handle::HandleWatch;
use crate::reactions::subscription::Subject;

impl ObserverRegistry {
    /// Unsubscribes an observer when a handle is dropped; returns whether the observer exists and
    /// is not running.
    pub(crate) fn guard(&mut self, subject: Subject, id: u64, handle: HandleWatch) -> bool {
        let list = self.list_mut(subject);
        let Some(entry) = list.and_then(|list| list.find(id)) else {
            return false;
        };
        let Some(call) = entry.call.take() else {
            return false;
        };
        entry.call = Some(call.only_while(handle.clone()));
        self.guarded.push((handle, subject, id));
        true
    }

    /// The number of guarded observers.
    pub(crate) fn guarded(&self) -> usize {
        self.guarded.len()
    }

    /// Takes those whose handles have been dropped, and forgets those that were removed otherwise.
    pub(crate) fn take_dropped(&mut self) -> Vec<(Subject, u64)> {
        let mut dropped = Vec::new();
        for (handle, subject, id) in core::mem::take(&mut self.guarded) {
            if handle.is_dropped() {
                dropped.push((subject, id));
            } else if self.place_of(subject, id).is_some() {
                self.guarded.push((handle, subject, id));
            }
        }
        dropped
    }
}
