//! A server, a client, and the link between them.

use std::collections::VecDeque;

use ecs::prelude::*;
use ecs::{ApplyError, Delta};
use ecs_prediction::{Corrections, Predicted};

use crate::game::{Arena, Bullet, Input, Player, Position, body, step};
use crate::link::{Link, Quality};

/// The player of the client.
pub(crate) const ME: u32 = 1;

/// The inputs that the server has not acknowledged, and whether the client needs everything.
type Up = (Vec<(u64, Input)>, bool);

pub(crate) struct Server {
    pub game: Arena,
    feed: Feed<Arena>,
    acked: u64,
    queue: VecDeque<Input>,
    received: u64,
    wants_all: bool,
}

impl Server {
    pub(crate) fn new() -> Self {
        let mut game = Arena::new();
        for player in 1..=3 {
            game.create_with((Player(player), Position::default()));
        }
        let feed = game.feed::<(Player, Position, Bullet)>();
        Self {
            game,
            feed,
            acked: 0,
            queue: VecDeque::new(),
            received: 0,
            wants_all: false,
        }
    }

    fn receive(&mut self, (inputs, wants_all): Up) {
        self.wants_all |= wants_all;
        for (number, input) in inputs {
            if number == self.received + 1 {
                self.received = number;
                self.queue.push_back(input);
            }
        }
    }

    /// Plays inputs that have arrived: two at once if they pile up.
    fn play(&mut self) {
        for _ in 0..1 + usize::from(self.queue.len() > 2) {
            if let Some(input) = self.queue.pop_front() {
                step(&mut self.game, ME, &input);
                self.acked += 1;
            }
        }
    }

    fn state(&mut self) -> Vec<u8> {
        let delta = match core::mem::take(&mut self.wants_all) {
            true => self.feed.take_all(&mut self.game),
            false => self.feed.take(&mut self.game),
        };
        postcard::to_stdvec(&(self.acked, delta)).unwrap()
    }
}

pub(crate) struct Client {
    pub game: Arena,
    pub predicted: Predicted<Arena, Input>,
    pub corrections: Vec<Corrections>,
    pub stalled: u32,
    wants_all: bool,
}

pub(crate) fn predict(game: &mut Arena, input: &Input) {
    step(game, ME, input);
}

impl Client {
    pub(crate) fn new() -> Self {
        let mut game = Arena::new();
        let history = History::builder().without::<crate::game::Sprite>();
        let history = history.record(&mut game);
        let predicted = Predicted::with(&mut game, history, Mirror::new())
            .only(|entity| entity.get_player().is_some_and(|it| it.0 == ME))
            .smooth::<Position>(4, 50.0);
        Self {
            game,
            predicted,
            corrections: Vec::new(),
            stalled: 0,
            wants_all: false,
        }
    }

    fn receive(&mut self, bytes: &[u8]) {
        let (acked, delta): (u64, Delta<Arena>) = postcard::from_bytes(bytes).unwrap();
        let received = self
            .predicted
            .receive(&mut self.game, &delta, acked, predict);
        match received {
            Ok(corrections) => {
                self.wants_all = false;
                if corrections.values > 0 {
                    self.corrections.push(corrections);
                }
            }
            Err(ApplyError::Repeated { .. }) => {}
            Err(ApplyError::Missing { .. } | ApplyError::Unreadable) => self.wants_all = true,
            Err(error) => panic!("{error}"),
        }
    }

    fn tick(&mut self, input: Input) -> Up {
        let played = self.predicted.tick(&mut self.game, input, predict);
        self.stalled += u32::from(played.is_err());
        let pending = self.predicted.pending();
        let pending = pending.map(|(number, input)| (number, *input)).collect();
        (pending, self.wants_all)
    }

    pub(crate) fn at(&self) -> Option<Position> {
        let body = body(&self.game, ME)?;
        Some(*self.game.entity(body).position())
    }
}

pub(crate) struct Session {
    pub server: Server,
    pub client: Client,
    up: Link<Up>,
    down: Link<Vec<u8>>,
    now: u64,
}

impl Session {
    pub(crate) fn new(quality: Quality, seed: u64) -> Self {
        Self {
            server: Server::new(),
            client: Client::new(),
            up: Link::new(quality, seed),
            down: Link::new(quality, seed + 1),
            now: 0,
        }
    }

    /// Both play one tick; `disturb` is what others do on the server.
    pub(crate) fn tick(&mut self, input: Option<Input>, disturb: impl FnOnce(&mut Arena)) {
        self.now += 1;
        for message in self.up.arrived(self.now) {
            self.server.receive(message);
        }
        self.server.play();
        disturb(&mut self.server.game);
        self.down.send(self.now, self.server.state());

        for bytes in self.down.arrived(self.now) {
            self.client.receive(&bytes);
        }
        let up = match input {
            Some(input) => self.client.tick(input),
            None => {
                let pending = self.client.predicted.pending();
                let pending = pending.map(|(number, input)| (number, *input)).collect();
                (pending, self.client.wants_all)
            }
        };
        self.up.send(self.now, up);
    }

    /// Plays without inputs, on a good connection, until both have heard everything.
    pub(crate) fn rest(&mut self) {
        let steady = Quality::steady(1);
        (self.up.quality, self.down.quality) = (steady, steady);
        for _ in 0..80 {
            self.tick(None, |_| ());
        }
    }
}
