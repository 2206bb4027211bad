//! The effect of a change on one group.

use crate::matching::group::{GroupIndex, Groups, Watch};
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;

/// The number of observer lists before those of groups, which have three each.
pub(crate) const OF_CONTEXT: u32 = 4;

/// The effect of a change on one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The number of the observer list for this event of the group.
    pub(crate) number: u32,
    /// The component through which it happens; `None` if the entity is created with all its
    /// components, or is destroyed and matches the group even without components.
    pub(crate) component: Option<RawComponentIndex>,
}

impl Effect {
    pub(crate) fn new(
        group: GroupIndex,
        event: GroupEvent,
        component: Option<RawComponentIndex>,
    ) -> Self {
        let number = Self::number_of(group, event);
        Self { number, component }
    }

    /// The number of the observer list for an event of a group.
    pub(crate) fn number_of(group: GroupIndex, event: GroupEvent) -> u32 {
        OF_CONTEXT + group.0 * 3 + event as u32
    }

    pub(crate) fn group(self) -> GroupIndex {
        GroupIndex((self.number - OF_CONTEXT) / 3)
    }

    pub(crate) fn event(self) -> GroupEvent {
        GroupEvent::ALL[(self.number - OF_CONTEXT) as usize % 3]
    }

    pub(super) fn watch<'g>(&self, groups: &'g Groups) -> &'g Watch {
        groups.get(self.group()).watch(self.event())
    }
}
