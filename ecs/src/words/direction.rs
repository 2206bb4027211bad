//! Which way a history is walked.

/// The way from one moment of a history to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To an earlier moment: changes are undone.
    Back,
    /// To a later moment: changes that were undone are done again.
    Forward,
}
