//! A new version of a game takes over rooms of the old one.

#![allow(unreachable_pub, reason = "a context shows its components")]

use std::collections::BTreeMap;
use std::error::Error as Anything;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs::prelude::*;
use ecs_rooms::{
    Error, Game, Host, MemoryStore, Opening, Options, Outcome, Player, Reason, Room, Session,
    Store as _, Turn, read_input, replay, upgrade,
};
use serde::{Deserialize, Serialize};

use crate::race::{SECRET, options, replayed, until};

const SOON: Duration = Duration::from_secs(10);

/// A room that sums up inputs: version 1.
struct Old {
    sum: u64,
}

impl Room for Old {
    const NAME: &'static str = "sum";
    type Input = u64;

    fn new(_: &Opening) -> Self {
        Self { sum: 0 }
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        let sum = u64::from_le_bytes(bytes.try_into()?);
        Ok(Self { sum })
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok(self.sum.to_le_bytes().into())
    }
    fn tick(&mut self, turn: Turn<u64>) {
        self.sum += turn.inputs.iter().map(|(_, input)| input).sum::<u64>();
    }
    fn checksum(&mut self) -> u64 {
        self.sum ^ 0x5555_0000
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.save()
    }
}

/// Version 2 has another field, another rule, and other inputs.
struct New {
    sum: u64,
    doubled: u64,
}

#[derive(Serialize, Deserialize)]
enum Order {
    Add(u64),
    Double,
}

impl Room for New {
    const NAME: &'static str = "sum";
    const VERSION: u32 = 2;
    type Input = Order;

    fn upgrade(version: u32, bytes: &[u8]) -> Option<Order> {
        assert_eq!(version, 1);
        read_input(bytes)
            .filter(|number| *number != 99)
            .map(Order::Add)
    }
    fn new(_: &Opening) -> Self {
        Self { sum: 0, doubled: 0 }
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        let (sum, rest) = bytes.split_at_checked(8).ok_or("too short")?;
        let sum = u64::from_le_bytes(sum.try_into()?);
        let doubled = rest.try_into().map_or(0, u64::from_le_bytes); // version 1 had none
        Ok(Self { sum, doubled })
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok([self.sum.to_le_bytes(), self.doubled.to_le_bytes()].concat())
    }
    fn tick(&mut self, turn: Turn<Order>) {
        for (_, input) in turn.inputs {
            match input {
                Order::Add(number) => self.sum += number,
                Order::Double => (self.sum, self.doubled) = (self.sum * 2, self.doubled + 1),
            }
        }
    }
    fn checksum(&mut self) -> u64 {
        self.sum ^ self.doubled << 32 ^ 0x7777_0000
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.save()
    }
}

fn host<R: Room>(store: &MemoryStore, name: &str, change: impl FnOnce(&mut Options)) -> Host {
    let mut options = options(name);
    change(&mut options);
    Host::run::<R>(store.clone(), options).unwrap()
}

fn player<R: Room>(store: &MemoryStore, room: &str, player: u64) -> Player<R> {
    let key = Player::<R>::key(&SECRET, room, player);
    Player::new(store.clone(), room, player, key).unwrap()
}

/// The last sum of a room, by its log.
fn sum(store: &MemoryStore, room: &str) -> u64 {
    let mut last = 0;
    replayed::<New>(store, room, |_, room| last = room.sum).unwrap();
    last
}

#[test]
fn a_new_version_continues_what_the_old_one_handed_over() {
    let store = MemoryStore::new();
    let old = host::<Old>(&store, "old", |_| ());
    old.open("a", 1).unwrap();
    let first = player::<Old>(&store, "a", 1);
    first.send(&20).unwrap();
    first.wait(SOON).unwrap();
    old.drain();
    let new = host::<New>(&store, "new", |_| ());
    let second = player::<New>(&store, "a", 2);
    second.send(&Order::Double).unwrap();
    second.wait(SOON).unwrap();
    // The old program goes on playing.
    first.send(&3).unwrap();
    first.wait(SOON).unwrap();
    first.send(&99).unwrap();
    let (number, reason) = (3, Reason::OtherVersion);
    assert_eq!(first.wait(SOON), Err(Error::Rejected { number, reason }));
    assert_eq!((sum(&store, "a"), new.stats().failures), (43, vec![]));
    // There is no way back.
    let back = host::<Old>(&store, "back", |_| ());
    drop(new);
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(back.stats().rooms, 0);
}

#[test]
fn both_parts_of_a_kept_log_are_played_again() {
    let store = MemoryStore::new();
    let keep = |options: &mut Options| (options.keep_log, options.save_every) = (true, 10);
    let old = host::<Old>(&store, "old", keep);
    old.open("a", 1).unwrap();
    until("some saves", || old.stats().saves > 3);
    let first = player::<Old>(&store, "a", 1);
    first.send(&20).unwrap();
    first.wait(SOON).unwrap();
    old.drain();
    let new = host::<New>(&store, "new", keep);
    until("the room", || new.stats().ticks > 0);
    let second = player::<New>(&store, "a", 2);
    second.send(&Order::Double).unwrap();
    second.wait(SOON).unwrap();
    until("some saves", || new.stats().saves > 5);
    new.drain();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let each = |tick, room: &mut Old| before.push((tick, room.sum));
    replay::<Old>(&store, "a", &SECRET, each).unwrap();
    let each = |tick, room: &mut New| after.push((tick, room.sum));
    replay::<New>(&store, "a", &SECRET, each).unwrap();
    assert_eq!((before[0], before.last().unwrap().1), ((2, 0), 20));
    assert_eq!((after[0].1, after.last().unwrap().1), (20, 40));
}

