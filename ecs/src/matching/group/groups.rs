//! All groups of a context: for each matcher the rows that match it, and who watches it.

#[cfg(any(test, feature = "__checks"))]
mod check;

use alloc::vec::Vec;

use hashbrown::HashTable;

use super::members::{Members, MembersCopy, SetIndex, Split};
use super::numbers::GroupIndex;
use super::set::GroupSet;
use super::watch::Watch;
use crate::matching::matcher::{Condition, GroupEvent};
use crate::matching::row_set::{Flip, RowSet};
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::component::ComponentIndex;
use crate::words::heap_size::heap_size;
use crate::words::signature::ComponentSet;

/// What a change does to a set of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetFlip {
    pub(crate) set: SetIndex,
    pub(crate) way: Flip,
}

/// One group: its condition and who watches it.
pub(crate) struct GroupData {
    pub(crate) condition: Condition,
    watches: [Watch; 3],
    /// Whether somebody watches *updated*, as counted in [`Groups::followed`].
    followed: bool,
}

impl GroupData {
    /// Who is interested in `event`.
    pub(crate) fn watch(&self, event: GroupEvent) -> &Watch {
        &self.watches[event as usize]
    }
}

/// All groups of a context, by number and by condition.
pub(crate) struct Groups {
    groups: Vec<GroupData>,
    members: Members,
    by_condition: HashTable<GroupIndex>,
    /// Those of which some collector gathers the updates.
    with_collected_updates: Vec<GroupIndex>,
    /// For each component, of how many groups somebody watches its updates.
    followed: Vec<u32>,
}

impl Groups {
    pub(crate) fn new() -> Self {
        Self {
            groups: Vec::new(),
            members: Members::default(),
            by_condition: HashTable::new(),
            with_collected_updates: Vec::new(),
            followed: Vec::new(),
        }
    }

    /// The group of a condition, if it is there.
    #[inline(always)] // see `state::group`
    pub(crate) fn find(&self, condition: &Condition) -> Option<GroupIndex> {
        let mut alike = self.by_condition.iter_hash(condition.mixed()).copied();
        alike.find(|&group| self.get(group).condition == *condition)
    }

    /// Adds the group of a condition that has none. It has the members of the group that it is
    /// `alike`, which matches the same nodes, else none yet.
    pub(crate) fn add(&mut self, condition: Condition, alike: Option<GroupIndex>) -> GroupIndex {
        let index = GroupIndex(u32::try_from(self.groups.len()).expect("fewer than 2^32 groups"));
        let watches = Default::default();
        self.groups.push(GroupData {
            condition,
            watches,
            followed: false,
        });
        let groups = &self.groups;
        let mixed = |group: &GroupIndex| groups[group.get()].condition.mixed();
        self.by_condition.insert_unique(mixed(&index), index, mixed);
        self.members.add(alike);
        index
    }

    /// Takes a new node into account, which these groups match, before any entity is in it.
    /// Returns which sets of members it has split.
    pub(crate) fn meet(&mut self, matching: &GroupSet) -> Vec<Split> {
        self.members.meet(matching)
    }

    /// One group.
    #[inline]
    pub(crate) fn get(&self, group: GroupIndex) -> &GroupData {
        &self.groups[group.get()]
    }

    /// The rows of a group's members.
    #[inline]
    pub(crate) fn members(&self, group: GroupIndex) -> &RowSet {
        self.members.of(group)
    }

    /// The rows of a group's members, to be changed; none if another group comes first of
    /// those that share them.
    ///
    /// What is done for each of the groups that an entity enters or leaves is done once for
    /// each set so: it enters or leaves all that share one.
    pub(crate) fn first_members_mut(&mut self, group: GroupIndex) -> Option<&mut RowSet> {
        let set = self.set_of_first(group)?;
        Some(&mut self.members.sets()[set.get()])
    }

    /// The rows of all groups' members, to be changed.
    pub(crate) fn all_members_mut(&mut self) -> &mut [RowSet] {
        self.members.sets()
    }

    /// The set of a group, if it is the first of those that share it: what is done to the
    /// members of all of them is done once.
    pub(crate) fn set_of_first(&self, group: GroupIndex) -> Option<SetIndex> {
        let is_first = self.members.is_first(group);
        is_first.then(|| self.members.set(group))
    }

