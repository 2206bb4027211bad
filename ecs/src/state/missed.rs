//! Missed entities: those that lose a component before any collector's owner has read that they
//! have it.

use alloc::vec::Vec;

use super::core::HasCore;
use super::subscribe::internal_collectors;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::reactions::subscribers::Subscribers;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::limits::ROWS;
use crate::world::World;

/// Counts the living entities, about to lose a component, that are in a collector for added or
/// changed components of a group and would still match it. Listeners and feeds are not counted.
pub(crate) fn missed<C: HasCore>(
    context: &C,
    component: RawComponentIndex,
    ids: &[EntityId<C>],
) -> usize {
    let core = context.core();
    let waiting = match ids.is_empty() {
        true => Vec::new(),
        false => waiting_for(&core.world, &core.subs, component),
    };
    if waiting.is_empty() {
        return 0;
    }
    let held = ids.iter().map(|id| id.untyped());
    let held = held.filter(|&id| {
        waiting
            .iter()
            .any(|waiting| waiting.holds(&core.world, &core.subs, id))
    });
    held.count()
}

/// A collector with contents, and its groups for added or changed values of a component.
struct Waiting {
    collector: usize,
    groups: Vec<GroupIndex>,
}

impl Waiting {
    /// Whether it contains an entity that is in one of the groups.
    fn holds(&self, world: &World, subs: &Subscribers, id: UntypedId) -> bool {
        let row = world.slots.row_of(id).get();
        let is_in = |&group| world.members(group).word(row / ROWS) >> (row % ROWS) & 1 != 0;
        subs.collectors.holds(&world.slots, self.collector, id) && self.groups.iter().any(is_in)
    }
}

/// The collectors with contents that collect added or changed values of a component.
fn waiting_for(world: &World, subs: &Subscribers, component: RawComponentIndex) -> Vec<Waiting> {
    let unread = subs.collectors.unread().map(|collector| Waiting {
        collector,
        groups: groups_waiting_for(world, subs, collector, component).collect(),
    });
    let mut waiting: Vec<_> = unread.filter(|it| !it.groups.is_empty()).collect();
    if !waiting.is_empty() {
        let internal = internal_collectors(subs);
        waiting.retain(|it| !internal.contains(&it.collector));
    }
    waiting
}

fn groups_waiting_for<'a>(
    world: &'a World,
    subs: &'a Subscribers,
    collector: usize,
    component: RawComponentIndex,
) -> impl Iterator<Item = GroupIndex> + 'a {
    let groups = subs.collectors.groups(collector).iter();
    let waiting = groups.filter(move |(group, events)| {
        let follows = |event| events.contains(event);
        (follows(GroupEvent::Entered) || follows(GroupEvent::Updated))
            && world.groups.get(*group).condition.watches(component)
    });
    waiting.map(|&(group, _)| group)
}
