//! The kinds of blocks that contain the methods of a component.

/// The receiver and purpose of the methods of a block.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// On the shared entity handle: reading the component.
    Shared,
    /// On the exclusive entity handle: reading and changing the component.
    Exclusive,
    /// On a context: the entity with a unique component.
    Unique,
    /// On a context: lookups by key.
    Lookups,
    /// On a context: listening to the events of any entity.
    EventsOfAny,
    /// On the exclusive entity handle: listening to its events.
    EventsOfOne,
}

impl Kind {
    /// In the order in which they are emitted.
    pub(super) const ALL: [Self; 6] = [
        Self::Shared,
        Self::Exclusive,
        Self::Unique,
        Self::Lookups,
        Self::EventsOfAny,
        Self::EventsOfOne,
    ];

    /// Whether the receiver is a context, not an entity.
    pub(crate) fn is_on_contexts(self) -> bool {
        matches!(self, Self::Unique | Self::Lookups | Self::EventsOfAny)
    }
}