    /// The first of the groups that share a group's set.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn first_of_set(&self, group: GroupIndex) -> GroupIndex {
        self.members.first_of(group)
    }

    /// A copy of the members of all groups.
    pub(crate) fn copy_members(&self) -> MembersCopy {
        self.members.copied()
    }

    /// Has the groups of then have the members that they had, and the others none.
    pub(crate) fn put_members_back(&mut self, copy: &MembersCopy) {
        self.members.put_back(copy);
    }

    /// The groups of which some collector gathers the updates, in order of creation.
    pub(crate) fn with_collected_updates(&self) -> &[GroupIndex] {
        &self.with_collected_updates
    }

    /// Whether somebody watches the updates of a component in some group.
    #[inline]
    pub(crate) fn are_updates_followed(&self, component: ComponentIndex) -> bool {
        let groups = self.followed.get(component.get());
        groups.is_some_and(|groups| *groups > 0)
    }

    /// Changes who is interested in an event of a group. The signature graph must forget its
    /// effects afterwards.
    pub(crate) fn change_watch(
        &mut self,
        group: GroupIndex,
        event: GroupEvent,
        change: impl FnOnce(&mut Watch),
    ) {
        change(&mut self.groups[group.get()].watches[event as usize]);
        if event == GroupEvent::Updated {
            self.note_collected_updates(group);
            self.count_followed(group);
        }
    }

    fn note_collected_updates(&mut self, group: GroupIndex) {
        let gathered = self.get(group).watch(GroupEvent::Updated).is_collected();
        let known = self.with_collected_updates.binary_search(&group);
        match (known, gathered) {
            (Err(place), true) => self.with_collected_updates.insert(place, group),
            (Ok(place), false) => _ = self.with_collected_updates.remove(place),
            _ => {}
        }
    }

    fn count_followed(&mut self, group: GroupIndex) {
        let data = &mut self.groups[group.get()];
        let followed = data.watch(GroupEvent::Updated).is_watched();
        if followed == core::mem::replace(&mut data.followed, followed) {
            return;
        }
        for component in data.condition.watched() {
            let at = component.get();
            if at >= self.followed.len() {
                self.followed.resize(at + 1, 0);
            }
            let groups = self.followed[at];
            self.followed[at] = if followed { groups + 1 } else { groups - 1 };
        }
    }

    /// Flips rows in several sets.
    pub(crate) fn flip_rows(&mut self, flips: &[SetFlip], rows: &[RowWord]) {
        for flip in flips {
            self.members.sets()[flip.set.get()].flip_words(rows);
        }
    }

    /// Has a row enter or leave a set that has room for it; returns whether it has.
    #[inline]
    pub(crate) fn flip(&mut self, flip: SetFlip, row: Row) -> bool {
        let members = self.members.sets().get_mut(flip.set.get());
        members.is_some_and(|members| members.flip_known(row, flip.way))
    }

    /// Has a row enter or leave some sets: without further ado, as long as there are other rows
    /// near it in each.
    #[inline]
    pub(crate) fn flip_all(&mut self, flips: &[SetFlip], row: Row) {
        let sets = self.members.sets();
        let mut left = flips.iter();
        while let [flip, ..] = left.as_slice() {
            let set = sets.get_mut(flip.set.get());
            if !set.is_some_and(|set| set.flip_beside(row, flip.way)) {
                return self.flip_each(left.as_slice(), row);
            }
            left.next();
        }
    }

    #[inline(never)]
    fn flip_each(&mut self, flips: &[SetFlip], row: Row) {
        for &flip in flips {
            if !self.flip(flip, row) {
                let set = &mut self.members.sets()[flip.set.get()];
                set.make_room(row);
                set.flip(row);
            }
        }
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The numbers of the groups in order of creation.
    pub(crate) fn indices(&self) -> impl Iterator<Item = GroupIndex> {
        (0..self.groups.len() as u32).map(GroupIndex)
    }

    /// Gives up the memory that nothing is in.
    pub(crate) fn trim(&mut self) {
        self.members.sets().iter_mut().for_each(RowSet::trim);
        let watches = self.groups.iter_mut().flat_map(|group| &mut group.watches);
        watches.for_each(Watch::trim);
        self.with_collected_updates.shrink_to_fit();
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let inside = |group: &GroupData| {
            let watches = group.watches.iter();
            let watches: usize = watches.map(Watch::bytes).sum();
            group.condition.bytes() + watches
        };
        let inside: usize = self.groups.iter().map(inside).sum();
        let lists = heap_size(&self.with_collected_updates) + heap_size(&self.followed);
        let tables = heap_size(&self.groups) + lists;
        tables + inside + self.members.bytes() + self.by_condition.allocation_size()
    }

    /// The groups that an entity with just these components belongs to.
    pub(crate) fn matching(&self, components: &ComponentSet) -> GroupSet {
        self.indices()
            .filter(|group| self.get(*group).condition.matches(components))
            .collect()
    }
}