#[test]
fn rooms_stay_with_their_version_until_its_host_leaves() {
    let store = MemoryStore::new();
    let old = host::<Old>(&store, "old", |_| ());
    let rooms: Vec<_> = (0..12).map(|room| format!("room{room}")).collect();
    rooms.iter().for_each(|room| _ = old.open(room, 1).unwrap());
    until("the rooms", || old.stats().rooms == 12);
    let players: Vec<_> = rooms
        .iter()
        .map(|room| player::<Old>(&store, room, 1))
        .collect();
    let send = |number| {
        players
            .iter()
            .for_each(|player| _ = player.send(&number).unwrap())
    };
    send(1);
    let new = host::<New>(&store, "new", |_| ());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!((old.stats().rooms, new.stats().rooms), (12, 0));
    let draining = std::thread::spawn(|| old.drain());
    (0..30).for_each(|_| send(10));
    until("the rooms", || new.stats().rooms == 12);
    draining.join().unwrap();
    send(100);
    players.iter().for_each(|player| player.wait(SOON).unwrap());
    assert!(rooms.iter().all(|room| sum(&store, room) == 401));
    assert_eq!(new.stats().failures, []);
}

#[test]
fn after_a_crash_a_new_version_waits_for_an_old_host() {
    let store = MemoryStore::new();
    let old = host::<Old>(&store, "old", |options| options.save_every = 10_000);
    old.open("a", 1).unwrap();
    let first = player::<Old>(&store, "a", 1);
    first.send(&20).unwrap();
    first.wait(SOON).unwrap();
    drop(old);
    let new = host::<New>(&store, "new", |_| ());
    let waits = |error: &Error| matches!(error, Error::OtherVersion { version: 1, .. });
    until("the failure", || new.stats().failures.iter().any(waits));
    assert_eq!(new.stats().ticks, 0);
    let again = host::<Old>(&store, "again", |_| ());
    until("the old version", || again.stats().rooms == 1);
    again.drain();
    until("the new version", || new.stats().rooms == 1);
    let second = player::<New>(&store, "a", 2);
    second.send(&Order::Double).unwrap();
    second.wait(SOON).unwrap();
    assert_eq!(sum(&store, "a"), 40);
}

#[test]
fn ticks_of_an_old_version_are_dropped_on_demand_and_players_learn_it() {
    let store = MemoryStore::new();
    let old = host::<Old>(&store, "old", |options| options.save_every = 30);
    old.open("a", 1).unwrap();
    let first = player::<Old>(&store, "a", 1);
    let last = Arc::new(Mutex::new(BTreeMap::new()));
    let note = last.clone();
    first.on_outcome(move |number, outcome| _ = note.lock().unwrap().insert(number, outcome));
    first.send(&20).unwrap();
    let saves = old.stats().saves;
    until("a save", || old.stats().saves > saves + 2);
    for _ in 0..200 {
        first.send(&1).unwrap();
        first.wait(SOON).unwrap();
    }
    drop(old);
    let new = host::<New>(&store, "new", |_| ());
    let waits = |error: &Error| matches!(error, Error::OtherVersion { version: 1, .. });
    until("the failure", || new.stats().failures.iter().any(waits));
    new.drop_ticks();
    until("the room", || new.stats().ticks > 0);
    let number = first.send(&1_000).unwrap();
    let is_told = || last.lock().unwrap().contains_key(&number);
    until("the outcome", is_told);
    let outcomes = last.lock().unwrap().clone();
    let lost = Outcome::Rejected(Reason::Lost);
    let lost = outcomes
        .values()
        .filter(|outcome| **outcome == lost)
        .count() as u64;
    assert!(lost > 0 && lost < 200, "{lost}");
    assert_eq!(sum(&store, "a"), 20 + 200 - lost + 1_000);
}

mod first {
    use super::*;

    // Two versions of a context, to migrate one into the other.
    #[ecs::context]
    pub struct Duel;

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Duel)]
    pub struct Fighter {
        pub wins: u32,
    }

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Duel)]
    pub struct Bot;

    impl Game for Duel {
        type Input = u32;
        type View = Fighter;

        fn begin(&mut self, _: &Opening) {
            self.create_many([(Fighter { wins: 1 }, Bot), (Fighter { wins: 2 }, Bot)]);
        }
        fn systems(&mut self) -> Systems<Self> {
            Systems::new()
        }
        fn input(&mut self, _: u64, wins: u32) {
            self.query_mut::<&mut Fighter>()
                .for_each(|fighter| fighter.wins += wins);
        }
    }
}

mod second {
    use super::*;

