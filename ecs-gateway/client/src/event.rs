//! What a client reports.

use std::fmt;

use ecs::{Context, Delta};

use crate::messages::Room;

/// What [`Client::poll`](crate::Client::poll) reports.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<C: Context> {
    /// The gateway has accepted the client, after each connection. Store the [token](crate::Client::token).
    Welcome {
        /// The number of the user, who is the player of this number in rooms.
        user: u64,
        /// Where the user's player still is, after a lost connection or a restart of this program.
        room: Option<String>,
    },
    /// The answer to [`list`](crate::Client::list): rooms with most players first.
    Rooms(Vec<Room>),
    /// The answer to [`create`](crate::Client::create) or [`quick`](crate::Client::quick): a room to join.
    Room(String),
    /// The client is in a room, after a join and after each later connection. A delta that is everything follows.
    Joined {
        /// The name of the room.
        room: String,
        /// The number of the player, `None` for spectators.
        player: Option<u64>,
    },
    /// The client is in no room now: it has left, could not join, or the room is over.
    Left {
        /// Why.
        reason: String,
    },
    /// What has changed in the room. Pass each to `rebase` of a [mirror](ecs::Mirror::rebase) or of a prediction; if that
    /// fails, call [`Client::lost`](crate::Client::lost).
    Delta {
        /// The tick that is shown.
        tick: u64,
        /// The number of the delta, for [`Client::acknowledge`](crate::Client::acknowledge).
        number: u64,
        /// The effects of all inputs up to this number are in it, as [`Client::play`](crate::Client::play) numbers them.
        input: u64,
        /// The changes. The first one after `Joined` is [everything](Delta::is_everything), of another feed than the
        /// ones before.
        delta: Delta<C>,
    },
    /// What has become of an input.
    Outcome {
        /// The number that [`Client::play`](crate::Client::play) has returned.
        input: u64,
        /// Its outcome.
        outcome: Outcome,
    },
    /// A request failed, or a message cannot be read.
    Error {
        /// Why.
        text: String,
    },
    /// The connection has ended, and requests that have no answer yet will not get one. A gateway that ends is left without
    /// this, unless there are such requests.
    Closed {
        /// The code of `PROTOCOL.md`, or of the WebSocket (1006 if there was none).
        code: u16,
        /// Why.
        reason: String,
        /// Whether the client connects again by itself; it then joins its room again and sends inputs again, of which each is
        /// played once. After code 4000 it does so as a new user, without its token.
        again: bool,
    },
}

/// What has become of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was played. Only if rooms lose ticks, it is rejected later.
    Played {
        /// In this tick.
        tick: u64,
    },
    /// It was not played, and never will be.
    Rejected(String),
    /// It is not known: the client has left the room before it heard of it, or has lost its place there (codes 4000 and
    /// 4005 to 4007).
    Unknown,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played { tick } => write!(f, "played in tick {tick}"),
            Self::Rejected(reason) => write!(f, "rejected: {reason}"),
            Self::Unknown => f.write_str("not known"),
        }
    }
}
