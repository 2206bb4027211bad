//! Why something of rooms failed.

use thiserror::Error as Describe;

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
#[derive(Clone, Debug, PartialEq, Eq, Describe)]
#[non_exhaustive]
pub enum Error {
    /// Another write came first; nothing was written.
    #[error("another write came first")]
    Conflict,
    /// It is not known whether something was written, or the engine cannot be reached.
    #[error("unknown whether it was written: {0}")]
    Unknown(String),
    /// Records were forgotten that are needed.
    #[error("the log starts with record {first}")]
    Forgotten {
        /// The number of the first record that is left.
        first: u64,
    },
    /// The log behind the save of a room is gone.
    #[error(
        "the log behind the save of room `{room}` is gone; close the room, and let logs keep records for longer than two \
         saves take"
    )]
    LogGone {
        /// The name of the room.
        room: String,
    },
    /// No save of a room can be loaded, and its log does not start with its first tick.
    #[error(
        "room `{room}` has no save that can be loaded: {reason}; run a program that can load it, or close the room"
    )]
    NoSave {
        /// The name of the room.
        room: String,
        /// Why the oldest one cannot be loaded.
        reason: String,
    },
    /// This version of the game cannot migrate what an older one has saved.
    #[error("room `{room}` of version {version} cannot be migrated: {reason}; see `Game::migrate`")]
    NoMigration {
        /// The name of the room.
        room: String,
        /// The older version.
        version: u32,
        /// Why not.
        reason: String,
    },
    /// A tick of a room took longer than its [budget](crate::Options::budget), so the rooms of its shard wait.
    #[error("a tick of room `{room}` took longer than its budget")]
    Slow {
        /// The name of the room.
        room: String,
    },
    /// The store rejects to write or read for a while, so rooms are not played.
    #[error("the store failed at `{name}`: {reason}")]
    StoreFailed {
        /// The log or the cell.
        name: String,
        /// What the store says.
        reason: String,
    },
    /// A room could not be saved, so its log grows.
    #[error("room `{room}` is not saved: {reason}")]
    Unsaved {
        /// The name of the room.
        room: String,
        /// Why not after the last tick.
        reason: String,
    },
    /// After the same inputs a room had another checksum than its log says.
    #[error(
        "room `{room}` differs from its log at tick {tick}: its systems depend on something outside the context, or on what \
         a save lacks; see `replay` and `Options::verify`"
    )]
    Differs {
        /// The name of the room.
        room: String,
        /// The tick before which the checksums differ.
        tick: u64,
    },
    /// A room played a tick differently than a copy of it, which was loaded from its last save; see
    /// [`Options::verify`](crate::Options::verify).
    #[error("a copy of room `{room}` differs after tick {tick}: {part}")]
    Nondeterministic {
        /// The name of the room.
        room: String,
        /// The first tick after which they differ.
        tick: u64,
        /// What differs.
        part: String,
    },
    /// The last ticks of a room were played by another version of the game, and there is no save after them.
    #[error(
        "the last ticks of `{room}` were played by version {version}: start a host of that version and drain it, or drop \
         them; see `Options::drop_ticks`"
    )]
    OtherVersion {
        /// The name of the room, or of a log.
        room: String,
        /// The version.
        version: u32,
    },
    /// The room panicked. It is closed after ten times [`save_every`](crate::Options::save_every) ticks.
    #[error(
        "room `{room}` panicked in tick {tick} and is not played any further; see `replay` before it is closed, after ten \
         times `save_every` ticks"
    )]
    Panicked {
        /// The name of the room.
        room: String,
        /// The tick that it was in.
        tick: u64,
    },
    /// An input is not played.
    #[error("input {number} is rejected: {reason}")]
    Rejected {
        /// Its number.
        number: u64,
        /// Why not.
        reason: Reason,
    },
    /// A name, a size or an option is outside its limits, which the text says.
    #[error("{0}")]
    Limit(String),
}
