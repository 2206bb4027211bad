//! The first of two crates of one game: the context, and components that everything in it has.

use ecs::prelude::*;

/// Everything in play.
#[ecs::context]
pub struct Game;

/// The place of an entity. Without an attribute it belongs to `crate::Game`.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Position {
    /// To the right.
    pub x: i32,
    /// Upwards.
    pub y: i32,
}

/// Blocks movement.
#[derive(Component)]
pub struct Solid;
