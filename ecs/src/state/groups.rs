//! Groups that come into being, and who waits for them: what the graph has to work out anew
//! when a group or an observer comes or goes.

use core::ops::Range;

use super::core::{Core, HasCore};
use super::dispatch::notify_group_created;
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::subscription::Subject;
use crate::storage::slots::{NodeIndex, Row};

impl<C: 'static> Core<C> {
    /// Has the graph work out anew what an event of a group does, who watches it having
    /// changed.
    pub(super) fn forget_effects(&mut self, group: GroupIndex, event: GroupEvent) {
        self.graph.forget(&self.groups.get(group).condition, event);
        self.graph.tidy(!self.queue.turn.is_idle());
    }

    /// The matcher of a group.
    pub(crate) fn matcher(&self, group: GroupIndex) -> &Matcher<C> {
        Matcher::of(&self.groups.get(group).condition)
    }

    /// Makes the group of a matcher that has none yet, with all that match already.
    pub(crate) fn add_group(&mut self, matcher: Matcher<C>) -> GroupIndex {
        let alike = self.graph.group_alike(matcher.condition(), &self.groups);
        let group = self.groups.add(matcher.into_condition(), alike);
        self.observers.add_group();
        self.graph
            .add_group(group, &self.groups.get(group).condition);
        self.graph.tidy(!self.queue.turn.is_idle());
        if alike.is_none() {
            self.fill_group(group);
        }
        group
    }

    /// Takes all that match into a new group.
    fn fill_group(&mut self, group: GroupIndex) {
        for (_, slot) in self.slots.iter() {
            if self.graph.groups(slot.node).contains(group)
                && let Some(members) = self.groups.first_members_mut(group)
            {
                members.flip(slot.row);
            }
        }
    }

    /// Takes all that match into the groups from this number on, which have no members.
    pub(super) fn fill_groups_from(&mut self, first: usize) {
        let rows = self.slots.rows();
        let mut start = 0;
        while first < self.groups.len() && start < rows {
            let node = self.slots.node_in(Row(start as u32));
            let is_other = |row: &usize| self.slots.node_in(Row(*row as u32)) != node;
            let end = (start + 1..rows).find(is_other).unwrap_or(rows);
            if let Some(node) = node {
                self.fill_with_rows(first, node, start..end);
            }
            start = end;
        }
    }

    /// Takes rows of one node into the groups from a number on.
    fn fill_with_rows(&mut self, first: usize, node: NodeIndex, rows: Range<usize>) {
        for group in self.graph.groups(node).iter() {
            if group.get() >= first
                && let Some(members) = self.groups.first_members_mut(group)
            {
                members.insert_all(rows.clone());
            }
        }
    }

    /// Lets the groups and the graph know how many observers a subject has now.
    pub(crate) fn recount_observers(&mut self, subject: Subject) {
        if let Some((group, event)) = subject.as_group() {
            let count = self.observers.count(subject);
            let before = self.groups.get(group).watch(event).is_observed();
            self.groups
                .change_watch(group, event, |watch| watch.set_observers(count));
            if before != (count > 0) {
                self.forget_effects(group, event);
            }
        }
    }
}

/// The group of a matcher, made if there is none yet. What finds it is inlined, so that a matcher that
/// is just being made up stays in registers: a processor that loads it from memory waits until it is
/// stored, which doubles the time.
#[inline(always)]
pub(crate) fn group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core();
    match core.groups.find(matcher.condition()) {
        Some(known) => Group::new(core.instance, known),
        None => make_group(context, matcher),
    }
}

#[cold]
#[inline(never)]
fn make_group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core_mut();
    let instance = core.instance;
    let new = core.add_group(matcher);
    notify_group_created(context, new);
    Group::new(instance, new)
}
