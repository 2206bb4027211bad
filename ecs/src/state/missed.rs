//! What is missed: entities that lose a component before somebody has read that they have it.

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use crate::matching::matcher::GroupEvent;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

/// How many of these living entities, which are about to lose a component, are held by a collector
/// that waits for the component to come or to change. Listeners and feeds are not counted.
pub(crate) fn missed<C: HasCore>(
    context: &C,
    component: ComponentIndex,
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
    let holds = |id| move |&index: &usize| core.collectors.holds(&core.slots, index, id);
    let held = ids
        .iter()
        .filter(|&&id| waiting.iter().any(holds(id.untyped())));
    held.count()
}

impl Registries {
    /// The collectors that hold something, and that hold who comes to have a component.
    fn waiting_for(&self, component: ComponentIndex) -> Vec<usize> {
        let unread = self.collectors.unread();
        let mut waiting: Vec<_> = unread
            .filter(|&index| self.waits_for(index, component))
            .collect();
        if !waiting.is_empty() {
            let internal = self.internal_collectors();
            waiting.retain(|index| !internal.contains(index));
        }
        waiting
    }

    fn waits_for(&self, collector: usize, component: ComponentIndex) -> bool {
        let mut groups = self.collectors.groups(collector).iter();
        groups.any(|&(group, events)| {
            let follows = |event| events.contains(event);
            (follows(GroupEvent::Entered) || follows(GroupEvent::Updated))
                && self.groups.get(group).condition.watches(component)
        })
    }
}
