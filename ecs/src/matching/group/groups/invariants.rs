//! Invariants of groups between changes, for tests.

use super::Groups;
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;

impl Groups {
    /// Panics if a group is not found by its condition, or the recorded subscribers differ from the
    /// actual ones.
    pub(crate) fn check_invariants(&self) {
        assert_eq!(
            self.by_condition.len(),
            self.len(),
            "groups: how many are found"
        );
        for group in self.indices() {
            let found = self.find(&self.get(group).condition);
            assert_eq!(found, Some(group), "groups: the group of a matcher");
        }
        self.check_updates();
    }

    fn check_updates(&self) {
        let updated = |group| self.get(group).watch(GroupEvent::Updated);
        let collected = self.indices();
        let collected = collected.filter(|&group| updated(group).collectors().next().is_some());
        let recorded = self.with_collected_updates.iter().copied();
        assert!(
            collected.eq(recorded),
            "groups: whose updates are collected"
        );
        for group in self.indices() {
            let (is_recorded, is_watched) = (self.get(group).observed, updated(group).is_watched());
            assert_eq!(is_recorded, is_watched, "groups: subscribers of {group:?}");
        }
        for (at, &count) in self.observed.iter().enumerate() {
            let watched = |group: &_| {
                self.get(*group)
                    .condition
                    .watches(RawComponentIndex::at(at))
            };
            let groups = self.indices().filter(|&group| self.get(group).observed);
            let groups = groups.filter(watched).count();
            assert_eq!(
                groups, count as usize,
                "groups: subscribers to component {at}"
            );
        }
    }
}
