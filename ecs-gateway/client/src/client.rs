//! The client: what it wants, what it knows, and the rules of `PROTOCOL.md`.

use std::collections::VecDeque;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::marker::PhantomData;
use std::time::Duration;

use ecs::{Context, Delta};
use serde::Serialize;
use serde_json::Value;

use crate::event::{Event, Outcome};
use crate::inputs::Inputs;
use crate::messages::{ACKNOWLEDGE, Answer, DELTA, INPUT, Request, VERSION};
use crate::options::Options;
use crate::socket::{Message, Socket};

/// How long it waits before it connects again: each time twice as long, until it was welcome.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// A connection is dead if nothing comes for so long while a greeting has no answer, or in a room.
const SILENCE: Duration = Duration::from_secs(15);

/// A client of a gateway, for the rooms of a game `C` with inputs `I`. It stays connected over a [`Socket`] `S`, and in
/// its room, and loses no input.
///
/// Call [`poll`](Self::poll) once per frame until it returns `None`; all else happens there. What was asked for before
/// the connection is made is sent then.
///
/// # Examples
///
/// See the [crate](crate).
pub struct Client<C: Context, I, S> {
    options: Options,
    link: Link<S>,
    /// Where the client wants to be.
    place: Option<Place>,
    /// How many requests to join or leave have no answer.
    asked: u32,
    inputs: Inputs,
    /// The gateway ends. It gets no inputs after this one.
    moves: Option<u64>,
    /// A delta was not applied, so that none is of use before one that is everything.
    is_lost: bool,
    pause: Duration,
    /// When something was heard.
    heard: Duration,
    /// Requests to send after the welcome.
    waiting: Vec<String>,
    events: VecDeque<Event<C>>,
    input: PhantomData<fn(&I)>,
}

enum Link<S> {
    /// It connects at this time, if ever.
    Closed(Option<Duration>),
    Open {
        socket: S,
        is_welcome: bool,
    },
}

struct Place {
    room: String,
    spectate: bool,
}

