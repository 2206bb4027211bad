//! Internal invariants of a context between two changes, for tests. Each registry checks itself;
//! this file checks them against each other.
//!
//! While observers are notified, only invariants that always hold are checked.

use super::core::HasCore;
use super::relation::may_point_to;
use super::terms::check_flags;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::reactions::entity_index::Refresh;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::column::Column;
use crate::storage::past::Past;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::world::World;

/// Panics if any two structures of a context disagree. Computes the keys of all indexed entities:
/// user code.
pub(crate) fn check_invariants<C: HasCore>(context: &C) {
    let core = context.core();
    check_registries(&core.world, &core.subs);
    let is_at_rest = core.subs.queue.turn.is_idle();
    for (number, state) in core.subs.indexes.active().filter(|_| is_at_rest) {
        if let Some(reindex) = core.reindex(number) {
            (reindex.check)(context, number, &core.world.member_ids(state.group));
        }
    }
}

/// Panics if any two structures disagree.
fn check_registries(world: &World, subs: &Subscribers) {
    world.slots.check_invariants();
    world.groups.check_invariants();
    world.graph.check_invariants(&world.groups);
    subs.collectors
        .check_invariants(&world.slots, &world.groups);
    let is_member = |group, id| world.is_member(group, id);
    subs.indexes
        .check_invariants(&world.slots, &world.groups, is_member);
    subs.feeds.check_invariants();
    subs.removed.check_invariants();
    check_members(world);
    if subs.queue.turn.is_idle() {
        check_at_rest(world, subs);
    }
}

/// Checks what holds while no observer is running.
fn check_at_rest(world: &World, subs: &Subscribers) {
    subs.queue.check_invariants();
    subs.observers.check_invariants();
    check_owners(world);
    check_links(world, subs);
    check_flags(world, subs);
    check_observed(world, subs);
    check_listened(world, subs);
    let is_between = world.attempt.is_none() && world.required.is_empty();
    assert!(is_between, "a bundle has been left half-way");
    if let Some(recording) = subs.history.as_deref() {
        let columns = &world.columns;
        recording.check_invariants(|component| {
            columns
                .at(component)
                .and_then(Column::past)
                .map_or(0, Past::len)
        });
    }
}

/// An entity is a member of exactly the groups of its node.
fn check_members(world: &World) {
    for group in world.groups.indices() {
        let is_member = |node| world.graph.groups(node).contains(group);
        let members = world.slots.iter().map(|(_, slot)| slot);
        let members = members.filter(|slot| is_member(slot.node)).count();
        let rows = world.members(group);
        assert_eq!(world.group_len(group), members, "how many are in {group:?}");
        assert_eq!(rows.iter().len(), members, "members of {group:?}");
        for row in rows.iter() {
            let node = world.slots.node_in(row);
            let is_member = node.is_some_and(is_member);
            assert!(is_member, "{row:?} is in {group:?}, of node {node:?}");
        }
    }
}

/// An entity has values of exactly the components of its node, and free rows have none.
fn check_owners(world: &World) {
    for (at, column) in world.columns.iter().enumerate() {
        column.check_invariants();
        let component = RawComponentIndex::at(at);
        let has = |node| world.graph.components(node).contains(component);
        let entities = world.slots.iter().map(|(_, slot)| slot);
        let owners = entities.filter(|slot| has(slot.node)).count();
        assert_eq!(column.rows().count(), owners, "values of {component:?}");
        for row in column.rows() {
            let node = world.slots.node_in(row);
            assert!(
                node.is_some_and(has),
                "{row:?} has a value of {component:?}"
            );
        }
        let is_unique = column.descriptor().unique;
        assert!(
            !is_unique || owners <= 1,
            "{owners} entities have {component:?}"
        );
        if is_unique && let Some(row) = column.rows().next() {
            let (owner, recorded) = (world.slots.id_in(row), world.owners.last(component));
            assert_eq!(recorded, owner, "the owner of {component:?}");
        }
    }
}

/// Links match the targets of values, if these are alive; relations to dead targets exist only
/// if they are kept.
fn check_links(world: &World, subs: &Subscribers) {
    for (number, state) in subs.indexes.active() {
        let links = subs.indexes.links(number);
        let (Some(links), Some(Refresh::Links(target_of))) = (links, subs.refreshes.get(number))
        else {
            continue;
        };
        let mut count = 0;
        for id in world.member_ids(state.group) {
            let target = target_of(&world.columns, &world.slots, id);
            let is_fine = target.is_some_and(|target| may_point_to(world, links, target));
            assert!(is_fine, "{id} has a relation to {target:?}");
            let alive = target.filter(|target| world.slots.is_alive(*target));
            count += usize::from(alive.is_some());
            assert_eq!(links.target(id), alive.map(EntityId::untyped), "{id}");
        }
        assert_eq!(links.len(), count, "links of {:?}", links.component);
    }
}

/// Groups have the right numbers of observers.
fn check_observed(world: &World, subs: &Subscribers) {
    for group in world.groups.indices() {
        for event in GroupEvent::ALL {
            let count = subs.observers.count(Subject::group(group, event));
            let recorded = world.groups.get(group).watch(event).observers();
            assert_eq!(recorded, count, "observers of {event:?} of {group:?}");
        }
    }
    let next = GroupIndex(world.groups.len() as u32);
    let beyond = subs
        .observers
        .count(Subject::group(next, GroupEvent::Entered));
    assert_eq!(beyond, 0, "observers of a group that is not there");
}

/// An event has a source exactly while it has listeners, and each source has its own collector.
fn check_listened(world: &World, subs: &Subscribers) {
    for (&event, source) in subs.events.sources() {
        let listeners = subs.observers.listeners_to(event);
        assert_eq!(source.listeners, listeners, "listeners to {event:?}");
        assert!(listeners > 0, "no listener of {event:?}");
        let collects = subs.collectors.is_active(source.collector);
        assert_eq!(collects, subs.events.active, "what collects {event:?}");
        let mut waiting = source.waiting.iter();
        assert!(
            waiting.all(|id| subs.events.active && !world.slots.is_future(*id)),
            "who waits for {event:?}"
        );
    }
    let sources = subs.events.sources();
    let mut collectors: alloc::vec::Vec<_> = sources.map(|it| it.1.collector).collect();
    collectors.extend(subs.feeds.collectors());
    collectors.sort_unstable();
    assert!(
        collectors.is_sorted_by(|a, b| a < b),
        "a collector is used twice"
    );
}
