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
use crate::link::{Link, Place, Shown};
use crate::messages::{ACKNOWLEDGE, Answer, INPUT, Joined, Request};
use crate::options::Options;
use crate::socket::{Message, Socket};

/// How long it waits before it connects again: each time twice as long, until it was welcome.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

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
    link: Option<Link<S>>,
    /// The connection to the next gateway, while this one ends.
    next: Option<Link<S>>,
    /// When it connects, if ever.
    at: Option<Duration>,
    /// Where the client wants to be.
    place: Option<Place>,
    inputs: Inputs,
    pause: Duration,
    /// Requests to send after the welcome.
    waiting: Vec<String>,
    events: VecDeque<Event<C>>,
    input: PhantomData<fn(&I)>,
}

impl<C: Context, I: Serialize, S: Socket> Client<C, I, S> {
    /// Returns a client that connects when it is first polled.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            link: None,
            next: None,
            at: Some(Duration::ZERO),
            place: None,
            inputs: Inputs::default(),
            pause: PAUSE,
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
        self.go_if_welcome();
        let room = room.into();
        let is_there = |it: &Place| it.room == room && it.spectate == spectate;
        if !self.place.as_ref().is_some_and(is_there) {
            self.forget_inputs();
        }
        self.place = Some(Place { room, spectate });
        self.say_join();
    }

    /// Leaves the room: [`Event::Left`].
    pub fn leave(&mut self) {
        self.go_if_welcome();
        self.forget_inputs();
        self.place = None;
        if let Some(link) = self.link.as_mut().filter(|link| link.is_welcome) {
            link.asked += 1;
            link.say(&Request::Leave);
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
        self.send_inputs(&[number]);
        Some(number)
    }

    /// Acknowledges a delta and all before it. Needed only with [`Options::baselines`]: acknowledge what was applied, at
    /// least each fourth delta.
    pub fn acknowledge(&mut self, number: u64) {
        // It may be one of the gateway before.
        if let Some(link) = self.room_link().filter(|link| number <= link.shown) {
            let bytes = postcard::to_stdvec(&(ACKNOWLEDGE, number, link.outcomes));
            let bytes = bytes.expect("numbers can be written");
            link.socket.send(Message::Binary(bytes));
        }
    }

    /// Asks for everything, because a delta could not be applied. Deltas before that are skipped.
    pub fn lost(&mut self) {
        if let Some(link) = self.room_link()
            && !std::mem::replace(&mut link.is_lost, true)
        {
            link.say(&Request::Lost);
        }
    }

    /// Sends and receives what it can without blocking, and returns the next event. `now` is the time since any fixed
    /// moment, such as the start of the program.
    pub fn poll(&mut self, now: Duration) -> Option<Event<C>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            if self.at.is_some_and(|at| at <= now) {
                self.at = None;
                self.connect(now);
            }
            let has_place = self.place.is_some();
            let receive = |link: &mut Option<Link<S>>| link.as_mut()?.receive(has_place, now);
            if let Some(message) = receive(&mut self.link) {
                self.obey(message, now);
            } else if let Some(message) = receive(&mut self.next) {
                self.prepare(message, now);
            } else {
                return None;
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

    fn connect(&mut self, now: Duration) {
        let link = Link::open(&self.options.url, now);
        match self.link {
            Some(_) => self.next = Some(link),
            None => self.link = Some(link),
        }
    }

    /// Where the client wants to be changes, so it need not wait for what the next gateway shows.
    fn go_if_welcome(&mut self) {
        if self.next.as_ref().is_some_and(|next| next.is_welcome) {
            self.go();
        }
    }

    fn say_join(&mut self) {
        let link = self.link.as_mut().filter(|link| link.is_welcome);
        if let (Some(link), Some(place)) = (link, &self.place) {
            link.join(place, &self.inputs, self.options.baselines);
        }
    }

    /// The connection by which the client is where it wants to be.
    fn room_link(&mut self) -> Option<&mut Link<S>> {
        let link = self.link.as_mut().filter(|_| self.place.is_some())?;
        (link.is_welcome && link.asked == 0).then_some(link)
    }

    fn request(&mut self, request: &Request<'_>) {
        match self.link.as_mut().filter(|link| link.is_welcome) {
            Some(link) => {
                link.requests += 1;
                link.say(request);
            }
            None => {
                let text = serde_json::to_string(request).expect("a request can be written");
                self.waiting.push(text);
            }
        }
    }

    /// Sends inputs, unless the next gateway has been asked to join: then it gets them.
    fn send_inputs(&mut self, numbers: &[u64]) {
        let is_next = self.next.as_ref().is_some_and(|next| next.is_welcome);
        if is_next || self.room_link().is_none() {
            return;
        }
        for &number in numbers {
            let bytes = self.inputs.send(number);
            if let (Some(input), Some(link)) = (bytes, self.room_link()) {
                let bytes = postcard::to_stdvec(&(INPUT, number));
                let mut bytes = bytes.expect("numbers can be written");
                bytes.extend(input);
                link.socket.send(Message::Binary(bytes));
            }
        }
    }

    fn obey(&mut self, message: Message, now: Duration) {
        match message {
            Message::Opened => {
                let link = self.link.as_mut();
                link.into_iter().for_each(|link| link.greet(&self.options));
            }
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(answer) => self.hear(answer, now),
                Err(error) => self.fail(&format!("{text:?} is no answer of a gateway: {error}")),
            },
            Message::Binary(bytes) => self.show(&bytes),
            Message::Closed { code, reason } => self.close(code, &reason, now),
        }
    }

    /// Takes what the next gateway says. The client goes there when it shows the room.
    fn prepare(&mut self, message: Message, now: Duration) {
        let Some(next) = &mut self.next else {
            return;
        };
        let answer = match &message {
            Message::Opened => return next.greet(&self.options),
            // It goes without a connection for a moment.
            Message::Closed { .. } => {
                self.next = None;
                return self.close(1001, "the gateway ends", now);
            }
            Message::Text(text) => serde_json::from_str(text).ok(),
            Message::Binary(_) if next.joined.is_none() => return, // it has overtaken the answer
            Message::Binary(_) => None,
        };
        match answer {
            Some(Answer::Welcome { user, token, room }) => {
                next.is_welcome = true;
                match &self.place {
                    Some(place) => next.join(place, &self.inputs, self.options.baselines),
                    None => self.go(),
                }
                self.enter(user, token, room);
            }
            Some(Answer::Joined(joined)) if next.asked == 1 => {
                (next.asked, next.joined) = (0, Some(joined));
            }
            _ => {
                self.go();
                self.obey(message, now);
            }
        }
    }

    /// Leaves a gateway that ends: the connection to the next one is the only one.
    fn go(&mut self) {
        let before = std::mem::replace(&mut self.link, self.next.take());
        if before.is_some_and(|it| it.requests > 0 || it.asked > 0) {
            self.report_end(1001, "the gateway ends", true); // what was asked for has no answer
        }
        self.send_waiting();
        let joined = self.link.as_mut().and_then(|link| link.joined.take());
        joined.into_iter().for_each(|joined| self.joined(joined));
    }

    fn hear(&mut self, answer: Answer, now: Duration) {
        match answer {
            Answer::Welcome { user, token, room } => {
                self.welcome();
                self.enter(user, token, room);
            }
            Answer::Rooms { rooms } => {
                self.count_answer();
                self.events.push_back(Event::Rooms(rooms));
            }
            Answer::Room { room } => {
                self.count_answer();
                self.events.push_back(Event::Room(room));
            }
            Answer::Joined(joined) => {
                let link = self.link.as_mut();
                link.into_iter().for_each(|link| link.outcomes = 0);
                if self.is_answered() {
                    self.joined(joined);
                }
            }
            Answer::Left { reason } => {
                if self.is_answered() {
                    self.left(reason, now);
                }
            }
            Answer::Outcomes { played, rejected } => self.finish_all(played, rejected),
            Answer::Reconnect { url } => {
                self.options.url = url.unwrap_or_else(|| self.options.url.clone());
                self.at = Some(now).filter(|_| self.next.is_none());
            }
            Answer::Error { text } => {
                self.count_answer();
                self.fail(&text);
            }
            Answer::Other => {}
        }
    }

    /// The gateway has accepted the client.
    fn welcome(&mut self) {
        let link = self.link.as_mut();
        link.into_iter().for_each(|link| link.is_welcome = true);
        self.say_join();
        self.send_waiting();
    }

    fn left(&mut self, reason: String, now: Duration) {
        if self.next.take().is_some() {
            self.at = Some(now); // the next gateway may have been asked for this room
        }
        self.forget_inputs();
        self.place = None;
        self.events.push_back(Event::Left { reason });
    }

    fn count_answer(&mut self) {
        let link = self.link.as_mut();
        link.into_iter()
            .for_each(|link| link.requests = link.requests.saturating_sub(1));
    }

    fn enter(&mut self, user: u64, token: String, room: Option<String>) {
        self.options.token = Some(token);
        self.pause = PAUSE;
        self.events.push_back(Event::Welcome { user, room });
    }

    fn send_waiting(&mut self) {
        if let Some(link) = self.link.as_mut().filter(|link| link.is_welcome) {
            link.requests += self.waiting.len() as u32;
            let waiting = self.waiting.drain(..);
            waiting.for_each(|text| link.socket.send(Message::Text(text)));
        }
    }

    /// One request to join or leave is answered. Returns whether it was the last one; else the client wants to be
    /// elsewhere by now.
    fn is_answered(&mut self) -> bool {
        self.link.as_mut().is_some_and(|link| {
            link.asked = link.asked.saturating_sub(1);
            link.asked == 0
        })
    }

    fn joined(&mut self, joined: Joined) {
        let Joined {
            room,
            player,
            connection,
            inputs,
        } = joined;
        let spectate = player.is_none();
        self.place = Some(Place {
            room: room.clone(),
            spectate,
        });
        self.events.push_back(Event::Joined { room, player });
        let again = self.inputs.join(connection, inputs);
        self.send_inputs(&again);
    }

    fn finish_all(&mut self, played: Vec<(u64, u64)>, rejected: Vec<(u64, String)>) {
        let link = self.link.as_mut();
        link.into_iter().for_each(|link| link.outcomes += 1);
        for (number, tick) in played {
            self.finish(number, tick, Outcome::Played { tick });
        }
        for (number, reason) in rejected {
            self.finish(number, 0, Outcome::Rejected(reason));
        }
    }

    fn finish(&mut self, input: u64, tick: u64, outcome: Outcome) {
        if self.inputs.finish(input, tick) {
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
    }

    fn fail(&mut self, text: &str) {
        let text = text.to_owned();
        self.events.push_back(Event::Error { text });
    }

    fn show(&mut self, bytes: &[u8]) {
        let Some(link) = self.room_link() else {
            return; // of a room where it was before
        };
        let was_lost = link.is_lost;
        let Shown {
            tick,
            number,
            input,
            bytes,
        } = match link.read_delta(bytes) {
            Ok(Some(shown)) => shown,
            Ok(None) => return,
            Err(_) => return self.fail("a binary message is no delta"),
        };
        if !self.options.baselines {
            self.acknowledge(number);
        }
        match postcard::from_bytes::<Delta<C>>(bytes) {
            Ok(delta) if was_lost && !delta.is_everything() => {}
            Ok(delta) => {
                let link = self.link.as_mut();
                link.into_iter().for_each(|link| link.is_lost = false);
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

    /// Returns between one half and all of the pause, so that the clients of a gateway that has died do not come at once.
    fn spread_pause(&self, now: Duration) -> Duration {
        let mut hasher = DefaultHasher::new();
        (&self.options.token, now).hash(&mut hasher);
        self.pause * (512 + (hasher.finish() % 513) as u32) / 1_024
    }

    fn close(&mut self, code: u16, reason: &str, now: Duration) {
        let again = match code {
            4000 => self.options.token.take().is_some(),
            ..4000 | 4002 | 4003 | 4004 | 4007 => true,
            _ => false,
        };
        match code {
            4004 => self.pause = LONGEST_PAUSE,
            4007 => {
                let unknown = self.inputs.disconnect();
                self.forget(unknown);
            }
            _ => {}
        }
        if code == 4000 || !again {
            self.forget_inputs(); // they were another user's, or nothing more will be heard
        }
        self.link = None;
        if again && self.next.is_some() {
            self.go();
        } else {
            self.next = None;
            self.at = again.then(|| now + self.spread_pause(now));
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
        self.report_end(code, reason, again);
    }

    fn report_end(&mut self, code: u16, reason: &str, again: bool) {
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
