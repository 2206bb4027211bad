//! Tests that a new version of a game can continue rooms of earlier ones.
//!
//! Keep a few rooms of each version that was deployed, with [`keep`], in a folder beside the tests. [`check`] then loads
//! them as a host of the present version does.
//!
//! ```no_run
//! # struct Sum(u64);
//! # impl ecs_rooms::Room for Sum {
//! #     type Input = u64;
//! #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
//! #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
//! #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
//! #     fn tick(&mut self, _: ecs_rooms::Turn<u64>) { self.0 += 1; }
//! #     fn checksum(&mut self) -> u64 { self.0 }
//! #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
//! # }
//! #[test]
//! fn rooms_of_earlier_versions_go_on() {
//!     assert_eq!(ecs_rooms::upgrade::check::<Sum>("tests/old_rooms").unwrap(), []);
//! }
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::client::{Guarded, locate, shielded};
use crate::core::place;
use crate::core::roster::Reason;
use crate::core::wire::{self, Build, Entry, Input, Saved};
use crate::error::Error;
use crate::room::Room;
use crate::store::Store;

/// The end of the name of each file.
const EXTENSION: &str = "room";

/// What a file has.
#[derive(Serialize, Deserialize)]
struct Kept {
    build: Build,
    state: Vec<u8>,
    /// Those in the log after the save.
    inputs: Vec<Input>,
}

/// What a new version loses of a room that [`keep`] has kept.
///
/// # Examples
///
/// ```
/// let losses: &[ecs_rooms::upgrade::Loss] = &[];
/// losses.iter().for_each(|loss| println!("{}: {}", loss.file.display(), loss.reason));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The file.
    pub file: PathBuf,
    /// The version that has saved the room.
    pub version: u32,
    /// What is lost, and why.
    pub reason: String,
}

fn file_error(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::Limit(format!("{}: {error}", path.display()))
}

/// Keeps the last save of a room, and the inputs of its log after that, in a file. Returns its path.
///
/// # Errors
///
/// [`Error::Limit`] if there is no such room or the file cannot be written, [`Error::NoSave`] if it was not saved yet,
/// and errors of the store.
///
/// # Examples
///
/// See the [module](self).
pub fn keep(
    store: &dyn Store,
    room: &str,
    secret: &[u8; 32],
    folder: impl AsRef<Path>,
) -> Result<PathBuf, Error> {
    let (shard, _) = locate(store, room)?;
    let cells = store.cells(&wire::saves_of_room(shard, room))?;
    let mut saves = cells.iter().rev();
    let saved = saves.find_map(|cell| wire::unseal::<Saved>(secret, &cell.key, &cell.value));
    let saved = saved.ok_or_else(|| Error::NoSave {
        room: room.to_owned(),
        reason: "none was written yet".to_owned(),
    })?;
    let log = wire::log_name(shard);
    let records = store.read(&log, saved.progress.at, usize::MAX)?.into_iter();
    let inputs = records.filter_map(
        |record| match wire::read_entry(secret, &log, &record.bytes) {
            Some(Entry::Input(input)) if input.room == room => Some(input),
            _ => None,
        },
    );
    let kept = Kept {
        build: saved.build,
        state: saved.state,
        inputs: inputs.collect(),
    };
    let name = format!("{room}-{}.{EXTENSION}", kept.build.version);
    let path = folder.as_ref().join(name);
    fs::write(&path, wire::write(&kept)).map_err(|error| file_error(&path, error))?;
    Ok(path)
}

/// Continues all rooms of a folder as this version, and returns what is lost: rooms that cannot be migrated, or differ
/// once they are saved and loaded again, and inputs that cannot be read. Components that
/// [`Game::migrate`](crate::Game::migrate) lets go are not lost.
///
/// # Errors
///
/// [`Error::Limit`] if the folder has no such files, or one that cannot be read.
///
/// # Examples
///
/// See the [module](self).
pub fn check<R: Room>(folder: impl AsRef<Path>) -> Result<Vec<Loss>, Error> {
    let folder = folder.as_ref();
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_kept = |file: &PathBuf| file.extension().is_some_and(|end| end == EXTENSION);
    let mut files: Vec<_> = files.filter(is_kept).collect();
    files.sort();
    if files.is_empty() {
        return Err(file_error(folder, "has no rooms of earlier versions"));
    }
    let mut losses = Vec::new();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| file_error(&file, error))?;
        let kept: Kept = wire::read(&bytes).ok_or_else(|| file_error(&file, "is damaged"))?;
        let version = kept.build.version;
        losses.extend(play::<R>(kept).into_iter().map(|reason| Loss {
            file: file.clone(),
            version,
            reason,
        }));
    }
    Ok(losses)
}

/// Continues a room. Returns what is lost.
fn play<R: Room>(kept: Kept) -> Vec<String> {
    if kept.build.game != Build::of::<R>().game {
        return vec![Reason::OtherGame.to_string()];
    }
    let (mut losses, mut inputs) = (Vec::new(), Vec::new());
    for input in kept.inputs {
        match place::read_input::<R>(&input) {
            Ok(read) => inputs.push((input.player, read)),
            Err(reason) => losses.push(format!(
                "input {} of player {}: {reason}",
                input.number, input.player
            )),
        }
    }
    let inputs = Guarded::new(inputs);
    let played = shielded(|| {
        let mut room = Guarded::new(place::load::<R>(kept.build.version, &kept.state)?);
        room.tick(inputs.into_inner().into());
        let (sum, state) = (room.checksum(), room.save()?);
        let mut again = Guarded::new(R::load(&state)?);
        let is_equal = again.checksum() == sum;
        is_equal
            .then_some(())
            .ok_or("it differs once it is saved and loaded".into())
    });
    let reason = match played {
        Ok(played) => played
            .err()
            .map(|error: Box<dyn std::error::Error>| error.to_string()),
        Err(()) => Some("it panicked".to_owned()),
    };
    losses.extend(reason);
    losses
}
