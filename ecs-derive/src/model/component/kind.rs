//! The kinds of blocks that the methods of a component stand in.

/// What the methods of a block are called on, and what they are for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// On the handle that reads an entity: reading the component.
    Shared,
    /// On the handle that changes an entity: reading and changing the component.
    Exclusive,
    /// On a context: the one entity that has a unique component.
    Unique,
    /// On a context: the entities with a key.
    Lookups,
    /// On a context: listening to the events of any entity.
    EventsOfAny,
    /// On the handle that changes an entity: listening to its events.
    EventsOfOne,
}

impl Kind {
    /// In the order in which they are written.
    pub(super) const ALL: [Self; 6] = [
        Self::Shared,
        Self::Exclusive,
        Self::Unique,
        Self::Lookups,
        Self::EventsOfAny,
        Self::EventsOfOne,
    ];

    /// Whether the methods are called on a context, not on an entity.
    pub(crate) fn is_on_contexts(self) -> bool {
        matches!(self, Self::Unique | Self::Lookups | Self::EventsOfAny)
    }
}
