//! Code of a game that panics, in each call, costs one room.

use std::error::Error as Anything;
use std::panic::panic_any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs_rooms::{Error, Host, MemoryStore, Opening, Player, Room, Store as _, Turn};
use serde::{Deserialize, Serialize};

use crate::race::{SECRET, options, until};

/// A payload that panics, too.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("the payload");
        }
    }
}

/// Where a room panics: its seed says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Call {
    Nothing,
    New,
    Tick,
    Checksum,
    Save,
    Delta,
    DropRoom,
    DropInput,
}

const CALLS: [Call; 8] = [
    Call::Nothing,
    Call::New,
    Call::Tick,
    Call::Checksum,
    Call::Save,
    Call::Delta,
    Call::DropRoom,
    Call::DropInput,
];

#[derive(Serialize, Deserialize)]
struct Bomb(u64);

/// The number of drops of inputs that have panicked.
static DROPPED: AtomicU64 = AtomicU64::new(0);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 == 1 && !std::thread::panicking() {
            DROPPED.fetch_add(1, Ordering::Relaxed);
            panic_any(Payload);
        }
    }
}

struct Careless(u64, u64);

impl Careless {
    fn call(&self, call: Call) {
        if self.0 == call as u64 && self.1 > 3 {
            panic_any(Payload);
        }
    }
}

impl Room for Careless {
    type Input = Bomb;

    fn new(opening: &Opening) -> Self {
        let room = Self(opening.seed, 9);
        room.call(Call::New);
        Self(opening.seed, 0)
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        Ok(Self(bytes[0].into(), bytes[1].into()))
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.call(Call::Save);
        Ok(vec![self.0 as u8, self.1 as u8])
    }
    fn tick(&mut self, turn: Turn<Bomb>) {
        self.1 = (self.1 + 1) % 200;
        self.call(Call::Tick);
        // Dropped by the host, not in a tick.
        turn.inputs.into_iter().for_each(std::mem::forget);
    }
    fn checksum(&mut self) -> u64 {
        self.call(Call::Checksum);
        self.1
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.call(Call::Delta);
        Ok(vec![0])
    }
}

impl Drop for Careless {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.call(Call::DropRoom);
        }
    }
}

#[test]
fn a_panic_in_any_call_costs_one_room() {
    let store = MemoryStore::new();
    let host = Host::run::<Careless>(store.clone(), options("only")).unwrap();
    for call in CALLS {
        // More in the same shard, which go on.
        let (room, peer) = (format!("{call:?}"), format!("{call:?}0"));
        host.open(&room, call as u64).unwrap();
        host.open(&peer, 0).unwrap();
    }
    until("ticks", || host.stats().ticks > 500);
    for call in CALLS {
        let room = format!("{call:?}");
        let store = store.clone();
        // With a viewer, so that sights are made.
        let mut viewer = ecs_rooms::Viewer::<crate::race::Race>::new(
            store,
            &room,
            ecs_rooms::Viewer::<crate::race::Race>::key(&SECRET, &room),
        )
        .unwrap();
        viewer.update(&mut crate::race::Race::default());
    }
    let is_named = |call: Call| {
        let failures = host.stats().failures;
        let name = format!("{call:?}");
        failures
            .iter()
            .any(|error| matches!(error, Error::Panicked { room, .. } if *room == name))
    };
    for call in [
        Call::New,
        Call::Tick,
        Call::Checksum,
        Call::Save,
        Call::Delta,
    ] {
        until("the failure", || is_named(call));
    }
    host.close("DropRoom").unwrap();
    until("the end", || is_named(Call::DropRoom));
    // An input that is never played.
    let key = Player::<Careless>::key(&SECRET, "Tick", 1);
    let player = Player::<Careless>::new(store.clone(), "Tick", 1, key).unwrap();
    let bomb = Bomb(1);
    player.send(&bomb).unwrap();
    std::mem::forget(bomb);
    assert!(player.wait(Duration::from_secs(10)).is_err());
    for call in CALLS {
        let peer = format!("{call:?}0");
        let key = Player::<Careless>::key(&SECRET, &peer, 1);
        let player = Player::<Careless>::new(store.clone(), &peer, 1, key).unwrap();
        player.send(&Bomb(0)).unwrap();
        player.wait(Duration::from_secs(10)).unwrap();
    }
    host.drain();
}

#[test]
fn closures_that_panic_do_not_stop_a_store() {
    let store = MemoryStore::new();
    let host = crate::race::host(&store, "only");
    host.open("a", 1).unwrap();
    store.watch("", Box::new(|| panic_any(Payload)));
    store.listen("ask/1", Box::new(|_| panic_any(Payload)));
    store.append("log/1", vec![1], Box::new(|_| panic_any(Payload)));
    store.tell("ask/1", &[1]);
    let player = crate::race::player(&store, "a", 1);
    player.on_outcome(|_, _| panic_any(Payload));
    for number in 0..3 {
        player.send(&crate::race::Order::Go(number)).unwrap();
        player.wait(Duration::from_secs(10)).unwrap();
    }
    assert_eq!(host.stats().failures, []);
}

#[cfg(feature = "redb")]
#[test]
fn closures_that_panic_do_not_stop_the_thread_of_a_file() {
    let folder = std::env::temp_dir().join(format!("ecs-rooms-panics-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let store = ecs_rooms::FileStore::open(folder.join("rooms.redb")).unwrap();
    store.watch("", Box::new(|| panic_any(Payload)));
    for _ in 0..3 {
        store.append("log", vec![1], Box::new(|_| panic_any(Payload)));
    }
    assert_eq!(crate::contract::append(&store, "log", b"a"), Ok(4));
    drop(store);
    std::fs::remove_dir_all(folder).unwrap();
}
