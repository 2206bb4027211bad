//! What is kept of a context: histories, snapshots, saves and feeds, each with its handles. They reach into
//! the registries, and nothing else in this layer knows of them.
//!
//! ```text
//! history   entries and values since it began: marks, rewinds, checksums
//! snapshot  copies of columns and slots, exchanged with those that are there
//! save      entities and chunks of values in files, and how all of them are brought to life
//! feed      chunks of what has changed, and mirrors that apply them
//! bytes     what saves, templates and deltas have in common in binary formats
//! ```

#[cfg(feature = "serde")]
pub(crate) mod bytes;
pub(crate) mod feed;
pub(crate) mod history;
#[cfg(feature = "serde")]
pub(crate) mod save;
pub(crate) mod snapshot;
