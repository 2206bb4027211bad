//! Invariants of feeds, for tests.

use super::Feeds;

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
