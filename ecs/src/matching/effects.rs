//! What a change does apart from storing a value: the collectors and entity indexes to update and
//! the observers to notify. The signature graph computes it once per edge, and one table stores it.

mod effect;
mod index;
mod table;

pub(crate) use self::effect::{Effect, OF_CONTEXT};
pub(crate) use self::index::EffectsIndex;
pub(crate) use self::table::EffectsTable;
