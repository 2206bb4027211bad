//! How collectors begin, pause and end.

use super::core::{HasCore, Registries};
use super::groups::group;
use crate::matching::matcher::{GroupEvent, Trigger};

/// Adds a collector that gathers from now on.
pub(crate) fn add_collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> usize {
    let follows_rewinds = trigger.follows_rewinds();
    let alternatives = trigger.into_alternatives().into_iter();
    let groups = alternatives
        .map(|(matcher, events)| (group(context, matcher).index, events))
        .collect();
    let core = context.core_mut();
    let index = core.collectors.add(groups, follows_rewinds);
    core.set_following(index, true);
    index
}

impl Registries {
    /// Ends a collector.
    pub(crate) fn release_collector(&mut self, collector: usize) {
        self.set_following(collector, false);
        self.collectors.release(collector);
    }

    /// Has a collector gather, or not; empties it if that changes.
    pub(crate) fn set_collecting(&mut self, collector: usize, active: bool) {
        if self.collectors.is_active(collector) != active {
            self.collectors.clear(collector);
            self.collectors.set_active(collector, active);
            self.set_following(collector, active);
        }
    }

    /// Has a collector follow the events of the groups it waits for, or no longer.
    fn set_following(&mut self, collector: usize, follows: bool) {
        for &(group, events) in self.collectors.groups(collector) {
            let all = GroupEvent::ALL.into_iter();
            for event in all.filter(|&event| events.contains(event)) {
                let groups = &mut self.groups;
                groups.change_watch(group, event, |watch| {
                    watch.set_collector(collector, follows);
                });
                self.graph.forget(&groups.get(group).condition, event);
            }
        }
        self.graph.tidy(!self.queue.turn.is_idle());
    }
}
