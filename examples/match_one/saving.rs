//! Saving a game to a file and loading it again.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use ecs::Save;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::logic::{Config, Game, Input, State, World};

#[derive(Serialize)]
struct Saved<'w> {
    config: Save<'w, Config>,
    game: Save<'w, Game>,
    input: Save<'w, Input>,
    state: Save<'w, State>,
}

#[derive(Deserialize)]
struct Loaded {
    #[serde(deserialize_with = "Config::load")]
    config: Config,
    #[serde(deserialize_with = "Game::load")]
    game: Game,
    #[serde(deserialize_with = "Input::load")]
    input: Input,
    #[serde(deserialize_with = "State::load")]
    state: State,
}

/// Writes a world to a file. If the program or the machine stops half-way, the old file remains: the
/// new one replaces it only when all of it is on the disk.
pub(crate) fn save(world: &World, path: &Path) -> io::Result<()> {
    let saved = Saved {
        config: world.config.save(),
        game: world.game.save(),
        input: world.input.save(),
        state: world.state.save(),
    };
    let new = path.with_extension("new");
    let mut file = BufWriter::new(File::create(&new)?);
    serde_json::to_writer_pretty(&mut file, &saved)?;
    file.flush()?;
    file.into_inner()?.sync_all()?;
    fs::rename(&new, path)
}

/// Reads a world from a file.
pub(crate) fn load(path: &Path) -> io::Result<World> {
    let loaded: Loaded = serde_json::from_str(&fs::read_to_string(path)?)?;
    Ok(World {
        game: loaded.game,
        input: loaded.input,
        config: loaded.config,
        state: loaded.state,
    })
}
