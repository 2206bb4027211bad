//! Selections become destroyed pieces.

use ecs::prelude::*;

use super::input::{Input, Selected};
use super::{World, reach};

/// Marks what the player's selections take.
pub(super) struct Select;

impl ReactiveSystem<World> for Select {
    type Context = Input;

    fn trigger(&self) -> Trigger<Input> {
        Input::all_of::<Selected>().entered()
    }

    fn react(&mut self, world: &mut World, selections: &[EntityId<Input>]) {
        for &selection in selections {
            let cell = world.input.entity(selection).selected().0;
            for id in reach::of(world, cell) {
                world.game.entity_mut(id).set_destroyed(true);
            }
        }
    }
}
