//! Gravity.

use ecs::prelude::*;

use super::World;
use super::board::{self, Cell};
use super::game::{Game, Position};

/// Moves pieces down after something has left the board.
pub(super) struct Fall;

impl ReactiveSystem<World> for Fall {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Position>().left()
    }

    /// Whatever leaves the board is destroyed.
    fn include_destroyed(&self) -> bool {
        true
    }

    fn react(&mut self, world: &mut World, _: &[EntityId<Game>]) {
        // Row by row from the bottom, so that everything below a piece has already fallen.
        for cell in world.config.board_size().cells() {
            fall(&mut world.game, cell);
        }
    }
}

fn fall(game: &mut Game, cell: Cell) {
    let Some(entity) = game.entity_with_position(&cell) else {
        return;
    };
    let (id, landing) = (entity.id(), board::landing(game, cell));
    if entity.has_movable() && landing != cell {
        game.entity_mut(id).replace_position(landing);
    }
}
