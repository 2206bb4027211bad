//! What must hold of observers between two changes, seen from inside: for tests.

use alloc::collections::BTreeSet;

use super::{List, Observers};
use crate::reactions::event::Event;
use crate::reactions::subscription::Subject;

impl<C> List<C> {
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

impl<C> Observers<C> {
    /// Panics if lists, counts and marks disagree. Nobody is being notified.
    pub(crate) fn check_invariants(&self) {
        let lists = self.lists.iter().chain(&self.listeners);
        let lists = lists.chain(&self.messages);
        lists.for_each(|list| list.check_invariants(self.last_id));
        self.check_audiences();
        let lives = [
            Subject::CREATED,
            Subject::WILL_BE_DESTROYED,
            Subject::DESTROYED,
        ];
        let any = lives.iter().any(|&subject| self.places(subject) > 0);
        assert_eq!(self.of_lives, any, "observers: whether any observes lives");
    }

    /// Each audience has a list of its own; the others are idle.
    fn check_audiences(&self) {
        let mut lists: BTreeSet<_> = self.idle.iter().copied().collect();
        assert_eq!(
            lists.len(),
            self.idle.len(),
            "observers: a list is idle twice"
        );
        let idle = |list: &usize| self.listeners[*list].entries.is_empty();
        assert!(lists.iter().all(idle), "observers: one is on an idle list");
        let mut own = 0;
        for (audience, &list) in &self.audiences {
            assert!(lists.insert(list), "observers: list {list} is used twice");
            assert!(
                self.listeners[list].live > 0,
                "observers: an empty audience"
            );
            own += self.listeners[list].live * usize::from(audience.entity.is_some());
        }
        assert!(
            lists.into_iter().eq(0..self.listeners.len()),
            "observers: a list is lost"
        );
        assert_eq!(self.own, own, "observers: how many listen to one entity");
    }

    /// How many listen to an event, of whatever entities.
    pub(crate) fn listeners_to(&self, event: Event) -> usize {
        let audiences = self.audiences.iter();
        let audiences = audiences.filter(|(audience, _)| audience.event == event);
        audiences.map(|(_, &list)| self.listeners[list].live).sum()
    }
}
