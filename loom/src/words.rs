//! The files of `ecs/src/words` that threads meet in.

pub(crate) mod atomic;
pub(crate) mod component;
