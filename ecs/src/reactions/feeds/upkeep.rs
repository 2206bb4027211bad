//! Memory and invariants of feeds.

use super::{FeedState, Feeds, RecentSlots};
use crate::storage::heap::{Heap, heap};

heap!(FeedState: sent, journals, watch);

impl Heap for Feeds {
    /// The handle watch of a journal counts with its collector.
    fn bytes(&self) -> usize {
        let journals = self.journals.iter().map(|journal| journal.recent.bytes());
        let inside = journals.chain(self.states.values().map(Heap::bytes));
        self.journals.bytes() + self.states.bytes() + inside.sum::<usize>()
    }

    /// Frees changes that all feeds have read, too.
    fn trim(&mut self) {
        for (at, journal) in self.journals.iter_mut().enumerate() {
            let states = self.states.values();
            let mut readers = states.filter(|state| state.journals.contains(&at));
            let is_read = |state: &FeedState| {
                state.everything || journal.recent.since(state.read).next().is_none()
            };
            if readers.all(is_read) {
                journal.recent = RecentSlots::default();
            }
            journal.recent.trim();
        }
        self.states.values_mut().for_each(|it| it.sent.trim());
        self.states.trim();
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Feeds {
    /// Panics if journals are inconsistent, or feeds read missing ones.
    pub(crate) fn check_invariants(&self) {
        for (at, journal) in self.journals.iter().enumerate() {
            journal.recent.check_invariants();
            let same = self.journals.iter().map(|other| other.component);
            let first = same.into_iter().position(|it| it == journal.component);
            assert_eq!(first, Some(at), "feeds: two journals of a component");
            let is_read = !journal.watch.is_dropped();
            let is_filled = journal.collector.is_some();
            assert!(!is_read || is_filled, "feeds: nothing fills journal {at}");
        }
        for state in self.states.values() {
            let mut journals = state.journals.iter();
            let are_there = journals.all(|&at| at < self.journals.len());
            assert!(
                are_there && state.read <= self.now,
                "feeds: what a feed reads"
            );
        }
    }
}
