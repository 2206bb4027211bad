//! A small game, and what tests need of it.

#![allow(unreachable_pub, reason = "a context shows its components")]

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rooms::{Error, Game, Host, Opening, Options, Player, Room, Session, Store, replay};
use serde::{Deserialize, Serialize};

pub const SECRET: [u8; 32] = [3; 32];

/// The room that tests play.
#[ecs::context]
pub struct Race;

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Race)]
pub struct Car {
    pub player: u64,
    /// All that was sent, in order.
    pub sent: Vec<u64>,
}

#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Race)]
pub struct Position(pub i64);

#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Race)]
pub struct Speed(pub i64);

/// What a viewer adds to an entity to show it.
#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Race)]
pub struct Picture(pub u8);

/// What is only for tests: to panic, to be of this build alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    Go(u64),
    Panic,
    /// For so many milliseconds.
    Sleep(u64),
}

pub type Racing = Session<Race>;

impl Game for Race {
    type Input = Order;
    type View = (Car, Position);

    fn begin(&mut self, opening: &Opening) {
        for player in 0..4 {
            let car = Car {
                player,
                sent: Vec::new(),
            };
            self.create_with((car, Position(opening.seed as i64), Speed(player as i64)));
        }
        self.create_many((0..120).map(|n| (Position(n * 10), Speed(1))));
    }

    fn systems(&mut self) -> Systems<Self> {
        let movers = self.group(Race::all_of::<(Position, Speed)>());
        Systems::new().add(move |game: &mut Race| {
            movers.for_each(game, |mut mover| {
                let position = mover.position().0 + mover.speed().0;
                mover.replace_position(position % 1_000);
            });
        })
    }

    fn input(&mut self, player: u64, order: Order) {
        let number = match order {
            Order::Go(number) => number,
            Order::Panic => panic!("an order to panic"),
            Order::Sleep(time) => return std::thread::sleep(Duration::from_millis(time)),
        };
        let cars = self.group(Race::all_of::<Car>());
        let car = cars.iter(self).find(|car| car.car().player == player);
        if let Some(id) = car.map(|car| car.id()) {
            self.entity_mut(id).update_car(|car| car.sent.push(number));
        }
    }
}

pub fn options(name: &str) -> Options {
    Options {
        name: name.to_owned(),
        tick: Duration::from_millis(10),
        save_every: 20,
        budget: Duration::from_secs(10), // machines that test are busy
        beat: Duration::from_millis(20),
        patience: Duration::from_millis(200),
        shards: 4,
        threads: 2,
        drain_on_sigterm: false,
        ..Options::new(SECRET)
    }
}

pub fn host(store: &(impl Store + Clone), name: &str) -> Host {
    Host::run::<Racing>(store.clone(), options(name)).unwrap()
}

pub fn player(store: &(impl Store + Clone), room: &str, player: u64) -> Player<Racing> {
    let key = Player::<Racing>::key(&SECRET, room, player);
    Player::new(store.clone(), room, player, key).unwrap()
}

/// Waits until something is so, for ten seconds at most.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "waited for {what}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Plays the log of a room again. A room that was just saved has no tick since, and one that goes on forgets what
/// a slow machine has not read yet: then it is played once more.
pub fn replayed<R: Room>(
    store: &dyn Store,
    room: &str,
    mut each: impl FnMut(u64, &mut R),
) -> Result<u64, Error> {
    let start = Instant::now();
    loop {
        let ticks = replay(store, room, &SECRET, &mut each);
        let is_short = matches!(ticks, Ok(0) | Err(Error::Forgotten { .. }));
        if !is_short || start.elapsed() > Duration::from_secs(5) {
            return ticks;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What each player of a room has sent, by its log, and the number of ticks verified.
pub fn played(store: &dyn Store, room: &str) -> Result<([Vec<u64>; 4], u64), Error> {
    let mut sent = [const { Vec::new() }; 4];
    let ticks = replayed::<Racing>(store, room, |_, session| {
        for car in session.game.query::<&Car>().iter() {
            sent[car.player as usize].clone_from(&car.sent);
        }
    })?;
    Ok((sent, ticks))
}
