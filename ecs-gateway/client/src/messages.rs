//! The text messages of `PROTOCOL.md`, as a client writes and reads them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the protocol.
pub(crate) const VERSION: u32 = 3;

// The first bytes of binary messages.
pub(crate) const DELTA: u8 = 1;
pub(crate) const LATE_DELTA: u8 = 3;
pub(crate) const INPUT: u8 = 1;
pub(crate) const ACKNOWLEDGE: u8 = 2;

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request<'a> {
    Hello {
        version: u32,
        game: Option<u32>,
        token: Option<&'a str>,
        login: &'a Value,
    },
    List,
    Create {
        options: &'a Value,
    },
    Quick {
        options: &'a Value,
    },
    Join {
        room: &'a str,
        spectate: bool,
        baselines: bool,
        connection: u64,
        known: u64,
        sent: u64,
    },
    Leave,
    Lost,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Answer {
    Welcome {
        user: u64,
        token: String,
        room: Option<String>,
    },
    Rooms {
        rooms: Vec<Room>,
    },
    Room {
        room: String,
    },
    Joined(Joined),
    Left {
        reason: String,
    },
    Outcomes {
        played: Vec<(u64, u64)>,
        rejected: Vec<(u64, String)>,
    },
    Reconnect {
        url: Option<String>,
    },
    Error {
        text: String,
    },
    /// Of a later version.
    #[serde(other)]
    Other,
}

/// The client is in a room.
#[derive(Debug, Deserialize)]
pub(crate) struct Joined {
    pub(crate) room: String,
    pub(crate) player: Option<u64>,
    pub(crate) connection: u64,
    pub(crate) inputs: u64,
}

/// A room, as the lobby lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Room {
    /// Its name, for [`Client::join`](crate::Client::join).
    pub room: String,
    /// How many players are in it.
    pub players: u64,
    /// How many ticks were played.
    pub tick: u64,
    /// What the game says about it.
    pub description: String,
}
