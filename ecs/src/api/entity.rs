//! The handles of entities: a shared one that reads, an exclusive one that changes.
//!
//! `#[ecs::context]` wraps each in a type of the user's crate, `GameEntity` and
//! `GameEntityMut`, so that the derive can add accessors to it.

mod exclusive;
mod shared;

pub use self::exclusive::{EntityMut, Handles};
pub use self::shared::Entity;
