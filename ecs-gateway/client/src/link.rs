//! One connection to a gateway.

use std::time::Duration;

use crate::inputs::Inputs;
use crate::messages::{DELTA, Joined, LATE_DELTA, Request, VERSION};
use crate::options::Options;
use crate::socket::{Message, Socket};

/// A connection is dead if nothing comes for so long while a greeting has no answer, or in a room.
const SILENCE: Duration = Duration::from_secs(15);

/// A connection to a gateway.
pub(crate) struct Link<S> {
    pub(crate) socket: S,
    pub(crate) is_welcome: bool,
    /// How many requests to join or leave have no answer.
    pub(crate) asked: u32,
    /// How many other requests have none.
    pub(crate) requests: u32,
    /// A delta was not applied, so that none is of use before one that is everything.
    pub(crate) is_lost: bool,
    /// When something was heard.
    pub(crate) heard: Duration,
    /// How many times it has asked to join a room.
    joins: u64,
    /// The last delta of the room.
    pub(crate) shown: u64,
    /// How many messages with outcomes have come since it has joined.
    pub(crate) outcomes: u64,
    /// The next gateway has said this, and not shown the room yet.
    pub(crate) joined: Option<Joined>,
}

/// A delta, before it is read.
pub(crate) struct Shown<'b> {
    pub(crate) tick: u64,
    pub(crate) number: u64,
    pub(crate) input: u64,
    pub(crate) bytes: &'b [u8],
}

/// A room where a client wants to be.
pub(crate) struct Place {
    pub(crate) room: String,
    pub(crate) spectate: bool,
}

impl<S: Socket> Link<S> {
    pub(crate) fn open(url: &str, heard: Duration) -> Self {
        Self {
            socket: S::open(url),
            is_welcome: false,
            asked: 0,
            requests: 0,
            is_lost: false,
            heard,
            joins: 0,
            shown: 0,
            outcomes: 0,
            joined: None,
        }
    }

    pub(crate) fn say(&mut self, request: &Request<'_>) {
        let text = serde_json::to_string(request).expect("a request can be written");
        self.socket.send(Message::Text(text));
    }

    pub(crate) fn greet(&mut self, options: &Options) {
        self.say(&Request::Hello {
            version: VERSION,
            game: options.game,
            token: options.token.as_deref(),
            login: &options.login,
        });
    }

    pub(crate) fn join(&mut self, place: &Place, inputs: &Inputs, baselines: bool) {
        self.asked += 1;
        self.joins += 1;
        self.shown = 0;
        let (connection, known, sent) = inputs.place();
        self.say(&Request::Join {
            room: &place.room,
            spectate: place.spectate,
            baselines,
            connection,
            known,
            sent,
        });
    }

    /// Splits a binary message into tick, number and input of a delta, and its bytes; `Ok(None)` if it is of a room before,
    /// or older than the last one.
    pub(crate) fn read_delta<'b>(
        &mut self,
        bytes: &'b [u8],
    ) -> postcard::Result<Option<Shown<'b>>> {
        let (kind, mut rest) = postcard::take_from_bytes::<u8>(bytes)?;
        let mut join = self.joins;
        match kind {
            DELTA => {}
            LATE_DELTA => (join, rest) = postcard::take_from_bytes(rest)?,
            _ => return Err(postcard::Error::DeserializeBadEncoding),
        }
        let ((tick, number, input), bytes) = postcard::take_from_bytes(rest)?;
        if join != self.joins || number <= self.shown {
            return Ok(None);
        }
        self.shown = number;
        Ok(Some(Shown {
            tick,
            number,
            input,
            bytes,
        }))
    }

    /// Returns the next message. If nothing comes for too long where something is expected, it is the last one; `now` is
    /// when it is asked for.
    pub(crate) fn receive(&mut self, has_place: bool, now: Duration) -> Option<Message> {
        let message = self.socket.receive();
        if message.is_some() {
            self.heard = now;
            return message;
        }
        if self.is_welcome && self.asked == 0 && !has_place {
            self.heard = now; // nothing is expected
        }
        let is_dead = now.saturating_sub(self.heard) > SILENCE;
        is_dead.then(|| Message::Closed {
            code: 1006,
            reason: "nothing was heard".to_owned(),
        })
    }
}
