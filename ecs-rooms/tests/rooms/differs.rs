//! A room that is not deterministic.

use std::error::Error as Anything;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs_rooms::{Error, Host, MemoryStore, Options, Player, Room};

use crate::race::{SECRET, options, until};

/// What a room must not depend on: it has another value in each tick.
static OUTSIDE: AtomicU64 = AtomicU64::new(0);

struct Fickle {
    is_fickle: bool,
    sum: u64,
}

impl Room for Fickle {
    type Input = u64;

    fn new(seed: u64) -> Self {
        let is_fickle = seed == 13;
        Self {
            is_fickle,
            sum: seed,
        }
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        let sum = u64::from_le_bytes(bytes[1..].try_into()?);
        Ok(Self {
            is_fickle: bytes[0] == 1,
            sum,
        })
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok([&[self.is_fickle.into()][..], &self.sum.to_le_bytes()].concat())
    }
    fn tick(&mut self, inputs: Vec<(u64, u64)>) {
        self.sum += inputs.iter().map(|(_, input)| input).sum::<u64>();
        if self.is_fickle {
            self.sum += OUTSIDE.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn checksum(&mut self) -> u64 {
        self.sum + 10
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.save()
    }
}

/// Twelve rooms, of which `room5` differs, when their host dies. Returns the next one.
fn take_over(store: &MemoryStore, resume_differing: bool) -> Host {
    let run = |name| {
        let options = Options {
            resume_differing,
            shards: 1,
            ..options(name)
        };
        Host::run::<Fickle>(store.clone(), options).unwrap()
    };
    let first = run("first");
    for room in 0..12 {
        let seed = if room == 5 { 13 } else { room };
        first.open(&format!("room{room}"), seed).unwrap();
    }
    until("saves", || first.stats().saves > 40);
    std::thread::sleep(Duration::from_millis(100));
    drop(first);
    run("second")
}

fn plays(store: &MemoryStore, room: u64) -> Result<(), Error> {
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
    let store = MemoryStore::new();
    let second = take_over(&store, false);
    (0..12)
        .filter(|room| *room != 5)
        .for_each(|room| plays(&store, room).unwrap());
    assert!(matches!(plays(&store, 5), Err(Error::Rejected { .. })));
    until("the room to be named", || is_named(&second));
}

#[test]
fn a_room_that_differs_goes_on_from_its_save_if_the_host_may() {
    let store = MemoryStore::new();
    let second = take_over(&store, true);
    (0..12).for_each(|room| plays(&store, room).unwrap());
    until("the room to be named", || is_named(&second));
    assert_eq!(second.stats().rooms, 12);
    second.drain();
}
