//! The files of `ecs/src/words` that several threads use.

pub(crate) mod atomic;
pub(crate) mod component;
#[path = "../../ecs/src/words/written_word.rs"]
pub(crate) mod written_word;