    #[ecs::context]
    pub struct Duel;

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Duel, version = 2, from(1 = OldFighter))]
    pub struct Fighter {
        pub wins: u32,
        pub losses: u32,
    }

    #[derive(Deserialize)]
    struct OldFighter {
        wins: u32,
    }

    impl From<OldFighter> for Fighter {
        fn from(old: OldFighter) -> Self {
            let losses = 0;
            let wins = old.wins;
            Self { wins, losses }
        }
    }

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Duel)]
    pub struct Rank(pub u32);

    impl Game for Duel {
        const VERSION: u32 = 2;
        type Input = u32;
        type View = (Fighter, Rank);

        fn begin(&mut self, _: &Opening) {}
        fn systems(&mut self) -> Systems<Self> {
            Systems::new()
        }
        fn migrate(&mut self, version: u32, removed: &[String]) -> Result<(), Box<dyn Anything>> {
            assert_eq!((version, removed), (1, &["Bot".to_owned()][..]));
            let fighters = self.group(Duel::all_of::<Fighter>());
            for id in fighters.ids(self) {
                self.entity_mut(id).add_rank(7);
            }
            Ok(())
        }
        fn input(&mut self, _: u64, _: u32) {}
    }
}

mod strict {
    use super::*;

    #[ecs::context]
    pub struct Duel;

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Duel)]
    pub struct Fighter {
        pub wins: u32,
    }

    impl Game for Duel {
        const VERSION: u32 = 2;
        type Input = u32;
        type View = Fighter;

        fn begin(&mut self, _: &Opening) {}
        fn systems(&mut self) -> Systems<Self> {
            Systems::new()
        }
        fn input(&mut self, _: u64, _: u32) {}
    }
}

#[test]
fn components_that_are_new_or_removed_are_migrated() {
    let store = MemoryStore::new();
    let old = host::<Session<first::Duel>>(&store, "old", |_| ());
    old.open("a", 1).unwrap();
    let player = player::<Session<first::Duel>>(&store, "a", 1);
    player.send(&10).unwrap();
    player.wait(SOON).unwrap();
    old.drain();
    // A component is missing that this version has not declared to be removed.
    let strict = host::<Session<strict::Duel>>(&store, "strict", |_| ());
    let names = |error: &Error| matches!(error, Error::NoMigration { reason, .. } if reason.contains("Bot"));
    until("the failure", || strict.stats().failures.iter().any(names));
    drop(strict);
    let new = host::<Session<second::Duel>>(&store, "new", |_| ());
    until("the room", || new.stats().ticks > 3);
    assert_eq!(new.stats().failures, []);
    new.drain();
    let mut fighters = Vec::new();
    replay::<Session<second::Duel>>(&store, "a", &SECRET, |_, session| {
        let found = session
            .game
            .query::<(&second::Fighter, &second::Rank)>()
            .iter()
            .map(|(fighter, rank)| (fighter.wins, fighter.losses, rank.0));
        fighters = found.collect();
    })
    .unwrap();
    assert_eq!(fighters, [(11, 0, 7), (12, 0, 7)]);
}

#[test]
fn kept_rooms_tell_what_a_new_version_loses() {
    let folder = std::env::temp_dir().join(format!("ecs-rooms-kept-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let none = upgrade::check::<New>(&folder).unwrap_err();
    assert!(none.to_string().contains("no rooms"), "{none}");
    let store = MemoryStore::new();
    let old = host::<Old>(&store, "old", |options| options.save_every = 10);
    let new = upgrade::keep(&store, "a", &SECRET, &folder).unwrap_err();
    assert!(matches!(new, Error::NoSave { .. }), "{new}");
    old.open("a", 1).unwrap();
    until("saves", || old.stats().saves > 2);
    drop(old);
    // Three inputs come after the last save; version 2 rejects one of them.
    let player = player::<Old>(&store, "a", 1);
    for number in [20, 99, 30] {
        player.send(&number).unwrap();
    }
    let log = format!("log/{}", options("any").shard_of("a"));
    let has_come = || {
        let last = store.cells("save/").unwrap().pop().unwrap().key;
        let mark = u64::from_str_radix(&last[last.len() - 16..], 16).unwrap();
        let records = store.read(&log, mark, 100).unwrap();
        records.iter().filter(|record| !record.is_mark).count() > 3
    };
    until("the inputs", has_come);
    let file = upgrade::keep(&store, "a", &SECRET, &folder).unwrap();
    assert_eq!(upgrade::check::<Old>(&folder).unwrap(), []);
    let losses = upgrade::check::<New>(&folder).unwrap();
    assert_eq!(losses.len(), 1, "{losses:?}");
    let (of, reason) = ((&losses[0].file, losses[0].version), &losses[0].reason);
    assert_eq!(of, (&file, 1));
    assert!(reason.starts_with("input 2 of player 1"), "{reason}");
    let other = upgrade::check::<Session<second::Duel>>(&folder).unwrap();
    assert_eq!(other[0].reason, "the room plays another game");
    std::fs::write(&file, "damaged").unwrap();
    assert!(upgrade::check::<New>(&folder).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}
