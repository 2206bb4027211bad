//! A room that is not deterministic.

#![allow(unreachable_pub, reason = "a context shows its components")]

use std::error::Error as Anything;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::prelude::*;
use ecs_rooms::{Error, Game, Host, Opening, Options, Player, Room, Session, Turn, follow, replay};
use serde::{Deserialize, Serialize};

use crate::race::{SECRET, options, until};
use crate::store_failures::{NOTHING, Refusing, SAVES};

/// What a room must not depend on: it has another value in each tick.
static OUTSIDE: AtomicU64 = AtomicU64::new(0);

/// As `OUTSIDE`, but it changes once.
static SET: AtomicU64 = AtomicU64::new(0);

struct Fickle {
    /// 13 if it depends on `OUTSIDE`, 14 if on `SET`.
    kind: u8,
    sum: u64,
}

impl Room for Fickle {
    type Input = u64;

    fn new(opening: &Opening) -> Self {
        let (kind, sum) = (opening.seed as u8, opening.seed);
        Self { kind, sum }
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        let sum = u64::from_le_bytes(bytes[1..].try_into()?);
        let kind = bytes[0];
        Ok(Self { kind, sum })
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok([&[self.kind][..], &self.sum.to_le_bytes()].concat())
    }
    fn tick(&mut self, turn: Turn<u64>) {
        self.sum += turn.inputs.iter().map(|(_, input)| input).sum::<u64>();
        self.sum += match self.kind {
            13 => OUTSIDE.fetch_add(1, Ordering::Relaxed),
            14 => SET.load(Ordering::Relaxed),
            _ => 0,
        };
    }
    fn checksum(&mut self) -> u64 {
        self.sum + 10
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.save()
    }
}

fn run(store: &Refusing, name: &str, resume_differing: bool) -> Host {
    let options = Options {
        resume_differing,
        shards: 1,
        ..options(name)
    };
    Host::run::<Fickle>(store.clone(), options).unwrap()
}

/// Twelve rooms, of which `room5` differs, when their host dies. Returns the next one.
fn take_over(store: &Refusing, resume_differing: bool) -> Host {
    let first = run(store, "first", resume_differing);
    for room in 0..12 {
        let seed = if room == 5 { 13 } else { room };
        first.open(&format!("room{room}"), seed).unwrap();
    }
    until("saves", || first.stats().saves > 40);
    play_unsaved(store, &first);
    drop(first);
    store.set(NOTHING);
    run(store, "second", resume_differing)
}

/// Keeps rooms from being saved, and waits until each has had ticks since its last save.
fn play_unsaved(store: &Refusing, host: &Host) {
    store.set(SAVES);
    let before = host.stats();
    until("ticks", || {
        host.stats().ticks > before.ticks + 3 * before.rooms
    });
}

fn plays(store: &Refusing, room: u64) -> Result<(), Error> {
    let room = format!("room{room}");
    let key = Player::<Fickle>::key(&SECRET, &room, 1);
    let player = Player::<Fickle>::new(store.clone(), &room, 1, key).unwrap();
    player.send(&1).unwrap();
    player.wait(Duration::from_secs(10))
}

fn is_named(host: &Host) -> bool {
    let differs = |error: &Error| matches!(error, Error::Differs { room, .. } if room == "room5");
    host.stats().failures.iter().any(differs)
}

#[test]
fn a_room_that_differs_ends_and_the_others_go_on() {
    let store = Refusing::default();
    let second = take_over(&store, false);
    (0..12)
        .filter(|room| *room != 5)
        .for_each(|room| plays(&store, room).unwrap());
    assert!(matches!(plays(&store, 5), Err(Error::Rejected { .. })));
    until("the room to be named", || is_named(&second));
}

#[test]
fn a_room_that_differs_goes_on_from_its_save_if_the_host_may() {
    let store = Refusing::default();
    let second = take_over(&store, true);
    (0..12).for_each(|room| plays(&store, room).unwrap());
    until("the room to be named", || is_named(&second));
    assert_eq!(second.stats().rooms, 12);
    second.drain();
}

#[test]
fn a_follower_goes_on_from_the_same_save_as_its_room() {
    let store = Refusing::default();
    let first = run(&store, "first", true);
    first.open("room5", 14).unwrap();
    until("saves", || first.stats().saves > 2);
    play_unsaved(&store, &first); // from now on, nothing is forgotten
    let seen = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            follow::<Fickle>(&store, "room5", &SECRET, |tick, room| {
                seen.store(tick, Ordering::Relaxed);
                match room.sum > 1 << 20 {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        });
        until("the follower", || seen.load(Ordering::Relaxed) > 0);
        drop(first);
        let mut last = 0;
        replay::<Fickle>(&store, "room5", &SECRET, |tick, _| last = tick).unwrap();
        until("the rest", || seen.load(Ordering::Relaxed) == last);
        SET.store(1 << 20, Ordering::Relaxed);
        let second = run(&store, "second", true);
        until("the room to be named", || is_named(&second));
        until("the follower", || follower.is_finished());
        follower.join().unwrap().unwrap();
    });
}

// A context whose system depends on something outside of it.
#[ecs::context]
pub struct Dice;

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Dice)]
pub struct Color(pub u64);

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Dice)]
pub struct Pips(pub u64);

impl Game for Dice {
    type Input = u64;
    type View = Pips;

    fn begin(&mut self, opening: &Opening) {
        self.create_many((0..3).map(|dice| (Color(opening.seed), Pips(dice))));
    }
    fn systems(&mut self) -> Systems<Self> {
        Systems::new().add(|game: &mut Dice| {
            game.query_mut::<(&Color, &mut Pips)>()
                .for_each(|(color, pips)| {
                    let is_loaded = color.0 == 13 && pips.0 > 0 && pips.0 < 1 << 32;
                    let outside = OUTSIDE.fetch_add(1, Ordering::Relaxed);
                    pips.0 += if is_loaded { outside << 32 } else { 0 };
                });
        })
    }
    fn input(&mut self, _: u64, _: u64) {
        // Each die can be loaded again.
        self.query_mut::<&mut Pips>()
            .for_each(|pips| pips.0 %= 1 << 32);
    }
}

#[test]
fn a_host_names_the_first_component_that_differs_from_a_copy() {
    let store = Refusing::default();
    let options = Options {
        verify: 100,
        ..options("first")
    };
    let host = Host::run::<Session<Dice>>(store.clone(), options).unwrap();
    host.open("right", 1).unwrap();
    host.open("wrong", 13).unwrap();
    until("saves", || host.stats().saves > 4);
    let failures = host.stats().failures;
    assert_eq!(failures, [], "nothing is outside any more");
    for room in ["right", "wrong"] {
        let key = Player::<Session<Dice>>::key(&SECRET, room, 1);
        let player = Player::<Session<Dice>>::new(store.clone(), room, 1, key).unwrap();
        player.send(&1).unwrap();
        player.wait(Duration::from_secs(10)).unwrap();
    }
    until("the difference", || !host.stats().failures.is_empty());
    match &host.stats().failures[..] {
        [Error::Nondeterministic { room, part, .. }] => {
            let of = (&room[..], &part[..]);
            assert_eq!(of, ("wrong", "component `Pips` of entity 1v1"));
        }
        failures => panic!("{failures:?}"),
    }
}
