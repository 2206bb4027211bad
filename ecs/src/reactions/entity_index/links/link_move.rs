//! A recorded move of a source of an ordered relation.

use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// A change of the sources of a target in an ordered relation.
#[derive(Clone, Copy)]
pub(crate) enum LinkMove {
    /// The source was appended.
    Linked {
        source: UntypedId,
        target: UntypedId,
    },
    /// The source was inserted after this one, or as the first.
    Placed {
        source: UntypedId,
        target: UntypedId,
        before: Option<UntypedId>,
    },
    /// The source was removed that came after this one, or was the first.
    Unlinked {
        source: UntypedId,
        target: UntypedId,
        before: Option<UntypedId>,
    },
}

impl LinkMove {
    /// The source that moves.
    pub(crate) fn source(self) -> UntypedId {
        match self {
            Self::Linked { source, .. }
            | Self::Placed { source, .. }
            | Self::Unlinked { source, .. } => source,
        }
    }

    /// The source before the place from which the source was removed, if it was.
    pub(crate) fn removed_after(self) -> Option<Option<UntypedId>> {
        match self {
            Self::Unlinked { before, .. } => Some(before),
            Self::Linked { .. } | Self::Placed { .. } => None,
        }
    }

    /// The target, and the source before the place if that is known.
    pub(crate) fn place(self) -> (UntypedId, Option<UntypedId>) {
        match self {
            Self::Linked { target, .. } => (target, None),
            Self::Placed { target, before, .. } | Self::Unlinked { target, before, .. } => {
                (target, before)
            }
        }
    }

    /// This move, to a place after another source.
    pub(crate) fn after(mut self, other: Option<UntypedId>) -> Self {
        if let Self::Placed { before, .. } | Self::Unlinked { before, .. } = &mut self {
            *before = other;
        }
        self
    }

    /// All ids.
    pub(crate) fn ids(self) -> impl Iterator<Item = UntypedId> {
        let (target, before) = self.place();
        [self.source(), target].into_iter().chain(before)
    }

    /// Replaces each id.
    pub(crate) fn map(self, map: impl Fn(UntypedId) -> UntypedId) -> Self {
        match self {
            Self::Linked { source, target } => Self::Linked {
                source: map(source),
                target: map(target),
            },
            Self::Placed {
                source,
                target,
                before,
            } => Self::Placed {
                source: map(source),
                target: map(target),
                before: before.map(map),
            },
            Self::Unlinked {
                source,
                target,
                before,
            } => Self::Unlinked {
                source: map(source),
                target: map(target),
                before: before.map(map),
            },
        }
    }
}

/// Where the moves of a relation begin that a recorder is interested in.
pub(crate) type MovesStart = (RawComponentIndex, usize);
