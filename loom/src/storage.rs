//! The files of `ecs/src/storage` that several threads use.

#[path = "../../ecs/src/storage/chain.rs"]
pub(crate) mod chain;
#[path = "../../ecs/src/storage/mailbox.rs"]
pub(crate) mod mailbox;
#[path = "../../ecs/src/storage/numbering.rs"]
pub(crate) mod numbering;
