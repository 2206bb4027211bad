//! One step in which links change, as the journal keeps it.

use alloc::vec::Vec;

use crate::words::entity_id::UntypedId;

/// A step in which links changed.
pub(super) enum Step {
    /// A source came to its target, behind all others.
    Linked(UntypedId, UntypedId),
    /// A source was taken from its place among those of its target, which the last one took.
    Unlinked(UntypedId, UntypedId, usize),
    /// A source was taken from behind another one, or from before all others of its target.
    UnlinkedBehind(UntypedId, UntypedId, Option<UntypedId>),
    /// All sources were taken from a target: these, if the step is behind.
    Detached(UntypedId, Vec<UntypedId>),
}
