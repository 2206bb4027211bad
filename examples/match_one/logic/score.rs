//! Points for the player.

use ecs::prelude::*;

use super::World;
use super::game::{Destroyed, Game, Piece};

/// Adds one point for each piece that is taken.
pub(super) struct AddScore;

impl ReactiveSystem<World> for AddScore {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<(Piece, Destroyed)>().entered()
    }

    fn react(&mut self, world: &mut World, taken: &[EntityId<Game>]) {
        world
            .state
            .update_score(|score| score.0 += taken.len() as u32);
    }
}
