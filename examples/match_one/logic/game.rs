//! The pieces and blockers on the board, and their components.
//!
//! ```text
//! piece     Position  Piece  Movable  Interactive     falls, and can be selected
//! blocker   Position  Blocker                         does neither
//! ```

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::board::Cell;

/// The context of pieces and blockers.
#[ecs::context]
pub(crate) struct Game;

/// Where something is. The primary index allows one entity per cell, and finds it there.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, event(any(set)))]
pub(crate) struct Position(#[component(primary_index)] pub(crate) Cell);

/// A piece. Pieces of one kind match.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Piece {
    pub(crate) kind: u8,
}

/// Only fills its cell.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Blocker;

/// Falls if the cell below is empty.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Movable;

/// Can be taken by the player.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Interactive;

/// Is destroyed at the end of this frame. Nothing on the board is destroyed in any other way, so
/// views always learn of it in time.
#[derive(Component, Clone)]
#[component(context = Game, event(any(set)), cleanup(destroy))]
pub(crate) struct Destroyed;

impl Game {
    /// Puts a piece on the board.
    pub(crate) fn create_piece(&mut self, cell: Cell, kind: u8) -> GameEntityMut<'_> {
        self.create_with((Position(cell), Piece { kind }, Movable, Interactive))
    }

    /// Puts a blocker on the board.
    pub(crate) fn create_blocker(&mut self, cell: Cell) -> GameEntityMut<'_> {
        self.create_with((Position(cell), Blocker))
    }
}
