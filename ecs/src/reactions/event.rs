//! An event of a component: that a component was set or removed, on any entity or on one.

use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, RawEntityId};

/// Whose events are listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Those of every entity.
    Any,
    /// Those of one entity.
    Own,
}

/// What is listened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventKind {
    /// The component was added, replaced or updated.
    Set,
    /// The component was removed, or its entity ended.
    Removed,
}

/// An event of a component. The order of the fields is the order of delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    priority: i32,
    pub(crate) component: RawComponentIndex,
    pub(crate) scope: Scope,
    pub(crate) kind: EventKind,
}

impl Event {
    /// The event of component `T`, with the priority that it was declared with.
    pub(crate) fn of<C: 'static, T: Component<C>>(scope: Scope, kind: EventKind) -> Self {
        Self {
            priority: T::EVENT_PRIORITIES[scope as usize][kind as usize],
            component: index_of::<C, T>(),
            scope,
            kind,
        }
    }

    /// The entity whose listeners are notified of what happened to an entity, if they
    /// listen to one.
    pub(crate) fn entity<C>(&self, id: EntityId<C>) -> Option<RawEntityId> {
        match self.scope {
            Scope::Any => None,
            Scope::Own => Some(id.raw()),
        }
    }
}
