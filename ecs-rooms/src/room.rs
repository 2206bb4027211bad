//! What a room is.

use std::error::Error;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The seed and the options with which a room is opened.
///
/// # Examples
///
/// ```
/// use ecs_rooms::Opening;
///
/// let opening = Opening::new(7).with(&("desert", 3_u8));
/// let options: Option<(String, u8)> = opening.options();
/// assert_eq!((opening.seed, options), (7, Some(("desert".to_owned(), 3))));
/// assert_eq!(Opening::from(7).options::<u8>(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Opening {
    /// The source of all that is random.
    pub seed: u64,
    options: Vec<u8>,
}

impl Opening {
    /// Returns an opening without options.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let options = Vec::new();
        Self { seed, options }
    }

    /// Adds options, such as a map and a mode: plain values of any type that the game can read.
    #[must_use]
    pub fn with<T: Serialize>(self, options: &T) -> Self {
        let options = postcard::to_allocvec(options).unwrap_or_default();
        Self { options, ..self }
    }

    /// Returns the options, if there are any of this type.
    #[must_use]
    pub fn options<T: DeserializeOwned>(&self) -> Option<T> {
        crate::bounded::read(&self.options)
    }
}

impl From<u64> for Opening {
    fn from(seed: u64) -> Self {
        Self::new(seed)
    }
}

/// What happens in a tick.
///
/// # Examples
///
/// ```
/// let turn = ecs_rooms::Turn::from(vec![(3, "jump")]);
/// assert_eq!((turn.tick, turn.players.len(), turn.inputs[0]), (0, 0, (3, "jump")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn<I> {
    /// The number of the tick, as in [`Outcome::Played`](crate::Outcome).
    pub tick: u64,
    /// Which players have joined (`true`) or left, in order, before the inputs. One whose program has ended without
    /// a word leaves after 1,200 ticks.
    pub players: Vec<(u64, bool)>,
    /// Inputs, each with the number of its player.
    pub inputs: Vec<(u64, I)>,
}

/// For tests.
impl<I> From<Vec<(u64, I)>> for Turn<I> {
    fn from(inputs: Vec<(u64, I)>) -> Self {
        Self {
            tick: 0,
            players: Vec::new(),
            inputs,
        }
    }
}

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
///     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
///     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
///         Ok(Self(u64::from_le_bytes(bytes.try_into()?)))
///     }
///     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///         Ok(self.0.to_le_bytes().into())
///     }
///     fn tick(&mut self, turn: ecs_rooms::Turn<u64>) {
///         turn.inputs.iter().for_each(|(_, input)| self.0 += input);
///     }
///     fn checksum(&mut self) -> u64 { self.0 }
///     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// }
///
/// let mut room = Sum::new(&1.into());
/// room.tick(vec![(0, 2), (1, 3)].into());
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

    /// Returns a new room. All that is random in it comes from the seed of the opening.
    fn new(opening: &Opening) -> Self;

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

    /// Plays a tick.
    fn tick(&mut self, turn: Turn<Self::Input>);

    /// Returns a number for the whole state.
    fn checksum(&mut self) -> u64;

    /// Describes the room in lists, for example by its map and mode: [`RoomInfo::description`](crate::RoomInfo).
    fn describe(&mut self) -> String {
        String::new()
    }

    /// Returns the result once the room is over, such as who has won; by default never. From then on no tick is played;
    /// once the result is in the store, the room is closed: see [`Rooms::on_result`](crate::Rooms::on_result). It must
    /// follow from the state alone.
    fn result(&mut self) -> Option<Vec<u8>> {
        None
    }

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
