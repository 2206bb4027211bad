//! All groups of a context, each with its condition and its subscribers.

#[cfg(any(test, feature = "__checks"))]
mod invariants;

use alloc::vec::Vec;

use hashbrown::HashTable;

use super::numbers::GroupIndex;
use super::set::GroupSet;
use super::watch::Watch;
use crate::matching::matcher::{Condition, GroupEvent};
use crate::matching::members::{Members, Terms};
use crate::storage::column::Column;
use crate::storage::heap::heap;
use crate::storage::slots::Slots;
use crate::words::atomic::{AtomicU64, AtomicUsize, Ordering};
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

pub(crate) struct GroupData {
    pub(crate) condition: Condition,
    terms: Terms,
    len: CountedLen,
    watches: [Watch; 3],
    /// Whether *updated* has subscribers, as counted in [`Groups::observed`].
    observed: bool,
}

heap!(GroupData: condition, terms; each watches);

impl GroupData {
    /// The subscribers of an event.
    pub(crate) fn watch(&self, event: GroupEvent) -> &Watch {
        &self.watches[event as usize]
    }
}

/// The number of members at the last count.
#[derive(Default)]
struct CountedLen {
    /// The checkpoint of the slots at that time.
    checkpoint: AtomicU64,
    len: AtomicUsize,
}

impl CountedLen {
    /// The number at a checkpoint, counted unless it is that of the last count. Threads that count
    /// at the same checkpoint store the same number.
    fn at(&self, checkpoint: u64, count: impl FnOnce() -> usize) -> usize {
        if self.checkpoint.load(Ordering::Acquire) == checkpoint {
            return self.len.load(Ordering::Relaxed);
        }
        let len = count();
        self.len.store(len, Ordering::Relaxed);
        self.checkpoint.store(checkpoint, Ordering::Release);
        len
    }
}

pub(crate) struct Groups {
    groups: Vec<GroupData>,
    by_condition: HashTable<GroupIndex>,
    /// Groups of which a collector collects *updated*.
    with_collected_updates: Vec<GroupIndex>,
    /// For each component, the number of groups whose *updated* event has subscribers.
    observed: Vec<u32>,
    /// The group whose events are the changes of each component.
    of_each_component: Option<GroupIndex>,
    /// The flags of terms that the context keeps up to date.
    flags: RawComponentSet,
}

heap!(Groups: groups, by_condition, with_collected_updates, observed, flags; each groups);

impl Groups {
    pub(crate) fn new() -> Self {
        Self {
            groups: Vec::new(),
            by_condition: HashTable::new(),
            with_collected_updates: Vec::new(),
            observed: Vec::new(),
            of_each_component: None,
            flags: RawComponentSet::new(),
        }
    }

    /// The flags of terms that the context keeps up to date.
    #[inline]
    pub(crate) fn flags(&self) -> &RawComponentSet {
        &self.flags
    }

    /// Adds the flag of a term.
    pub(crate) fn add_flag(&mut self, flag: RawComponentIndex) {
        self.flags.insert(flag);
    }

    /// The group of a condition, if it exists.
    #[inline(always)] // see `state::group`
    pub(crate) fn find(&self, condition: &Condition) -> Option<GroupIndex> {
        let mut alike = self.by_condition.iter_hash(condition.mixed()).copied();
        alike.find(|&group| self.get(group).condition == *condition)
    }

    /// Adds a group for a condition that has none.
    pub(crate) fn add(&mut self, condition: Condition) -> GroupIndex {
        let index = GroupIndex(u32::try_from(self.groups.len()).expect("fewer than 2^32 groups"));
        if condition.is_of_each_component() {
            self.of_each_component = Some(index);
        }
        let watches = Default::default();
        self.groups.push(GroupData {
            terms: Terms::of(&condition),
            len: CountedLen::default(),
            condition,
            watches,
            observed: false,
        });
        let groups = &self.groups;
        let mixed = |group: &GroupIndex| groups[group.get()].condition.mixed();
        self.by_condition.insert_unique(mixed(&index), index, mixed);
        index
    }

    #[inline]
    pub(crate) fn get(&self, group: GroupIndex) -> &GroupData {
        &self.groups[group.get()]
    }

