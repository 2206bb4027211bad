//! How rooms begin, and who is there.

#![allow(unreachable_pub, reason = "a context shows its components")]

use std::sync::Arc;
use std::time::Duration;

use ecs::prelude::*;
use ecs_rooms::{Error, Game, Host, MemoryStore, Opening, Outcome, Player, Rooms, Session, Store};
use serde::{Deserialize, Serialize};

use crate::futures::block_on;
use crate::race::{SECRET, options, replayed, until};

// A context that remembers who came and went.
#[ecs::context]
pub struct Lounge;

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Lounge, unique)]
pub struct Guests {
    pub map: String,
    pub tick: u64,
    /// The tick, the player, and whether it has joined.
    pub list: Vec<(u64, u64, bool)>,
}

impl Game for Lounge {
    type Input = ();
    type View = Guests;

    fn begin(&mut self, opening: &Opening) {
        let map = opening.options().unwrap_or("no options".to_owned());
        self.set_guests(map, opening.seed, Vec::new());
    }
    fn systems(&mut self) -> Systems<Self> {
        Systems::new()
    }
    fn describe(&self) -> String {
        self.guests().map.clone()
    }
    fn tick(&mut self, tick: u64) {
        self.update_guests(|guests| guests.tick = tick);
    }
    fn presence(&mut self, player: u64, is_there: bool) {
        self.update_guests(|guests| guests.list.push((guests.tick, player, is_there)));
    }
    fn input(&mut self, _: u64, (): ()) {}
}

type Room = Session<Lounge>;

/// What a room knows at last.
fn guests(store: &MemoryStore, room: &str) -> Guests {
    let mut last = None;
    let each = |tick, room: &mut Room| {
        assert_eq!(room.game.guests().tick, tick);
        last = Some(room.game.guests().clone());
    };
    replayed::<Room>(store, room, each).unwrap();
    last.unwrap()
}

