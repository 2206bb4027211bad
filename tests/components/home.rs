//! Contexts of this crate. To them a derive gives methods, where it gives traits (`extension`) to
//! the game that all targets share: tests of what a derive writes use these.

/// To have the accessors as methods.
#[ecs::context]
pub(crate) struct Game;

/// To have components of two contexts that are both of this crate.
#[ecs::context]
pub(crate) struct Input;
