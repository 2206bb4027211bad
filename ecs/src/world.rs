//! The data of a context: its entities, their values, signatures and groups.
//!
//! It knows of no subscriber: the layers above tell them of changes.

mod data;
mod fragmentation;
mod labels;
mod layout;
mod members;
mod unique;
#[cfg(feature = "serde")]
mod unknown;

pub(crate) use self::data::{Attempt, Unknown, World};
pub use self::fragmentation::Fragmentation;
pub(crate) use self::layout::Layout;
#[cfg(feature = "serde")]
pub(crate) use self::unknown::UnknownColumn;