fn join(store: &MemoryStore, number: u64) -> (Player<Room>, u64) {
    let key = Player::<Room>::key(&SECRET, "a", number);
    let player = Player::<Room>::new(store.clone(), "a", number, key).unwrap();
    let (sender, outcomes) = std::sync::mpsc::channel();
    player.on_outcome(move |_, outcome| _ = sender.send(outcome));
    player.send(&()).unwrap();
    match outcomes.recv_timeout(Duration::from_secs(10)) {
        Ok(Outcome::Played { tick }) => (player, tick),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_room_gets_options_and_learns_who_joins_and_leaves() {
    let store = MemoryStore::new();
    let host = Host::run::<Room>(store.clone(), options("first")).unwrap();
    let opening = Opening::new(1).with(&"desert");
    host.open("a", opening).unwrap();
    host.open("b", 2).unwrap();
    let (first, joined) = join(&store, 1);
    let (again, _) = join(&store, 1);
    let (second, later) = join(&store, 2);
    drop(first); // a newer connection is there
    drop(second);
    let ticks = host.stats().ticks;
    until("some ticks", || host.stats().ticks > ticks + 20);
    let Guests { map, list, .. } = guests(&store, "a");
    assert_eq!((&map[..], list.len()), ("desert", 3), "{list:?}");
    assert_eq!(&list[..2], [(joined, 1, true), (later, 2, true)]);
    assert_eq!((list[2].1, list[2].2), (2, false));
    drop(again);
    until("the end", || guests(&store, "a").list.len() == 4);
    assert_eq!(guests(&store, "b").map, "no options");
}

#[test]
fn a_player_whose_connection_continues_elsewhere_does_not_leave() {
    let store = MemoryStore::new();
    let host = Host::run::<Room>(store.clone(), options("first")).unwrap();
    host.open("a", 1).unwrap();
    let key = Player::<Room>::key(&SECRET, "a", 1);
    let player = || Player::<Room>::new(store.clone(), "a", 1, key.clone()).unwrap();
    let first = player();
    first.resume(0, 0, 0);
    let connection = block_on(first.connect()).0.unwrap();
    assert_eq!(block_on(first.connect()).0, Ok(connection), "at once");
    until("it joins without an input", || {
        guests(&store, "a").list.len() == 1
    });

    let soon = Duration::from_secs(10);
    first.send_as(1, &()).unwrap();
    first.wait(soon).unwrap();
    assert!(matches!(first.send_as(1, &()), Err(Error::Limit(_))));
    let second = player();
    second.resume(connection, 0, 1);
    assert_eq!(block_on(second.connect()).0, Ok(connection));
    let (sender, outcomes) = std::sync::mpsc::channel();
    second.on_outcome(move |number, outcome| _ = sender.send((number, outcome)));
    second.send_as(1, &()).unwrap();
    let again = outcomes.recv_timeout(soon).unwrap();
    assert!(matches!(again, (1, Outcome::Played { .. })), "{again:?}");
    second.know(1);
    drop(first);
    second.send_as(2, &()).unwrap();
    second.wait(soon).unwrap();
    assert_eq!(guests(&store, "a").list.len(), 1);
    drop(second);
    until("it leaves", || guests(&store, "a").list.len() == 2);
    let third = player();
    third.resume(connection, 1, 1); // the room does not keep the first outcome any longer
    third.send_as(2, &()).unwrap();
    third.wait(soon).unwrap();
}

#[test]
fn a_player_that_is_dropped_at_once_plays_its_input_and_leaves() {
    let store = MemoryStore::new();
    let host = Host::run::<Room>(store.clone(), options("first")).unwrap();
    host.open("a", 1).unwrap();
    let key = Player::<Room>::key(&SECRET, "a", 1);
    let player = Player::<Room>::new(store.clone(), "a", 1, key).unwrap();
    player.send(&()).unwrap();
    drop(player);
    until("it comes and leaves", || {
        guests(&store, "a").list.len() == 2
    });
    let ticks = host.stats().ticks;
    until("some ticks", || host.stats().ticks > ticks + 20);
    let list = guests(&store, "a").list;
    assert_eq!((list[0].2, list[1].2, list.len()), (true, false, 2));
}

#[test]
fn a_lobby_opens_lists_and_closes_rooms_without_playing_any() {
    let store = MemoryStore::new();
    let any: Arc<dyn Store> = Arc::new(store.clone());
    let lobby = Rooms::new(any, SECRET);
    assert!(matches!(lobby.open("a", 1), Err(Error::Limit(_))));
    let soon = Duration::from_secs(10);
    assert_eq!(lobby.list(soon).unwrap(), [], "there is no host yet");
    let hosts =
        ["first", "second"].map(|name| Host::run::<Room>(store.clone(), options(name)).unwrap());
    let made = lobby.open("a", Opening::new(1).with(&"desert")).unwrap();
    let found = lobby.open("a", Opening::new(1).with(&"forest")).unwrap();
    lobby.open("b", 1).unwrap();
    let (_player, _) = join(&store, 1);
    until("both rooms", || lobby.list(soon).unwrap().len() == 2);
    let list = lobby.list(soon).unwrap();
    let (a, b) = (&list[0], &list[1]);
    assert!(a.number == made && a.number != found && a.tick > 0, "{a:?}");
    let described = [(&a.description[..], a.players), (&b.description, b.players)];
    assert_eq!(described, [("desert", 1), ("no options", 0)]);
    assert!(
        list.iter()
            .all(|room| ["first", "second"].contains(&&room.host[..]))
    );
    lobby.close("a").unwrap();
    until("the end", || lobby.list(soon).unwrap().len() == 1);
    drop(hosts);
    let error = lobby.list(Duration::from_millis(50)).unwrap_err();
    assert!(error.to_string().contains("no host answers"), "{error}");
    let forger = Rooms::new(store, [9; 32]);
    assert!(forger.list(Duration::from_millis(50)).is_err());
}
