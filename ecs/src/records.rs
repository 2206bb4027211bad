//! Records of a context: histories, snapshots, saves and feeds, each with its handles.
//!
//! ```text
//! checksum  one number for the whole state
//! history   every change since it began: marks, rewinds
//! snapshot  copies of columns and slots, swapped with the present ones
//! excluded  components that a history or a snapshot leaves as they are
//! save      entities and columns of values in files, and how they are loaded
//! feed      columns of changed values, and mirrors that apply them
//! bytes     what the binary formats of saves, templates and deltas share
//! ```

#[cfg(feature = "serde")]
pub(crate) mod bytes;
pub(crate) mod checksum;
mod excluded;
pub(crate) mod feed;
pub(crate) mod history;
#[cfg(feature = "serde")]
pub(crate) mod save;
pub(crate) mod snapshot;
