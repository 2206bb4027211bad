//! New pieces in place of those taken.

use ecs::prelude::*;

use super::World;
use super::board;
use super::game::{Game, Position};
use super::lay_board::create_piece;

/// Drops new pieces in from the top after something has left the board. Cells under a blocker
/// stay empty.
pub(super) struct Fill;

impl ReactiveSystem<World> for Fill {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Position>().left()
    }

    /// Whatever leaves the board is destroyed.
    fn include_destroyed(&self) -> bool {
        true
    }

    fn react(&mut self, world: &mut World, _: &[EntityId<Game>]) {
        let size = *world.config.board_size();
        for entrance in size.columns().map(|x| size.entrance(x)) {
            while board::is_free(&world.game, entrance) {
                let landing = board::landing(&world.game, entrance);
                create_piece(world, landing);
            }
        }
    }
}
