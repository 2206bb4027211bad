//! What a room is.

use std::error::Error;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A deterministic game that can be saved: what a [`Host`](crate::Host) plays.
///
/// Equal calls must give equal checksums on every machine, and a room that was saved and loaded
/// must continue as the one that was saved.
///
/// # Examples
///
/// A room without a context:
///
/// ```
/// use ecs_rooms::Room;
///
/// struct Sum(u64);
///
/// impl Room for Sum {
///     type Input = u64;
///     fn new(seed: u64) -> Self { Self(seed) }
///     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
///         Ok(Self(u64::from_le_bytes(bytes.try_into()?)))
///     }
///     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///         Ok(self.0.to_le_bytes().into())
///     }
///     fn tick(&mut self, inputs: Vec<(u64, u64)>) {
///         inputs.iter().for_each(|(_, input)| self.0 += input);
///     }
///     fn checksum(&mut self) -> u64 { self.0 }
///     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// }
///
/// let mut room = Sum::new(1);
/// room.tick(vec![(0, 2), (1, 3)]);
/// assert_eq!(Sum::load(&room.save().unwrap()).unwrap().checksum(), 6);
/// ```
pub trait Room: Send + Sized + 'static {
    /// The name of the game. Inputs of another game are rejected. A room around a [`Session`](crate::Session) has the
    /// name, the version, the upgrade and the migration of that.
    const NAME: &'static str = "room";

    /// The version of the game. Raise it with each change of its rules, of what a save contains, or of
    /// its inputs.
    const VERSION: u32 = 1;

    /// What players send. Not nested deeper than 64 levels.
    type Input: Serialize + DeserializeOwned + Send + 'static;

    /// Makes an input of one that an earlier version has written, or rejects it.
    #[must_use]
    fn upgrade(version: u32, bytes: &[u8]) -> Option<Self::Input> {
        let _ = (version, bytes);
        None
    }

    /// Returns a new room. All that is random in it comes from the seed.
    fn new(seed: u64) -> Self;

    /// Returns the room that was saved.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no save of this kind of room.
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>>;

    /// Returns the room that an earlier version has saved, by default as [`load`](Self::load) does.
    ///
    /// # Errors
    ///
    /// Returns an error if this version cannot continue it.
    fn migrate(version: u32, bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let _ = version;
        Self::load(bytes)
    }

    /// Returns the whole state as bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be saved after this tick; the next tick tries again.
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Error>>;

    /// Plays a tick with the inputs of the players, each with the number of its player.
    fn tick(&mut self, inputs: Vec<(u64, Self::Input)>);

    /// Returns a number for the whole state.
    fn checksum(&mut self) -> u64;

    /// Names the first part of the state that differs from another room of the same ticks, for
    /// [`Options::verify`](crate::Options::verify); by default none.
    fn difference(&mut self, other: &mut Self) -> Option<String> {
        let _ = other;
        None
    }

    /// Returns what viewers need to know: changes since the last such call, of which the first
    /// returns everything; or everything, for a viewer that joins, without taking the changes from
    /// the others.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written; viewers miss this tick then.
    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Box<dyn Error>>;
}
