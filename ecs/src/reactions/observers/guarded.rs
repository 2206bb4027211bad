//! Observers and listeners that end when a handle is dropped: they do nothing any more from then on, and
//! are ended when somebody looks.

use alloc::vec::Vec;

use super::ObserverRegistry;
use crate::reactions::handle::HandleWatch;
use crate::reactions::subscription::Subject;

impl ObserverRegistry {
    /// Has an observer end when a handle is dropped; returns whether it is there, and not running.
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

    /// How many end when a handle is dropped.
    pub(crate) fn guarded(&self) -> usize {
        self.guarded.len()
    }

    /// Takes out those whose handles have been dropped, and forgets those that have ended otherwise.
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
