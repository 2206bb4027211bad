//! The game of a client: what the server shows, with its own steps ahead of it.

use std::time::Duration;

use arena_rules::{Arena, BURST, Input, Position, Step, TICKS};
use ecs::Context as _;
use ecs_gateway_client::{Client, Event, Options};
use ecs_prediction::{Interpolated, Predicted};
use serde::Deserialize;
use serde_json::Value;

use crate::socket::Page;

const TICK: f64 = 1.0 / TICKS as f64;
/// How many ticks late others are shown.
const DELAY: f64 = 2.0;
/// A way in a tick that no one walks, in eighths of a point.
const LEAP: f32 = 1_000.0;

/// How the page begins.
#[derive(Deserialize)]
pub(crate) struct Start {
    /// Of the gateway.
    url: String,
    /// Of an earlier page.
    token: Option<String>,
    name: String,
    /// A room to join; `None`: any, with few enough players.
    room: Option<String>,
    /// With which a room is opened.
    options: Value,
}

pub(crate) struct Play {
    start: Start,
    client: Client<Arena, Input, Page>,
    pub(crate) world: World,
    controls: Step,
    pub(crate) me: u64,
    /// What the player shall know of the connection, if it is not well.
    pub(crate) trouble: Option<String>,
    now: f64,
    /// When the last step was taken, and when the next one is due.
    taken: f64,
    due: f64,
    /// Whether the player stood still in the last step.
    stood: bool,
    pub(crate) room: String,
}

/// A room, as it is shown.
pub(crate) struct World {
    pub(crate) game: Arena,
    pub(crate) predicted: Predicted<Arena, Input>,
    pub(crate) others: Interpolated<Arena, Position>,
    /// The tick of the server that was shown last.
    pub(crate) tick: u64,
    /// As of when others are shown.
    pub(crate) shown: f64,
    /// How far between the last two steps the player is shown.
    pub(crate) fraction: f32,
    /// How often the player was somewhere else than predicted, and how far at most.
    pub(crate) corrections: (usize, i32),
    /// Where the picture is.
    pub(crate) eye: Position,
}

/// What a step changes at once: the player's own body and shots.
fn predict(me: u64) -> impl Fn(&mut Arena, &Input) {
    move |game, input| {
        if let Input::Step(step) = input {
            game.fly(me);
            game.step(me, *step);
        }
    }
}

impl World {
    fn new(me: u64) -> Self {
        let mut game = Arena::new();
        let predicted = Predicted::new(&mut game)
            .only(move |it| {
                it.get_pilot().is_some_and(|it| it.player == me)
                    || it.get_shot().is_some_and(|it| it.owner == me)
            })
            .smooth::<Position>(4, LEAP);
        Self {
            game,
            predicted,
            others: Interpolated::new(DELAY).snap(LEAP),
            tick: 0,
            shown: 0.0,
            fraction: 1.0,
            corrections: (0, 0),
            eye: Position {
                x: 10_240,
                y: 7_168,
            },
        }
    }
}

impl Play {
    pub(crate) fn new(start: Start) -> Self {
        let options = Options {
            token: start.token.clone(),
            ..Options::new(start.url.clone())
        };
        Self {
            start,
            client: Client::new(options),
            world: World::new(0),
            controls: Step::default(),
            me: 0,
            trouble: Some("connecting".to_owned()),
            now: 0.0,
            taken: 0.0,
            due: 0.0,
            stood: true,
            room: String::new(),
        }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.client.token()
    }

    pub(crate) fn control(&mut self, step: Step) {
        let weapon = step.weapon.or(self.controls.weapon); // until it is sent
        self.controls = Step { weapon, ..step };
    }

    /// Receives what has come, and takes the steps that are due. The step with which the player starts to walk is taken
    /// before it is due, so that it is seen in this frame; the next one is not, so that there are not more steps.
    pub(crate) fn advance(&mut self, now: Duration) {
        while let Some(event) = self.client.poll(now) {
            self.obey(event);
        }
        let now = now.as_secs_f64();
        let before = std::mem::replace(&mut self.now, now);
        self.world.shown = self.world.others.advance((now - before).max(0.0) / TICK);
        if self.due < now - 5.0 * TICK {
            self.due = now; // the page was not shown
        }
        let walks = self.controls.walk != (0, 0);
        while self.due <= now || (walks && self.stood && self.due <= now + TICK) {
            if self.world.predicted.pending().len() >= BURST {
                let silent = || "the server is silent".to_owned();
                self.trouble.get_or_insert_with(silent);
                break;
            }
            self.taken = if self.due <= now { self.due } else { before };
            self.due += TICK;
            self.stood = !walks;
            let step = Input::Step(self.controls);
            self.controls.weapon = None;
            self.play(step);
        }
        let fraction = (now - self.taken) / (self.due - self.taken);
        self.world.fraction = fraction.min(1.0) as f32;
    }

    /// Plays an input here at once, and sends it.
    fn play(&mut self, input: Input) {
        let World {
            game, predicted, ..
        } = &mut self.world;
        if predicted.mirror().applied() == 0 {
            return; // nothing has been shown
        }
        let played = predicted.tick(game, input.clone(), predict(self.me));
        if played.is_ok() {
            self.client.play(&input); // else too many are pending: see `BURST`
        }
    }

    fn join(&mut self, room: String) {
        self.world = World::new(self.me);
        self.client.join(&room, false);
        self.room = room;
    }

    fn obey(&mut self, event: Event<Arena>) {
        match event {
            Event::Welcome { user, room } => {
                self.me = user;
                let room = room.or(self.start.room.take());
                match room {
                    _ if !self.room.is_empty() => {} // the client joins it again
                    Some(room) => self.join(room),
                    None => self.client.quick(&self.start.options),
                }
            }
            Event::Room(room) => self.join(room),
            Event::Left { reason } => {
                self.room.clear();
                self.trouble = Some(reason);
                self.client.quick(&self.start.options);
            }
            Event::Delta {
                tick, input, delta, ..
            } => self.show(tick, input, &delta),
            Event::Closed {
                code: 1001,
                again: true,
                ..
            } => {} // the gateway ends, and the next one goes on
            Event::Closed { reason, again, .. } => {
                let way = if again {
                    "connecting again"
                } else {
                    "reload the page"
                };
                self.trouble = Some(format!("{way} {reason}"));
            }
            Event::Error { text } => self.trouble = Some(text),
            _ => {}
        }
    }

    fn show(&mut self, tick: u64, input: u64, delta: &ecs::Delta<Arena>) {
        let World {
            game,
            predicted,
            others,
            corrections,
            ..
        } = &mut self.world;
        let is_first = predicted.mirror().applied() == 0;
        let own = |game: &Arena| {
            game.entity(game.pilot_of(self.me)?)
                .get::<Position>()
                .copied()
        };
        let before = own(game);
        if predicted
            .rebase(game, delta, input, predict(self.me))
            .is_err()
        {
            return self.client.lost();
        }
        if let (Some(before), Some(after)) = (before, own(game))
            && before != after
        {
            *corrections = (corrections.0 + 1, corrections.1.max(before.distance(after)));
        }
        others.record(tick, predicted.confirmed::<Position>(game));
        self.world.tick = tick;
        self.trouble = None;
        if is_first || delta.is_everything() {
            self.play(Input::Name(self.start.name.clone()));
        }
    }
}
