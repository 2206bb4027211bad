//! Component events: a component was set or removed, on any entity or on a particular one.

use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, RawEntityId};

/// The entities whose events are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Every entity.
    Any,
    /// One entity.
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventKind {
    /// The component was added, replaced or updated.
    Set,
    /// The component was removed, or its entity was destroyed.
    Removed,
}

/// A component event. Ordered by its fields, which is the order of delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    priority: i32,
    pub(crate) component: RawComponentIndex,
    scope: Scope,
    pub(crate) kind: EventKind,
}

impl Event {
    /// The event of component `T`, with its declared priority.
    pub(crate) fn of<C: 'static, T: Component<C>>(scope: Scope, kind: EventKind) -> Self {
        Self {
            priority: T::EVENT_PRIORITIES[scope as usize][kind as usize],
            component: index_of::<C, T>(),
            scope,
            kind,
        }
    }

    /// The entity in the audience of this event, if listeners subscribe to single entities.
    pub(crate) fn entity<C>(&self, id: EntityId<C>) -> Option<RawEntityId> {
        match self.scope {
            Scope::Any => None,
            Scope::Own => Some(id.raw()),
        }
    }
}
