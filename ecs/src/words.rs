//! The vocabulary of users and of all other layers: ids, components, component sets, errors.
//! Nothing here depends on a context.

pub(crate) mod apply_error;
pub(crate) mod atomic;
pub(crate) mod checksum;
pub(crate) mod component;
pub(crate) mod component_set;
pub(crate) mod demands;
pub(crate) mod entity_id;
pub(crate) mod error;
pub(crate) mod field_index;
pub(crate) mod history_error;
pub(crate) mod identical;
pub(crate) mod label;
pub mod limits;
pub(crate) mod map_ids;
pub(crate) mod origin;
pub(crate) mod printed;
pub(crate) mod probe;
pub(crate) mod recycle;
pub(crate) mod relation;
#[cfg(feature = "serde")]
pub(crate) mod saving;
pub(crate) mod signature;
pub(crate) mod snapshot_error;
pub(crate) mod term;
pub(crate) mod unwinding;
pub(crate) mod written_word;
