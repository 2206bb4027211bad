//! What changes do beside storing a value: the collectors they concern, the entity
//! indexes that follow, the observers to notify. Worked out by the signature
//! graph once for each of its edges, and kept here in one table.

mod effect;
mod index;
mod table;

pub(crate) use self::effect::{Effect, OF_CONTEXT};
pub(crate) use self::index::EffectsIndex;
pub(crate) use self::table::EffectsTable;
