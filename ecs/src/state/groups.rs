//! Adding groups, traversing them, and invalidating the graph when a group or an observer is
//! added or removed.

use super::core::{HasCore, tidy_graph};
use super::user_code::Session;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::{Condition, GroupEvent};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::slots::EMPTY_NODE;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::world::World;

/// Invalidates the effects of an event of a group, after its subscribers have changed.
pub(super) fn forget_effects(
    world: &mut World,
    subs: &mut Subscribers,
    group: GroupIndex,
    event: GroupEvent,
) {
    world
        .graph
        .forget(&world.groups.get(group).condition, event);
    tidy_graph(world, subs);
}

/// Creates the group of a condition without one.
pub(super) fn add_group(
    world: &mut World,
    subs: &mut Subscribers,
    condition: Condition,
) -> GroupIndex {
    let group = world.groups.add(condition);
    subs.observers.add_group();
    world
        .graph
        .add_group(group, &world.groups.get(group).condition);
    group
}

/// Updates the groups and the graph after a change in the number of observers of a subject.
pub(super) fn recount_observers(world: &mut World, subs: &mut Subscribers, subject: Subject) {
    if let Some((group, event)) = subject.as_group() {
        let count = subs.observers.count(subject);
        let before = world.groups.get(group).watch(event).is_observed();
        world
            .groups
            .change_watch(group, event, |watch| watch.set_observers(count));
        if before != (count > 0) {
            forget_effects(world, subs, group, event);
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
    let mut rows = core.world.slots.rows_for_traversal();
    rows.extend(core.world.members(group).words());
    let number = core.world.slots.begin_traversal(rows);
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
        core.world.slots.next_of_traversal(self.number)
    }
}

impl<C: HasCore> Drop for OpenTraversal<'_, C> {
    fn drop(&mut self) {
        if let Some(core) = self.session.core_mut() {
            core.world.slots.end_traversal(self.number);
        }
    }
}

/// Frees the signatures without entities, if there are many of them.
///
/// Must be called before a change, while no effects and no signature without entities are in
/// use.
#[inline]
pub(crate) fn collect_signatures(world: &mut World, subs: &Subscribers) {
    if world.graph.is_large(world.slots.rows()) {
        give_back_signatures(world, subs);
    }
}

/// Frees the signatures without entities.
#[cold]
#[inline(never)]
pub(super) fn give_back_signatures(world: &mut World, subs: &Subscribers) {
    let mut in_use = alloc::vec![false; world.graph.bound()];
    in_use[EMPTY_NODE.0 as usize] = true;
    for (_, slot) in world.slots.iter() {
        in_use[slot.node.0 as usize] = true;
    }
    world.graph.retain(&in_use, !subs.queue.turn.is_idle());
}
