//! Clearing the board.

use ecs::prelude::*;

use super::World;
use super::game::{Game, Position};
use super::input::{Input, NewBoard};

/// Destroys everything on the board and resets the score when the player requests a new board.
///
/// It runs after [`AddScore`](super::score::AddScore), so that it scores no points: when that system
/// runs again, the pieces no longer exist.
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
