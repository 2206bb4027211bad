//! Creating, pausing, draining and releasing collectors.

use alloc::vec::Vec;

use super::core::{HasCore, tidy_graph};
use super::matcher_groups::group;
use crate::matching::group::Group;
use crate::matching::matcher::{GroupEvent, StillHolds, Trigger};
use crate::reactions::collector::Collector;
use crate::reactions::subscribers::Subscribers;
use crate::storage::bit_set::BitSet;
use crate::storage::slots::Row;
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;
use crate::world::World;

/// Creates a collector and its handle.
pub(crate) fn collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> Collector<C> {
    let index = add_collector(context, trigger);
    let core = context.core_mut();
    Collector::new(
        core.world.instance,
        index,
        core.subs.collectors.watch(index),
    )
}

/// Adds an active collector.
pub(crate) fn add_collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> usize {
    let includes_rewinds = trigger.includes_rewinds();
    let alternatives = trigger.into_alternatives().into_iter();
    let groups = alternatives
        .map(|(matcher, events)| (group(context, matcher).index, events))
        .collect();
    let core = context.core_mut();
    let index = core.subs.collectors.add(groups, includes_rewinds);
    set_subscribed(&mut core.world, &mut core.subs, index, true);
    index
}

/// Moves the contents of a collector to a list, which is cleared first.
pub(crate) fn drain_collector(
    world: &World,
    subs: &mut Subscribers,
    collector: usize,
    ids: &mut Vec<UntypedId>,
) {
    subs.collectors.drain_into(&world.slots, collector, ids);
}

/// Puts drained ids back.
pub(crate) fn put_back_collected(
    world: &World,
    subs: &mut Subscribers,
    collector: usize,
    ids: &[UntypedId],
) {
    subs.collectors.collect_again(&world.slots, collector, ids);
}

/// Discards the contents of a collector.
pub(crate) fn clear_collector(subs: &mut Subscribers, collector: usize) {
    subs.collectors.clear(collector);
}

/// An empty set for the rows of a query; reuses that of the last query, unless `narrow`.
pub(crate) fn spare_rows(subs: &mut Subscribers, narrow: bool) -> BitSet {
    if narrow {
        return BitSet::new();
    }
    let mut rows = core::mem::take(subs.collectors.drained_mut());
    rows.clear();
    rows
}

/// Sets the rows that a query visits; if `narrow`, only those of them that were set before.
pub(crate) fn take_rows(subs: &mut Subscribers, mut rows: BitSet, narrow: bool) {
    let taken = subs.collectors.drained_mut();
    if narrow {
        rows.retain(|at| taken.word(at));
    }
    *taken = rows;
}

/// The entities in the rows that a query visits.
pub(crate) fn taken_ids(world: &World, subs: &mut Subscribers) -> Vec<UntypedId> {
    let words = subs.collectors.drained_mut().words().iter();
    let rows = words
        .enumerate()
        .flat_map(|(at, &bits)| Bits(bits).map(move |place| Row((at * ROWS) as u32 + place)));
    rows.filter_map(|row| world.slots.id_in(row)).collect()
}

/// Moves the rows of a collector's contents to an empty set.
pub(crate) fn drain_rows(
    world: &World,
    subs: &mut Subscribers,
    collector: usize,
    rows: &mut BitSet,
) {
    subs.collectors.drain_rows(&world.slots, collector, rows);
}

/// Keeps only those of the taken rows for which one of the triggers still holds.
pub(crate) fn keep_holding<C>(
    world: &World,
    subs: &mut Subscribers,
    parts: &[(Group<C>, StillHolds)],
) {
    let (groups, columns, slots) = (&world.groups, world.columns.all(), &world.slots);
    subs.collectors.drained_mut().retain(|at| {
        let holding = parts.iter().map(|(group, holds)| {
            let members = groups.members(group.index, columns, slots).word(at);
            let inside = if holds.of(true) { members } else { 0 };
            inside | if holds.of(false) { !members } else { 0 }
        });
        holding.fold(0, |all, rows| all | rows)
    });
}

/// Releases a collector.
pub(crate) fn release_collector(world: &mut World, subs: &mut Subscribers, collector: usize) {
    set_subscribed(world, subs, collector, false);
    subs.collectors.release(collector);
}

/// Sets whether a collector is active; empties it if that changes.
pub(crate) fn set_collecting(
    world: &mut World,
    subs: &mut Subscribers,
    collector: usize,
    active: bool,
) {
    if subs.collectors.is_active(collector) != active {
        subs.collectors.clear(collector);
        subs.collectors.set_active(collector, active);
        set_subscribed(world, subs, collector, active);
    }
}

/// Subscribes a collector to the events of its groups, or unsubscribes it.
fn set_subscribed(world: &mut World, subs: &mut Subscribers, collector: usize, subscribed: bool) {
    for &(group, events) in subs.collectors.groups(collector) {
        let all = GroupEvent::ALL.into_iter();
        for event in all.filter(|&event| events.contains(event)) {
            let groups = &mut world.groups;
            groups.change_watch(group, event, |watch| {
                watch.set_collector(collector, subscribed);
            });
            world.graph.forget(&groups.get(group).condition, event);
        }
    }
    tidy_graph(world, subs);
}
