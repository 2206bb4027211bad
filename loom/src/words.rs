//! The files of `ecs/src/words` that several threads use.

pub(crate) mod atomic;
pub(crate) mod component;
