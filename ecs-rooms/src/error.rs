//! Why something of rooms failed.

use core::fmt;

use crate::core::roster::Reason;

/// Why an operation of rooms failed.
///
/// # Examples
///
/// ```
/// use ecs_rooms::Error;
///
/// let error = Error::Differs { room: "duel".into(), tick: 7 };
/// assert!(error.to_string().starts_with("room `duel` differs from its log at tick 7"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Another write came first; nothing was written.
    Conflict,
    /// It is not known whether something was written, or the engine cannot be reached.
    Unknown(String),
    /// Records were forgotten that are needed.
    Forgotten {
        /// The number of the first record that is left.
        first: u64,
    },
    /// The log behind the save of a room is gone.
    LogGone {
        /// The name of the room.
        room: String,
    },
    /// No save of a room can be loaded, and its log does not start with its first tick.
    NoSave {
        /// The name of the room.
        room: String,
        /// Why the oldest one cannot be loaded.
        reason: String,
    },
    /// This version of the game cannot migrate what an older one has saved.
    NoMigration {
        /// The name of the room.
        room: String,
        /// The older version.
        version: u32,
        /// Why not.
        reason: String,
    },
    /// A tick of a room took longer than its [budget](crate::Options::budget), so the rooms of its shard wait.
    Slow {
        /// The name of the room.
        room: String,
    },
    /// The store rejects to write or read for a while, so rooms are not played.
    StoreFailed {
        /// The log or the cell.
        name: String,
        /// What the store says.
        reason: String,
    },
    /// A room could not be saved, so its log grows.
    Unsaved {
        /// The name of the room.
        room: String,
        /// Why not after the last tick.
        reason: String,
    },
    /// After the same inputs a room had another checksum than its log says.
    Differs {
        /// The name of the room.
        room: String,
        /// The tick before which the checksums differ.
        tick: u64,
    },
    /// A room played a tick differently than a copy of it, which was loaded from its last save; see
    /// [`Options::verify`](crate::Options::verify).
    Nondeterministic {
        /// The name of the room.
        room: String,
        /// The first tick after which they differ.
        tick: u64,
        /// What differs.
        part: String,
    },
    /// The last ticks of a room were played by another version of the game, and there is no save after them.
    OtherVersion {
        /// The name of the room, or of a log.
        room: String,
        /// The version.
        version: u32,
    },
    /// The room panicked. It is closed after ten times [`save_every`](crate::Options::save_every) ticks.
    Panicked {
        /// The name of the room.
        room: String,
        /// The tick that it was in.
        tick: u64,
    },
    /// An input is not played.
    Rejected {
        /// Its number.
        number: u64,
        /// Why not.
        reason: Reason,
    },
    /// A name, a size or an option is outside its limits, which the text says.
    Limit(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict => f.write_str("another write came first"),
            Self::Unknown(reason) => write!(f, "unknown whether it was written: {reason}"),
            Self::Forgotten { first } => write!(f, "the log starts with record {first}"),
            Self::Unsaved { room, reason } => write!(f, "room `{room}` is not saved: {reason}"),
            Self::Slow { room } => write!(f, "a tick of room `{room}` took longer than its budget"),
            Self::StoreFailed { name, reason } => {
                write!(f, "the store failed at `{name}`: {reason}")
            }
            Self::Nondeterministic { room, tick, part } => {
                write!(
                    f,
                    "a copy of room `{room}` differs after tick {tick}: {part}"
                )
            }
            Self::Rejected { number, reason } => write!(f, "input {number} is rejected: {reason}"),
            Self::Limit(text) => f.write_str(text),
            _ => self.describe_loss(f),
        }
    }
}

impl Error {
    /// Says why a room cannot be played, and what to do.
    fn describe_loss(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LogGone { room } => write!(
                f,
                "the log behind the save of room `{room}` is gone; close the room, and let logs keep \
                 records for longer than two saves take"
            ),
            Self::NoSave { room, reason } => write!(
                f,
                "room `{room}` has no save that can be loaded: {reason}; run a program that can load it, \
                 or close the room"
            ),
            Self::NoMigration {
                room,
                version,
                reason,
            } => write!(
                f,
                "room `{room}` of version {version} cannot be migrated: {reason}; see `Game::migrate`"
            ),
            Self::Differs { room, tick } => write!(
                f,
                "room `{room}` differs from its log at tick {tick}: its systems depend on something \
                 outside the context, or on what a save lacks; see `replay` and `Options::verify`"
            ),
            Self::OtherVersion { room, version } => write!(
                f,
                "the last ticks of `{room}` were played by version {version}: start a host of that version \
                 and drain it, or drop them; see `Options::drop_ticks`"
            ),
            Self::Panicked { room, tick } => write!(
                f,
                "room `{room}` panicked in tick {tick} and is not played any further; see `replay` \
                 before it is closed, after ten times `save_every` ticks"
            ),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
