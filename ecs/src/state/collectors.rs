//! Creating, pausing, draining and releasing collectors.

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use super::groups::group;
use crate::matching::group::Group;
use crate::matching::matcher::{GroupEvent, StillHolds, Trigger};
use crate::reactions::collector::Collector;
use crate::storage::bit_set::BitSet;
use crate::words::entity_id::UntypedId;

/// Creates a collector and its handle.
pub(crate) fn collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> Collector<C> {
    let index = add_collector(context, trigger);
    let core = context.core_mut();
    Collector::new(core.instance, index, core.collectors.watch(index))
}

/// Adds an active collector.
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

/// Moves the contents of a collector to a list, which is cleared first.
pub(crate) fn drain_collector(core: &mut Registries, collector: usize, ids: &mut Vec<UntypedId>) {
    core.collectors.drain_into(&core.slots, collector, ids);
}

/// Discards the contents of a collector.
pub(crate) fn clear_collector(core: &mut Registries, collector: usize) {
    core.collectors.clear(collector);
}

/// An empty set for the rows of a query; reuses that of the last query, unless `narrow`.
pub(crate) fn spare_rows(core: &mut Registries, narrow: bool) -> BitSet {
    if narrow {
        return BitSet::new();
    }
    let mut rows = core::mem::take(core.collectors.drained_mut());
    rows.clear();
    rows
}

/// Sets the rows that a query visits; if `narrow`, only those of them that were set before.
pub(crate) fn take_rows(core: &mut Registries, mut rows: BitSet, narrow: bool) {
    let taken = core.collectors.drained_mut();
    if narrow {
        rows.retain(|at| taken.word(at));
    }
    *taken = rows;
}

/// Moves the rows of a collector's contents to an empty set.
pub(crate) fn drain_rows(core: &mut Registries, collector: usize, rows: &mut BitSet) {
    core.collectors.drain_rows(&core.slots, collector, rows);
}

/// Keeps only those of the taken rows for which one of the triggers still holds.
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
    /// Releases a collector.
    pub(crate) fn release_collector(&mut self, collector: usize) {
        self.set_subscribed(collector, false);
        self.collectors.release(collector);
    }

    /// Sets whether a collector is active; empties it if that changes.
    pub(crate) fn set_collecting(&mut self, collector: usize, active: bool) {
        if self.collectors.is_active(collector) != active {
            self.collectors.clear(collector);
            self.collectors.set_active(collector, active);
            self.set_subscribed(collector, active);
        }
    }

    /// Subscribes a collector to the events of its groups, or unsubscribes it.
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
        self.tidy_graph();
    }
}
