//! How single values are written and read, for functions that know either their type or their format.
//! Nothing here knows entities.

pub(crate) mod packed;
pub(crate) mod source;
