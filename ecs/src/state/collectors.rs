//! How collectors begin, pause and end, and how what they hold is taken from them.

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use super::groups::group;
use crate::matching::group::Group;
use crate::matching::matcher::{GroupEvent, StillHolds, Trigger};
use crate::reactions::collector::Collector;
use crate::storage::bit_set::BitSet;
use crate::words::entity_id::UntypedId;

/// Makes a collector with its handle.
pub(crate) fn collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> Collector<C> {
    let index = add_collector(context, trigger);
    let core = context.core_mut();
    Collector::new(core.instance, index, core.collectors.watch(index))
}

/// Adds a collector that gathers from now on.
pub(super) fn add_collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> usize {
    let includes_rewinds = trigger.includes_rewinds();
    let alternatives = trigger.into_alternatives().into_iter();
    let groups = alternatives
        .map(|(matcher, events)| (group(context, matcher).index, events))
        .collect();
    let core = context.core_mut();
    let index = core.collectors.add(groups, includes_rewinds);
    core.set_subscribed(index, true);
    index
}

/// Moves what a collector holds to a list, which is emptied before.
pub(crate) fn drain_collector(core: &mut Registries, collector: usize, ids: &mut Vec<UntypedId>) {
    core.collectors.drain_into(&core.slots, collector, ids);
}

/// Forgets what a collector holds.
pub(crate) fn clear_collector(core: &mut Registries, collector: usize) {
    core.collectors.clear(collector);
}

/// An empty set for the rows that a query is to visit; that of the last query, if its rows are done with.
pub(crate) fn spare_rows(core: &mut Registries, narrow: bool) -> BitSet {
    if narrow {
        return BitSet::new();
    }
    let mut rows = core::mem::take(core.collectors.drained_mut());
    rows.clear();
    rows
}

/// Has a query visit these rows; if `narrow`, those of them that it was to visit before.
pub(crate) fn take_rows(core: &mut Registries, mut rows: BitSet, narrow: bool) {
    let taken = core.collectors.drained_mut();
    if narrow {
        rows.retain(|at| taken.word(at));
    }
    *taken = rows;
}

/// Puts the rows of what a collector holds into an empty set, and empties the collector.
pub(crate) fn drain_rows(core: &mut Registries, collector: usize, rows: &mut BitSet) {
    core.collectors.drain_rows(&core.slots, collector, rows);
}

/// Keeps of the rows taken those of which what one of the triggers waits for still holds.
pub(crate) fn keep_holding<C>(core: &mut Registries, parts: &[(Group<C>, StillHolds)]) {
    let (groups, columns, slots) = (&core.groups, core.columns.all(), &core.slots);
    core.collectors.drained_mut().retain(|at| {
        let holding = parts.iter().map(|(group, holds)| {
            let members = groups.members(group.index, columns, slots).word(at);
            let inside = if holds.of(true) { members } else { 0 };
            inside | if holds.of(false) { !members } else { 0 }
        });
        holding.fold(0, |all, rows| all | rows)
    });
}

impl Registries {
    /// Ends a collector.
    pub(crate) fn release_collector(&mut self, collector: usize) {
        self.set_subscribed(collector, false);
        self.collectors.release(collector);
    }

    /// Has a collector gather, or not; empties it if that changes.
    pub(crate) fn set_collecting(&mut self, collector: usize, active: bool) {
        if self.collectors.is_active(collector) != active {
            self.collectors.clear(collector);
            self.collectors.set_active(collector, active);
            self.set_subscribed(collector, active);
        }
    }

    /// Has a collector follow the events of the groups it waits for, or no longer.
    fn set_subscribed(&mut self, collector: usize, subscribed: bool) {
        for &(group, events) in self.collectors.groups(collector) {
            let all = GroupEvent::ALL.into_iter();
            for event in all.filter(|&event| events.contains(event)) {
                let groups = &mut self.groups;
                groups.change_watch(group, event, |watch| {
                    watch.set_collector(collector, subscribed);
                });
                self.graph.forget(&groups.get(group).condition, event);
            }
        }
        self.graph.tidy(!self.queue.turn.is_idle());
    }
}