    /// The group whose events are the changes of each component of every entity, if it exists.
    pub(crate) fn of_each_component(&self) -> Option<GroupIndex> {
        self.of_each_component
    }

    /// Whether the updates of every component have subscribers.
    fn is_each_observed(&self) -> bool {
        self.of_each_component
            .is_some_and(|group| self.get(group).observed)
    }

    pub(crate) fn members<'a>(
        &'a self,
        group: GroupIndex,
        columns: &'a [Column],
        slots: &'a Slots,
    ) -> Members<'a> {
        Members::new(&self.get(group).terms, columns, slots)
    }

    /// The number of members.
    pub(crate) fn len_of(&self, group: GroupIndex, columns: &[Column], slots: &Slots) -> usize {
        let count = || self.members(group, columns, slots).len();
        self.get(group).len.at(slots.checkpoint(), count)
    }

    /// The groups of which a collector collects *updated*, in order of creation.
    pub(crate) fn with_collected_updates(&self) -> &[GroupIndex] {
        &self.with_collected_updates
    }

    /// Whether the updates of any component have had subscribers.
    #[inline]
    pub(crate) fn any_updates_observed(&self) -> bool {
        !self.observed.is_empty() || self.is_each_observed()
    }

    /// Whether the updates of a component have subscribers in any group.
    #[inline]
    pub(crate) fn are_updates_observed(&self, component: RawComponentIndex) -> bool {
        let groups = self.observed.get(component.get());
        groups.is_some_and(|groups| *groups > 0) || self.is_each_observed()
    }

    /// Whether observers of any group are notified of updates of a component.
    ///
    /// Complexity: linear in the groups.
    pub(crate) fn are_updates_notified(&self, component: RawComponentIndex) -> bool {
        let is_notified = |group: &GroupData| {
            let condition = &group.condition;
            let watches = condition.watches(component) || condition.is_of_each_component();
            watches && group.watch(GroupEvent::Updated).is_observed()
        };
        self.are_updates_observed(component) && self.groups.iter().any(is_notified)
    }

    /// Changes the subscribers of an event of a group. The signature graph must forget its effects
    /// afterwards.
    pub(crate) fn change_watch(
        &mut self,
        group: GroupIndex,
        event: GroupEvent,
        change: impl FnOnce(&mut Watch),
    ) {
        change(&mut self.groups[group.get()].watches[event as usize]);
        if event == GroupEvent::Updated {
            self.record_collected_updates(group);
            self.count_observed(group);
        }
    }

    fn record_collected_updates(&mut self, group: GroupIndex) {
        let collected = self.get(group).watch(GroupEvent::Updated).is_collected();
        let known = self.with_collected_updates.binary_search(&group);
        match (known, collected) {
            (Err(place), true) => self.with_collected_updates.insert(place, group),
            (Ok(place), false) => _ = self.with_collected_updates.remove(place),
            _ => {}
        }
    }

    fn count_observed(&mut self, group: GroupIndex) {
        let data = &mut self.groups[group.get()];
        let observed = data.watch(GroupEvent::Updated).is_watched();
        if observed == core::mem::replace(&mut data.observed, observed) {
            return;
        }
        for component in data.condition.watched() {
            let at = component.get();
            if at >= self.observed.len() {
                self.observed.resize(at + 1, 0);
            }
            let groups = self.observed[at];
            self.observed[at] = if observed { groups + 1 } else { groups - 1 };
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// All groups, in order of creation.
    pub(crate) fn indices(&self) -> impl Iterator<Item = GroupIndex> {
        (0..self.groups.len() as u32).map(GroupIndex)
    }

    /// The groups of matchers, in order of creation.
    pub(crate) fn of_matchers(&self) -> impl Iterator<Item = GroupIndex> {
        let of_each = self.of_each_component;
        self.indices().filter(move |&group| Some(group) != of_each)
    }

    /// The groups that match an entity with exactly these components.
    pub(crate) fn matching(&self, components: &RawComponentSet) -> GroupSet {
        self.indices()
            .filter(|group| self.get(*group).condition.matches(components))
            .collect()
    }
}
