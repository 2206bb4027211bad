//! Snapshots: all that a context is at one moment, copied column by column, and put in the place of what
//! is there later, in this context or in another one.
//!
//! ```text
//! taken.rs    what is copied: slots, columns, signatures, members of groups, what indexes and handles hold
//! restore.rs  clones first, which is user code; then all is exchanged; then indexes ask for keys
//! left_out.rs components that are left out stay with the entities that live on
//! differences.rs  who differs, for collectors that follow rewinds
//! indexes.rs  which index of another context is the same, and how all of them are filled again
//! ```

mod differences;
mod indexes;
mod left_out;
mod restore;
mod taken;

pub(crate) use self::restore::{NotNow, fork_into, restore};
pub(crate) use self::taken::{Taken, take};
