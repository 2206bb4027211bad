//! Errors of histories.

use alloc::vec::Vec;
use core::fmt;

use super::demands::not_clone;

/// Why a [`History`](crate::History) cannot be started or used. Nothing has changed.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use ecs::{History, HistoryError};
/// let mut ui = Ui::new();
/// // `Canvas` is not `Clone`
/// let rejected = History::builder().try_record(&mut ui).unwrap_err();
/// assert!(matches!(&rejected, HistoryError::NotClone { components, .. } if components == &["Canvas"]));
/// assert_eq!(
///     rejected.to_string(),
///     "cannot record context `Ui`: component `Canvas` is not `Clone`; derive `Clone` for it, or \
///      leave it out: `History::builder().without::<Canvas>()`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryError {
    /// Some components are neither `Clone` nor excluded.
    NotClone {
        /// The name of the context.
        context: &'static str,
        /// The names of the components.
        components: Vec<&'static str>,
    },
    /// The context already has a history.
    AlreadyRecording {
        /// The name of the context.
        context: &'static str,
    },
    /// Observers are being notified of a change.
    Busy {
        /// The name of the context.
        context: &'static str,
    },
    /// The history has ended.
    Ended {
        /// The name of the context.
        context: &'static str,
    },
    /// The mark belongs to another history, or it has been discarded: explicitly, or by a change
    /// after it was undone.
    UnknownMark {
        /// The name of the context.
        context: &'static str,
    },
    /// The mark is later than the current state, so `rewind` cannot reach it.
    MarkIsAhead {
        /// The name of the context.
        context: &'static str,
    },
    /// The mark is earlier than the current state, so `forward` cannot reach it.
    MarkIsBehind {
        /// The name of the context.
        context: &'static str,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClone {
                context,
                components,
            } => {
                write!(f, "cannot record context `{context}`: ")?;
                not_clone(f, components, "History")
            }
            Self::AlreadyRecording { context }
            | Self::Busy { context }
            | Self::Ended { context }
            | Self::UnknownMark { context }
            | Self::MarkIsAhead { context }
            | Self::MarkIsBehind { context } => self.of_context(context, f),
        }
    }
}

impl HistoryError {
    /// Prints an error that names only the context.
    fn of_context(&self, context: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, behind) = match self {
            Self::AlreadyRecording { .. } => (
                "cannot record",
                ": it is recorded already, and has one history at a time; use that one, or drop it \
                 before",
            ),
            Self::Busy { .. } => (
                "cannot use the history of",
                " now: observers are being notified of a change; do it after the call that made the change has returned",
            ),
            Self::Ended { .. } => (
                "this history of",
                " has ended; begin another one by `record`",
            ),
            Self::MarkIsAhead { .. } => (
                "cannot rewind",
                " to a mark that is ahead of the present; use `forward`",
            ),
            Self::MarkIsBehind { .. } => (
                "cannot go forward in",
                " to a mark that is behind the present; use `rewind`",
            ),
            _ => (
                "this mark of",
                " no longer exists: it was forgotten, discarded by a change after a rewind, or before `reset`; keep the marks that can still be reached",
            ),
        };
        write!(f, "{before} context `{context}`{behind}")
    }
}

impl core::error::Error for HistoryError {}
