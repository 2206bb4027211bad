//! Walls that the player builds and undoes while the game continues.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::movement::Position;
use crate::world::{Command, Game, GameEntity, GameEntityMut, World};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Wall;

/// The components that an undo restores.
pub(crate) type Edited = (Wall, Position);

pub(crate) fn plug_in(systems: &mut Systems<World>, world: &mut World) {
    let commands = world.game.inbox::<Command>();
    let build = Systems::with_name("Building").on_message(commands, build);
    systems.stage("Input").push(build);
}

fn build(World { game, edits, .. }: &mut World, command: &Command) {
    match *command {
        Command::Build(x, y) => edits.step(game, "Build a wall", |game| {
            game.create_with((Wall, Position { x, y }));
        }),
        Command::Undo => _ = edits.undo(game),
        Command::Redo => _ = edits.redo(game),
        _ => {}
    }
}
