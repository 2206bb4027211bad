//! One connection to a gateway.

use std::time::Duration;

use crate::inputs::Inputs;
use crate::messages::{Joined, Request, VERSION};
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
    /// The next gateway has said this, and not shown the room yet.
    pub(crate) joined: Option<Joined>,
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
