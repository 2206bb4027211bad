//! The game as a text, and back into the running program.

use ecs::prelude::*;

use crate::world::World;

pub(crate) fn save(world: &World) -> serde_json::Result<String> {
    serde_json::to_string(&world.game.save())
}

/// All or nothing: a text that is no save changes nothing.
pub(crate) fn load(world: &mut World, text: &str) -> serde_json::Result<()> {
    let loaded = world
        .game
        .reload(&mut serde_json::Deserializer::from_str(text));
    if loaded.is_ok() {
        world.edits.clear(); // the steps were those of the game before
    }
    loaded
}