impl<C: Context, I: Serialize, S: Socket> Client<C, I, S> {
    /// Returns a client that connects when it is first polled.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            link: Link::Closed(Some(Duration::ZERO)),
            place: None,
            asked: 0,
            inputs: Inputs::default(),
            moves: None,
            is_lost: false,
            pause: PAUSE,
            heard: Duration::ZERO,
            waiting: Vec::new(),
            events: VecDeque::new(),
            input: PhantomData,
        }
    }

    /// Asks for the rooms: [`Event::Rooms`].
    pub fn list(&mut self) {
        self.request(&Request::List);
    }

    /// Asks for a new room with options of the game: [`Event::Room`].
    pub fn create(&mut self, options: &Value) {
        self.request(&Request::Create { options });
    }

    /// Asks for a room with few enough players, or a new one with options of the game: [`Event::Room`].
    pub fn quick(&mut self, options: &Value) {
        self.request(&Request::Quick { options });
    }

    /// Goes to a room, as a player or to watch: [`Event::Joined`], or [`Event::Left`] if that fails. The client leaves
    /// another room, and inputs are numbered from 1 again: begin with a new context.
    pub fn join(&mut self, room: impl Into<String>, spectate: bool) {
        let room = room.into();
        let is_there = |it: &Place| it.room == room && it.spectate == spectate;
        if !self.place.as_ref().is_some_and(is_there) {
            self.forget_inputs();
        }
        self.place = Some(Place { room, spectate });
        if self.is_welcome() {
            self.say_join();
        }
    }

    /// Leaves the room: [`Event::Left`].
    pub fn leave(&mut self) {
        self.forget_inputs();
        self.place = None;
        if self.is_welcome() {
            self.asked += 1;
            self.request(&Request::Leave);
        }
    }

    /// Sends an input to the room, at once or when the client is there (again). Returns its number: 1, 2, 3, … for each
    /// room that the client joins, whatever happens to the connection. It is that of
    /// [`Predicted::tick`](https://docs.rs/ecs-prediction), too.
    ///
    /// Returns `None` if the client has not joined a room as a player; the input is not sent then.
    ///
    /// # Panics
    ///
    /// Panics if postcard cannot write the input.
    pub fn play(&mut self, input: &I) -> Option<u64> {
        self.place.as_ref().filter(|place| !place.spectate)?;
        let bytes = postcard::to_stdvec(input);
        let bytes = bytes.unwrap_or_else(|error| {
            panic!("postcard cannot write the input: {error}; give it a type that it can")
        });
        let number = self.inputs.push(bytes);
        if self.is_in() && self.moves.is_none() {
            self.send_input(number);
        }
        Some(number)
    }

    /// Acknowledges a delta and all before it. Needed only with [`Options::baselines`]: acknowledge what was applied, at
    /// least each fourth delta.
    pub fn acknowledge(&mut self, number: u64) {
        self.send(ACKNOWLEDGE, number, &[]);
    }

    /// Asks for everything, because a delta could not be applied. Deltas before that are skipped.
    pub fn lost(&mut self) {
        if self.is_in() && !std::mem::replace(&mut self.is_lost, true) {
            self.request(&Request::Lost);
        }
    }

    /// Sends and receives what it can without blocking, and returns the next event. `now` is the time since any fixed
    /// moment, such as the start of the program.
    pub fn poll(&mut self, now: Duration) -> Option<Event<C>> {
        loop {
            self.move_on(now);
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            let message = match &mut self.link {
                Link::Closed(Some(at)) if *at <= now => {
                    let (socket, is_welcome) = (S::open(&self.options.url), false);
                    (self.link, self.heard) = (Link::Open { socket, is_welcome }, now);
                    continue;
                }
                Link::Closed(_) => return None,
                Link::Open { socket, .. } => socket.receive(),
            };
            match message {
                Some(message) => {
                    self.heard = now;
                    self.obey(message, now);
                }
                None if self.is_dead(now) => self.close(1006, "nothing was heard", now),
                None => return None,
            }
        }
    }

    /// Returns the token with which a later run of the program is the same user, once the client was welcome.
    pub fn token(&self) -> Option<&str> {
        self.options.token.as_deref()
    }

    /// Returns how many inputs have no outcome.
    pub fn pending(&self) -> usize {
        self.inputs.open()
    }

    fn is_welcome(&self) -> bool {
        matches!(&self.link, Link::Open { is_welcome, .. } if *is_welcome)
    }

    /// Whether deltas are of the room where the client wants to be.
    fn is_in(&self) -> bool {
        self.is_welcome() && self.asked == 0 && self.place.is_some()
    }

    fn is_dead(&self, now: Duration) -> bool {
        let expects = self.is_in() || !self.is_welcome();
        expects && now.saturating_sub(self.heard) > SILENCE
    }

    fn transmit(&mut self, message: Message) {
        if let Link::Open { socket, .. } = &mut self.link {
            socket.send(message);
        }
    }

    fn request(&mut self, request: &Request<'_>) {
        let text = serde_json::to_string(request).expect("a request can be written");
        match self.is_welcome() {
            true => self.transmit(Message::Text(text)),
            false => self.waiting.push(text),
        }
    }

    fn say_join(&mut self) {
        if let Some(place) = self.place.take() {
            self.asked += 1;
            let (room, spectate) = (&*place.room, place.spectate);
            let baselines = self.options.baselines;
            self.request(&Request::Join {
                room,
                spectate,
                baselines,
            });
            self.place = Some(place);
        }
    }

    fn send(&mut self, kind: u8, number: u64, rest: &[u8]) {
        if self.is_in() {
            let mut bytes = postcard::to_stdvec(&(kind, number)).expect("numbers can be written");
            bytes.extend(rest);
            self.transmit(Message::Binary(bytes));
        }
    }

    fn send_input(&mut self, number: u64) {
        if let Some((number, bytes)) = self.inputs.packet(number) {
            let bytes = bytes.to_vec();
            self.send(INPUT, number, &bytes);
        }
    }

    fn obey(&mut self, message: Message, now: Duration) {
        match message {
            Message::Opened => self.greet(),
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(answer) => self.hear(answer),
                Err(error) => self.fail(&format!("{text:?} is no answer of a gateway: {error}")),
            },
            Message::Binary(bytes) => self.show(&bytes),
            Message::Closed { code, reason } => self.close(code, &reason, now),
        }
    }

    fn greet(&mut self) {
        let hello = Request::Hello {
            version: VERSION,
            game: self.options.game,
            token: self.options.token.as_deref(),
            login: &self.options.login,
        };
        let hello = serde_json::to_string(&hello).expect("a greeting can be written");
        self.transmit(Message::Text(hello));
    }

    fn hear(&mut self, answer: Answer) {
        match answer {
            Answer::Welcome { user, token, room } => self.enter(user, token, room),
            Answer::Rooms { rooms } => self.events.push_back(Event::Rooms(rooms)),
            Answer::Room { room } => self.events.push_back(Event::Room(room)),
            Answer::Joined {
                room,
                player,
                inputs,
            } => self.joined(room, player, inputs),
            Answer::Left { reason } => self.left(reason),
            Answer::Outcomes { played, rejected } => {
                for (number, tick) in played {
                    self.finish(number, tick, Outcome::Played { tick });
                }
                for (number, reason) in rejected {
                    self.finish(number, 0, Outcome::Rejected(reason));
                }
            }
            Answer::Reconnect { url } => {
                self.options.url = url.unwrap_or_else(|| self.options.url.clone());
                self.moves.get_or_insert(self.inputs.last());
            }
            Answer::Error { text } => self.fail(&text),
            Answer::Other => {}
        }
    }

    fn enter(&mut self, user: u64, token: String, room: Option<String>) {
        self.options.token = Some(token);
        self.pause = PAUSE;
        if let Link::Open { is_welcome, .. } = &mut self.link {
            *is_welcome = true;
        }
        self.say_join();
        for text in std::mem::take(&mut self.waiting) {
            self.transmit(Message::Text(text));
        }
        self.events.push_back(Event::Welcome { user, room });
    }

    fn joined(&mut self, room: String, player: Option<u64>, inputs: u64) {
        self.asked = self.asked.saturating_sub(1);
        if self.asked > 0 {
            return; // it wants to be elsewhere by now
        }
        let spectate = player.is_none();
        self.place = Some(Place {
            room: room.clone(),
            spectate,
        });
        self.is_lost = false;
        self.events.push_back(Event::Joined { room, player });
        let (again, unknown) = self.inputs.join(inputs);
        self.forget(unknown);
        for number in again {
            if self.moves.is_none_or(|last| number <= last) {
                self.send_input(number);
            }
        }
    }

    fn left(&mut self, reason: String) {
        self.asked = self.asked.saturating_sub(1);
        if self.asked == 0 {
            self.forget_inputs();
            self.place = None;
            self.events.push_back(Event::Left { reason });
        }
    }

    fn finish(&mut self, number: u64, tick: u64, outcome: Outcome) {
        if let Some(input) = self.inputs.finish(number, tick) {
            self.events.push_back(Event::Outcome { input, outcome });
        }
    }

    fn forget(&mut self, inputs: Vec<u64>) {
        let outcome = Outcome::Unknown;
        let events = inputs.into_iter().map(|input| Event::Outcome {
            input,
            outcome: outcome.clone(),
        });
        self.events.extend(events);
    }

    fn forget_inputs(&mut self) {
        let inputs = self.inputs.clear();
        self.forget(inputs);
        self.moves = self.moves.map(|_| 0); // none is expected
    }

    fn fail(&mut self, text: &str) {
        let text = text.to_owned();
        self.events.push_back(Event::Error { text });
    }

    fn show(&mut self, bytes: &[u8]) {
        if !self.is_in() {
            return; // of a room where it was before
        }
        let Ok(((DELTA, tick, number, input), rest)) = postcard::take_from_bytes(bytes) else {
            return self.fail("a binary message is no delta");
        };
        if !self.options.baselines {
            self.acknowledge(number);
        }
        match postcard::from_bytes::<Delta<C>>(rest) {
            Ok(delta) if self.is_lost && !delta.is_everything() => {}
            Ok(delta) => {
                self.is_lost = false;
                let input = self.inputs.show(tick, input);
                self.events.push_back(Event::Delta {
                    tick,
                    number,
                    input,
                    delta,
                });
            }
            Err(error) => {
                self.fail(&format!("the delta of tick {tick} cannot be read: {error}"));
                self.lost();
            }
        }
    }

    /// Leaves a gateway that ends, once the inputs that it has got have outcomes.
    fn move_on(&mut self, now: Duration) {
        if self.moves.is_some_and(|last| !self.inputs.has_open(last)) {
            self.close(1001, "the gateway ends", now);
        }
    }

    /// Returns between one half and all of the pause, so that the clients of a gateway that has died do not come at once.
    fn spread_pause(&self, now: Duration) -> Duration {
        let mut hasher = DefaultHasher::new();
        (&self.options.token, now).hash(&mut hasher);
        self.pause * (512 + (hasher.finish() % 513) as u32) / 1_024
    }

    fn close(&mut self, code: u16, reason: &str, now: Duration) {
        let again = match code {
            4000 => self.options.token.take().is_some(),
            ..4000 | 4002 | 4003 | 4004 => true,
            _ => false,
        };
        if code == 4000 {
            self.forget_inputs(); // they were another user's
        } else if code == 4004 {
            self.pause = LONGEST_PAUSE;
        }
        let at = match self.moves.take() {
            Some(_) => now,
            None => now + self.spread_pause(now),
        };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        (self.link, self.asked) = (Link::Closed(again.then_some(at)), 0);
        self.events.push_back(Event::Closed {
            code,
            reason: reason.to_owned(),
            again,
        });
    }
}

impl<C: Context, I, S> fmt::Debug for Client<C, I, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("options", &self.options)
            .field("room", &self.place.as_ref().map(|place| &place.room))
            .field("pending", &self.inputs.open())
            .finish_non_exhaustive()
    }
}
