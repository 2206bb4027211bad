//! The first board, and every new one.

use ecs::prelude::*;

use super::World;
use super::board::Cell;
use super::input::{Input, NewBoard};
use super::random::Random;

/// Lays a board at the start, and when the player has asked for one.
///
/// It waits for the *end* of the request: the clean-up that ends it ends the old board
/// too.
pub(super) struct LayBoard;

impl ReactiveSystem<World> for LayBoard {
    type Context = Input;

    fn initialize(&mut self, world: &mut World) {
        if world.state.has_chance() {
            return; // the game has been loaded
        }
        let seed = world.config.seed().0;
        world.state.set_chance(Random::from_seed(seed));
        world.state.set_score(0);
        lay_board(world);
    }

    fn trigger(&self) -> Trigger<Input> {
        Input::all_of::<NewBoard>().left()
    }

    fn include_destroyed(&self) -> bool {
        true
    }

    fn react(&mut self, world: &mut World, _: &[EntityId<Input>]) {
        // A request that came while the board was being cleared finds the new one.
        if world.game.is_empty() {
            lay_board(world);
        }
    }
}

fn lay_board(world: &mut World) {
    let blocked = world.config.blocker_percent().0;
    for cell in world.config.board_size().cells() {
        match draw(world, |chance| chance.percent(blocked)) {
            true => drop(world.game.create_blocker(cell)),
            false => create_piece(world, cell),
        }
    }
}

/// Creates a piece of any kind.
pub(super) fn create_piece(world: &mut World, cell: Cell) {
    let kinds = world.config.piece_kinds().0;
    let kind = draw(world, |chance| chance.below(kinds));
    world.game.create_piece(cell, kind);
}

/// Draws from the numbers that chance has ready. They are replaced like any component, so that
/// taking a turn back takes them back as well.
fn draw<T>(world: &mut World, draw: impl FnOnce(&mut Random) -> T) -> T {
    let mut random = world.state.chance().0.clone();
    let drawn = draw(&mut random);
    world.state.set_chance(random);
    drawn
}
