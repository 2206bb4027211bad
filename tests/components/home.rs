//! Contexts of this crate, for tests of the derive: their components have inherent methods, while
//! those of the shared game need traits (`extension`).

/// Has accessors as inherent methods.
#[ecs::context]
pub(crate) struct Game;

/// A second context of this crate, for components of both.
#[ecs::context]
pub(crate) struct Input;
