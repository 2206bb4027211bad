//! Creating groups, traversing them, and invalidating the graph when a group or an observer is
//! added or removed.

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use super::dispatch::notify_group_created;
use super::user_code::Session;
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::{Condition, GroupEvent, Matcher};
use crate::matching::members::{Members, Terms};
use crate::reactions::subscription::Subject;
use crate::storage::slots::EMPTY_NODE;
use crate::words::entity_id::{EntityId, UntypedId};

impl Registries {
    /// Invalidates the effects of an event of a group, after its subscribers have changed.
    pub(super) fn forget_effects(&mut self, group: GroupIndex, event: GroupEvent) {
        self.graph.forget(&self.groups.get(group).condition, event);
        self.tidy_graph();
    }

    /// The matcher of a group.
    pub(crate) fn matcher<C>(&self, group: GroupIndex) -> &Matcher<C> {
        Matcher::of(&self.groups.get(group).condition)
    }

    /// Creates the group of a condition without one.
    pub(super) fn add_group(&mut self, condition: Condition) -> GroupIndex {
        let group = self.groups.add(condition);
        self.observers.add_group();
        self.graph
            .add_group(group, &self.groups.get(group).condition);
        group
    }

    /// The members of a group.
    #[inline]
    pub(crate) fn members(&self, group: GroupIndex) -> Members<'_> {
        self.groups.members(group, self.columns.all(), &self.slots)
    }

    /// The rows that match a condition, which need not have a group.
    pub(crate) fn matching(&self, condition: &Condition) -> Members<'_, Terms> {
        Members::of(condition, self.columns.all(), &self.slots)
    }

    /// The number of members of a group.
    #[inline]
    pub(crate) fn group_len(&self, group: GroupIndex) -> usize {
        self.groups.len_of(group, self.columns.all(), &self.slots)
    }

    /// Whether an entity is alive and a member of a group.
    #[inline]
    #[track_caller]
    pub(crate) fn is_member<I>(&self, group: GroupIndex, id: EntityId<I>) -> bool {
        let slot = self.slots.get(id);
        slot.is_some_and(|slot| self.graph.groups(slot.node).contains(group))
    }

    /// The ids of a group's members, in the order of their rows.
    pub(super) fn member_ids(&self, group: GroupIndex) -> Vec<UntypedId> {
        let rows = self.members(group).iter();
        rows.filter_map(|row| self.slots.id_in(row)).collect()
    }

    /// Updates the groups and the graph after a change in the number of observers of a subject.
    pub(super) fn recount_observers(&mut self, subject: Subject) {
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

/// Calls `each` with every member of a group. Skips members that are destroyed before their turn.
pub(crate) fn for_each_member<C: HasCore>(
    context: &mut C,
    group: GroupIndex,
    mut each: impl FnMut(&mut C, EntityId<C>),
) {
    let core = context.core_mut();
    let mut rows = core.slots.rows_for_traversal();
    rows.extend(core.members(group).words());
    let number = core.slots.begin_traversal(rows);
    let session = Session::new(context);
    let mut traversal = OpenTraversal { session, number };
    while let Some(id) = traversal.next() {
        traversal.session.call(|context| each(context, id.typed()));
    }
}

/// A running traversal. Ends when it is dropped, also by a panic.
struct OpenTraversal<'a, C: HasCore> {
    session: Session<'a, C>,
    number: usize,
}

impl<C: HasCore> OpenTraversal<'_, C> {
    #[inline]
    fn next(&mut self) -> Option<UntypedId> {
        let core = self.session.context().core_mut();
        core.slots.next_of_traversal(self.number)
    }
}

impl<C: HasCore> Drop for OpenTraversal<'_, C> {
    fn drop(&mut self) {
        if let Some(core) = self.session.core_mut() {
            core.slots.end_traversal(self.number);
        }
    }
}

/// The group of a matcher, created if necessary. The lookup is inlined, so that a new matcher stays
/// in registers: loading it from memory right after storing it stalls the processor, which doubles
/// the time.
#[inline(always)]
pub(crate) fn group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core();
    if !core.columns.disabling().is_empty() {
        return group_without_disabled(context, matcher);
    }
    match core.groups.find(matcher.condition()) {
        Some(known) => Group::new(core.instance, known),
        None => make_group(context, matcher),
    }
}

/// The group of a matcher in a context with components that disable entities.
#[inline(never)]
fn group_without_disabled<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core();
    let matcher = matcher.hiding(core.columns.disabling());
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
    let new = core.add_group(matcher.into_condition());
    notify_group_created(context, new);
    Group::new(instance, new)
}

impl Registries {
    /// Frees the signatures without entities, if there are many of them.
    ///
    /// Must be called before a change, while no effects and no signature without entities are in
    /// use.
    #[inline]
    pub(super) fn collect_signatures(&mut self) {
        if self.graph.is_large(self.slots.rows()) {
            self.give_back_signatures();
        }
    }

    /// Frees the signatures without entities.
    #[cold]
    #[inline(never)]
    pub(super) fn give_back_signatures(&mut self) {
        let mut in_use = alloc::vec![false; self.graph.bound()];
        in_use[EMPTY_NODE.0 as usize] = true;
        for (_, slot) in self.slots.iter() {
            in_use[slot.node.0 as usize] = true;
        }
        self.graph.retain(&in_use, !self.queue.turn.is_idle());
    }
}
