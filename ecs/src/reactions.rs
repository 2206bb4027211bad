//! Who follows changes: observers, collectors, entity indexes, listeners, removed values. This
//! layer holds them; the state above decides when they are called.

pub(crate) mod change;
pub(crate) mod collector;
pub(crate) mod entity_index;
pub(crate) mod event;
pub(crate) mod handle;
pub(crate) mod removed;
