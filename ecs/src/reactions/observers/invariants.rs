//! Invariants of observers, for tests.

use super::{ObserverList, ObserverRegistry};
use crate::reactions::event::Event;
use crate::reactions::subscription::Subject;

impl ObserverList {
    fn check_invariants(&self, last: u64) {
        let ids = self.entries.iter().map(|entry| entry.id);
        assert!(
            ids.clone().is_sorted_by(|a, b| a < b),
            "observers: the order"
        );
        assert!(
            ids.max().is_none_or(|id| id <= last),
            "observers: the last id"
        );
        let live = self.entries.iter().filter(|entry| entry.live).count();
        assert_eq!(live, self.live, "observers: how many a list has");
        for entry in &self.entries {
            let is_there = entry.call.is_some();
            assert_eq!(
                is_there, entry.live,
                "observers: {} is gone or kept",
                entry.id
            );
        }
        let has_gaps = live != self.entries.len();
        assert!(
            !has_gaps || live * 2 > self.entries.len(),
            "observers: a list of gaps"
        );
    }
}

impl ObserverRegistry {
    /// Panics if lists and counts disagree. No dispatch may be in progress.
    pub(crate) fn check_invariants(&self) {
        let lists = self.lists.iter().chain(self.audiences.values());
        let lists = lists.chain(&self.messages);
        lists.for_each(|list| list.check_invariants(self.last_id));
        self.check_audiences();
        let lifetimes = [
            Subject::CREATED,
            Subject::WILL_BE_DESTROYED,
            Subject::DESTROYED,
        ];
        let any = lifetimes.iter().any(|&subject| self.places(subject) > 0);
        assert_eq!(
            self.of_lifetimes, any,
            "observers: whether any observes lifetimes"
        );
    }

    /// Each audience has listeners.
    fn check_audiences(&self) {
        let mut own = 0;
        for (audience, list) in &self.audiences {
            assert!(list.live > 0, "observers: an empty audience");
            own += list.live * usize::from(audience.entity.is_some());
        }
        assert_eq!(self.own, own, "observers: how many listen to one entity");
    }

    /// The number of listeners to an event, of any entity.
    pub(crate) fn listeners_to(&self, event: Event) -> usize {
        let audiences = self.audiences.iter();
        let audiences = audiences.filter(|(audience, _)| audience.event == Some(event));
        audiences.map(|(_, list)| list.live).sum()
    }
}
