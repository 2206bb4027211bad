//! What goes over a connection: see `PROTOCOL.md`.

use ecs_rooms::{Outcome, RoomInfo};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::transport::Outgoing;

/// The version of the protocol.
pub(crate) const VERSION: u32 = 3;

// The first bytes of binary messages.
pub(crate) const DELTA: u8 = 1;
pub(crate) const LATE_DELTA: u8 = 3;
const INPUT: u8 = 1;
const ACKNOWLEDGE: u8 = 2;

/// A text message of a client.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Hello {
        version: u32,
        game: Option<u32>,
        token: Option<String>,
        #[serde(default)]
        login: Value,
    },
    List,
    Create {
        #[serde(default)]
        options: Value,
    },
    Quick {
        #[serde(default)]
        options: Value,
    },
    Join(Join),
    Leave,
    /// A delta could not be applied.
    Lost,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Join {
    pub(crate) room: String,
    #[serde(default)]
    pub(crate) spectate: bool,
    /// Whether deltas are based on acknowledged ones, so that the client may skip some.
    #[serde(default)]
    pub(crate) baselines: bool,
    /// The connection that the player continues, 0 for a new one.
    #[serde(default)]
    pub(crate) connection: u64,
    /// The client knows the outcomes of all inputs up to this one.
    #[serde(default)]
    pub(crate) known: u64,
    /// The last input that the client has sent, to any gateway.
    #[serde(default)]
    pub(crate) sent: u64,
}

/// A binary message of a client.
#[derive(Debug, PartialEq)]
pub(crate) enum Packet<'b> {
    Input {
        number: u64,
        bytes: &'b [u8],
    },
    /// The client has applied this delta, and has got so many messages with outcomes since it has joined.
    Acknowledge {
        number: u64,
        heard: u64,
    },
}

impl<'b> Packet<'b> {
    pub(crate) fn read(bytes: &'b [u8]) -> Option<Self> {
        let (kind, bytes) = bytes.split_first()?;
        let (number, bytes) = postcard::take_from_bytes(bytes).ok()?;
        match *kind {
            INPUT => Some(Self::Input { number, bytes }),
            ACKNOWLEDGE => match postcard::take_from_bytes(bytes) {
                Ok((heard, [])) => Some(Self::Acknowledge { number, heard }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A text message to a client.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    Welcome {
        version: u32,
        game: u32,
        user: u64,
        token: String,
        /// In seconds since 1970.
        expires: u64,
        /// Where the user's player is still.
        room: Option<String>,
    },
    Rooms {
        rooms: Vec<Listed>,
    },
    Room {
        room: &'a str,
    },
    Joined {
        room: &'a str,
        player: Option<u64>,
        /// The connection of the player, which another gateway can continue.
        connection: u64,
        /// The number of the last input that this gateway has got.
        inputs: u64,
    },
    Left {
        reason: &'a str,
    },
    Outcomes {
        played: Vec<(u64, u64)>,
        rejected: Vec<(u64, String)>,
    },
    Reconnect {
        url: Option<&'a str>,
        seconds: f64,
    },
    Error {
        text: &'a str,
    },
}

impl<'a> Answer<'a> {
    pub(crate) fn outcomes(outcomes: Vec<(u64, Outcome)>) -> Self {
        let (mut played, mut rejected) = (Vec::new(), Vec::new());
        for (number, outcome) in outcomes {
            match outcome {
                Outcome::Played { tick } => played.push((number, tick)),
                Outcome::Rejected(reason) => rejected.push((number, reason.to_string())),
            }
        }
        Self::Outcomes { played, rejected }
    }

    pub(crate) fn to_message(&self) -> Outgoing {
        Outgoing::Text(serde_json::to_string(self).expect("an answer can be written"))
    }
}

/// A room, as clients see it in lists.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    room: String,
    players: u64,
    tick: u64,
    description: String,
}

impl From<&RoomInfo> for Listed {
    fn from(info: &RoomInfo) -> Self {
        Self {
            room: info.room.clone(),
            players: info.players,
            tick: info.tick,
            description: info.description.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Packet;

    #[test]
    fn packets_are_read_and_others_are_not() {
        let input = Packet::Input {
            number: 300,
            bytes: &[7, 7],
        };
        assert_eq!(Packet::read(&[1, 0xac, 2, 7, 7]), Some(input));
        assert_eq!(
            Packet::read(&[2, 5, 4]),
            Some(Packet::Acknowledge {
                number: 5,
                heard: 4
            })
        );
        for bytes in [
            &[][..],
            &[1],
            &[2],
            &[2, 5],
            &[2, 5, 4, 0],
            &[3, 1],
            &[1, 0xff],
            &[2; 12],
        ] {
            assert_eq!(Packet::read(bytes), None, "{bytes:?}");
        }
    }
}
