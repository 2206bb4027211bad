//! The data of a context: its entities, their values, signatures and groups.
//!
//! It knows of no subscriber: the layers above tell them of changes.

mod data;
mod fragmentation;
mod labels;
mod layout;
mod members;
mod unique;

pub(crate) use self::data::{Attempt, World};
pub use self::fragmentation::Fragmentation;
pub(crate) use self::layout::Layout;
