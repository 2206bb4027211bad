//! Errors of snapshots.

use alloc::vec::Vec;
use core::fmt;

use super::demands::not_clone;

/// Why a [`Snapshot`](crate::Snapshot) cannot be taken or restored. Nothing has changed.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use ecs::{Snapshot, SnapshotError};
/// let mut ui = Ui::new();
/// // `Canvas` is not `Clone`
/// let rejected = Snapshot::builder().try_snapshot(&mut ui).unwrap_err();
/// assert!(matches!(&rejected, SnapshotError::NotClone { components, .. } if components == &["Canvas"]));
/// assert_eq!(
///     rejected.to_string(),
///     "cannot copy context `Ui`: component `Canvas` is not `Clone`; derive `Clone` for it, or \
///      leave it out: `Snapshot::builder().without::<Canvas>()`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Some components are neither `Clone` nor excluded.
    NotClone {
        /// The name of the context.
        context: &'static str,
        /// The names of the components.
        components: Vec<&'static str>,
    },
    /// Observers are being notified of a change.
    Busy {
        /// The name of the context.
        context: &'static str,
    },
    /// The context has a history, which could not undo the restore.
    Recording {
        /// The name of the context.
        context: &'static str,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClone {
                context,
                components,
            } => {
                write!(f, "cannot copy context `{context}`: ")?;
                not_clone(f, components, "Snapshot")
            }
            Self::Busy { context } => write!(
                f,
                "cannot restore or reload context `{context}` now: observers are being notified of a change; do \
                 it after the call that made the change has returned"
            ),
            Self::Recording { context } => write!(
                f,
                "cannot restore or reload context `{context}` while it is recorded: its history could \
                 not take that back; use `History::rewind`, or release the history first and \
                 record again after it"
            ),
        }
    }
}

impl core::error::Error for SnapshotError {}
