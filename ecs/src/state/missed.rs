//! What is missed: entities that lose a component before somebody has read that they have it.

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::limits::ROWS;

/// How many of these living entities, which are about to lose a component, are held by a collector
/// that waits for the component to come or to change, and would have found them in its group.
/// Listeners and feeds are not counted.
pub(crate) fn missed<C: HasCore>(
    context: &C,
    component: RawComponentIndex,
    ids: &[EntityId<C>],
) -> usize {
    let core = context.core();
    let waiting = match ids.is_empty() {
        true => Vec::new(),
        false => core.waiting_for(component),
    };
    if waiting.is_empty() {
        return 0;
    }
    let held = ids.iter().map(|id| id.untyped());
    let held = held.filter(|&id| waiting.iter().any(|waiting| waiting.holds(core, id)));
    held.count()
}

/// A collector that holds something, and that waits in some groups for who comes to have a component.
struct Waiting {
    collector: usize,
    groups: Vec<GroupIndex>,
}

impl Waiting {
    /// Whether it holds an entity, which is in one of the groups.
    fn holds(&self, core: &Registries, id: UntypedId) -> bool {
        let row = core.slots.row_of(id).get();
        let is_in = |&group| core.members(group).word(row / ROWS) >> (row % ROWS) & 1 != 0;
        core.collectors.holds(&core.slots, self.collector, id) && self.groups.iter().any(is_in)
    }
}

impl Registries {
    /// The collectors that hold something, and that hold who comes to have a component.
    fn waiting_for(&self, component: RawComponentIndex) -> Vec<Waiting> {
        let unread = self.collectors.unread().map(|collector| Waiting {
            collector,
            groups: self.groups_waiting_for(collector, component).collect(),
        });
        let mut waiting: Vec<_> = unread.filter(|it| !it.groups.is_empty()).collect();
        if !waiting.is_empty() {
            let internal = self.internal_collectors();
            waiting.retain(|it| !internal.contains(&it.collector));
        }
        waiting
    }

    fn groups_waiting_for(
        &self,
        collector: usize,
        component: RawComponentIndex,
    ) -> impl Iterator<Item = GroupIndex> + '_ {
        let groups = self.collectors.groups(collector).iter();
        let waiting = groups.filter(move |(group, events)| {
            let follows = |event| events.contains(event);
            (follows(GroupEvent::Entered) || follows(GroupEvent::Updated))
                && self.groups.get(*group).condition.watches(component)
        });
        waiting.map(|&(group, _)| group)
    }
}
