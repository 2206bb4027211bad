//! Saving the game as text, and loading it into the running program.

use ecs::prelude::*;

use crate::world::World;

pub(crate) fn save(world: &World) -> serde_json::Result<String> {
    serde_json::to_string(&world.game.save())
}

/// Loads a save. If the text is not valid, nothing changes.
pub(crate) fn load(world: &mut World, text: &str) -> serde_json::Result<()> {
    let loaded = world
        .game
        .reload(&mut serde_json::Deserializer::from_str(text));
    if loaded.is_ok() {
        world.edits.clear(); // they belong to the previous game
    }
    loaded
}
