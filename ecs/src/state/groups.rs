//! Groups that come into being, and who waits for them: what the graph has to work out anew
//! when a group, a collector or an observer comes or goes.

use super::core::{Core, HasCore};
use super::deliver::tell_group_created;
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::change::Subject;

impl<C: 'static> Core<C> {
    /// Has the graph work out all effects anew.
    pub(super) fn forget_effects(&mut self) {
        let delivering = self.is_delivering();
        self.queue.kept_told |= delivering;
        self.queue.untidy |= delivering;
        self.graph.forget_effects(delivering);
    }

    /// Makes the group of a matcher that has none yet, with all that match already.
    pub(crate) fn add_group(&mut self, matcher: Matcher<C>) -> GroupIndex {
        let nodes = self.graph.matching(&matcher);
        let (group, is_filled) = self.groups.add(matcher, nodes);
        self.observers.add_group();
        self.graph.add_group(group, &self.groups.get(group).matcher);
        self.forget_effects();
        if !is_filled {
            self.fill_group(group);
        }
        group
    }

    /// Takes all that match into a new group.
    fn fill_group(&mut self, group: GroupIndex) {
        for (_, slot) in self.slots.iter::<C>() {
            if self.graph.groups(slot.node).last() == Some(&group)
                && let Some(members) = self.groups.first_members_mut(group)
            {
                members.flip(slot.row);
            }
        }
    }

    /// Tells the groups and the graph how many observers a subject has now.
    pub(crate) fn recount_observers(&mut self, subject: Subject) {
        if let Some((group, event)) = subject.as_group() {
            let count = self.observers.count(subject);
            self.groups
                .get_mut(group)
                .watch_mut(event)
                .set_observers(count);
            self.forget_effects();
        }
    }

    /// Marks a collector in the groups it waits for, or unmarks it.
    pub(crate) fn mark_collector(&mut self, collector: usize, interested: bool) {
        for &(group, events) in self.collectors.parts(collector) {
            for event in GroupEvent::ALL {
                if events.contains(event) {
                    let groups = &mut self.groups;
                    groups.set_collector(group, event, collector, interested);
                }
            }
        }
        self.forget_effects();
    }
}

/// The group of a matcher, made where there is none yet.
pub(crate) fn group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core_mut();
    let instance = core.instance;
    if let Some(known) = core.groups.find(&matcher) {
        return Group::new(instance, known);
    }
    let new = core.add_group(matcher);
    tell_group_created(context, new);
    Group::new(instance, new)
}
