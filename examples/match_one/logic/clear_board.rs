//! The end of a board.

use ecs::prelude::*;

use super::World;
use super::game::{Game, Position};
use super::input::{Input, NewBoard};

/// Ends all that is on the board, and sets the score back, where the player asks for a
/// new board.
///
/// It runs after [`AddScore`](super::score::AddScore), so that what it ends brings no points:
/// when that system runs again, all of it is dead.
pub(super) struct ClearBoard;

impl ReactiveSystem<World> for ClearBoard {
    type Context = Input;

    fn trigger(&self) -> Trigger<Input> {
        Input::all_of::<NewBoard>().entered()
    }

    fn react(&mut self, world: &mut World, _: &[EntityId<Input>]) {
        let everything = world.game.group(Game::all_of::<Position>());
        everything.for_each(&mut world.game, |mut entity| {
            entity.set_destroyed(true);
        });
        world.state.set_score(0);
    }
}
