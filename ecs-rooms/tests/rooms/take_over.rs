//! Hosts that die, leave and join.

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rooms::{Host, MemoryStore, Options, Store as _, Viewer};

use crate::race::{
    Car, Order, Picture, Position, Race, Racing, SECRET, host, options, played, player, until,
};
use crate::silence::{all_tick, longest_silence, open_all};

const ROOMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Sends ten inputs to each room.
fn send(store: &MemoryStore, from: u64) {
    for room in ROOMS {
        let player = player(store, room, 1);
        (from..from + 10).for_each(|number| _ = player.send(&Order::Go(number)).unwrap());
        player.wait(Duration::from_secs(5)).unwrap();
    }
}

/// All that was sent has been played once, and each tick was right.
#[track_caller]
fn verify(store: &MemoryStore, numbers: u64) {
    for room in ROOMS {
        until("the last input", || {
            played(store, room).unwrap().0[1].len() as u64 == numbers
        });
        let (sent, ticks) = played(store, room).unwrap();
        assert!(
            sent[1].iter().copied().eq(0..numbers),
            "{room}: {:?}",
            sent[1]
        );
        assert!(ticks > 0);
    }
}

#[test]
fn rooms_of_a_host_that_dies_are_played_on() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    ROOMS
        .iter()
        .for_each(|room| _ = first.open(room, 7).unwrap());
    send(&store, 0);
    until("ticks", || first.stats().ticks > 300);
    let second = host(&store, "second");
    until("rebalancing", || second.stats().shards == 2);
    drop(first); // dies
    let died = Instant::now();
    send(&store, 10);
    until("take-over", || second.stats().rooms == 6);
    assert!(died.elapsed() < Duration::from_secs(2));
    send(&store, 20);
    verify(&store, 30);
    assert_eq!(second.stats().failures, []);
}

#[test]
fn rooms_of_a_host_that_leaves_are_given_away_at_once() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    ROOMS
        .iter()
        .for_each(|room| _ = first.open(room, 7).unwrap());
    send(&store, 0);
    let second = host(&store, "second");
    until("rebalancing", || {
        second.stats().shards == 2 && second.stats().rooms > 0
    });
    let start = Instant::now();
    first.drain();
    until("take-over", || second.stats().rooms == 6);
    assert!(
        start.elapsed() < Duration::from_millis(900),
        "{:?}",
        start.elapsed()
    );
    send(&store, 10);
    verify(&store, 20);
}

#[test]
fn a_standby_does_not_wait_for_beats() {
    let store = MemoryStore::new();
    let run = |name| {
        let options = Options {
            standby: Some(Duration::from_millis(50)),
            patience: Duration::from_secs(60),
            ..options(name)
        };
        Host::run::<Racing>(store.clone(), options).unwrap()
    };
    let (first, second) = (run("first"), run("second"));
    ROOMS
        .iter()
        .for_each(|room| _ = first.open(room, 7).unwrap());
    open_all(&first);
    until("ticks", || all_tick(&store));
    until("standbys", || {
        let stats = second.stats();
        (stats.shards, stats.followed) == (2, 2)
    });
    send(&store, 0);
    let silence = longest_silence(&store, || {
        drop(first);
        until("take-over", || second.stats().shards == 4);
        send(&store, 10);
    });
    println!("a standby took over after {silence:?}");
    assert!(silence < Duration::from_secs(2), "{silence:?}");
    verify(&store, 20);
    assert_eq!(second.stats().failures, []);
}

#[test]
fn a_shard_that_moves_is_hardly_silent() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    open_all(&first);
    until("ticks", || all_tick(&store));
    let mut second = None;
    let joins = longest_silence(&store, || {
        let second = second.insert(host(&store, "second"));
        until("rebalancing", || second.stats().shards == 2);
    });
    let second = second.unwrap();
    let leaves = longest_silence(&store, || {
        first.drain();
        until("the rest", || second.stats().shards == 4);
    });
    println!("joins: {joins:?}, leaves: {leaves:?}");
    assert!(
        joins.max(leaves) < Duration::from_millis(500),
        "{joins:?} {leaves:?}"
    );
}

#[test]
fn shards_are_shared_out_when_hosts_join() {
    let store = MemoryStore::new();
    let hosts = ["a", "b", "c", "d"].map(|name| host(&store, name));
    ROOMS
        .iter()
        .for_each(|room| _ = hosts[0].open(room, 7).unwrap());
    until("one shard each", || {
        hosts.iter().all(|host| host.stats().shards == 1)
    });
    send(&store, 0);
    verify(&store, 10);
    let rejected: u64 = hosts
        .iter()
        .map(|host| host.stats().rejected + host.stats().lost)
        .sum();
    assert!(rejected <= 4, "{rejected}");
}

#[test]
fn a_viewer_sees_the_room_wherever_it_is() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    first.open("a", 7).unwrap();
    let (mut viewer, mut copy) = (
        Viewer::<Race>::new(store.clone(), "a", Viewer::<Race>::key(&SECRET, "a")).unwrap(),
        Race::new(),
    );
    until("the first tick", || viewer.update(&mut copy) > 0);
    let sent = |copy: &Race| {
        copy.query::<&Car>()
            .iter()
            .map(|car| car.sent.len())
            .sum::<usize>()
    };
    player(&store, "a", 0).send(&Order::Go(1)).unwrap();
    until("the input", || {
        viewer.update(&mut copy);
        sent(&copy) == 1
    });
    // What the viewer has of its own.
    let ids: Vec<_> = copy.entities().map(|entity| entity.id()).collect();
    copy.entity_mut(ids[0]).add_picture(3);
    let own = copy.create_with(Picture(4)).id();
    let cars = copy.collector(Race::all_of::<Car>().any_change());

    let second = host(&store, "second");
    drop(first);
    player(&store, "a", 0).send(&Order::Go(2)).unwrap();
    until("the input after the take-over", || {
        viewer.update(&mut copy);
        sent(&copy) == 2
    });
    let after: Vec<_> = copy.entities().map(|entity| entity.id()).collect();
    assert_eq!(after, [&ids[..], &[own]].concat());
    assert_eq!(copy.entity(ids[0]).picture().0, 3);
    assert_eq!(
        cars.drain(&mut copy).len(),
        1,
        "the car that has got an input"
    );
    drop(second);
}

#[test]
fn a_viewer_that_joins_late_sees_the_same() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 7).unwrap();
    let view = || {
        (
            Viewer::<Race>::new(store.clone(), "a", Viewer::<Race>::key(&SECRET, "a")).unwrap(),
            Race::new(),
        )
    };
    let ((mut early, mut first), (mut late, mut second)) = (view(), view());
    until("ticks", || {
        early.update(&mut first);
        early.tick() > 5
    });
    let sums = |copy: &Race| {
        let positions = copy.query::<&Position>();
        positions.iter().map(|position| position.0).sum::<i64>()
    };
    until("the same tick", || {
        early.update(&mut first);
        late.update(&mut second);
        early.tick() == late.tick()
    });
    assert_eq!((sums(&first), first.len()), (sums(&second), second.len()));
}

#[test]
fn a_closed_room_leaves_nothing() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 7).unwrap();
    until("saves", || store.cells("save/").unwrap().len() == 2);
    host.close("a").unwrap();
    until("the end", || {
        host.stats().rooms == 0 && store.cells("save/").unwrap().is_empty()
    });
    host.open("a", 8).unwrap(); // another room of that name
    until("the other room", || host.stats().rooms == 1);
    assert_eq!(host.stats().failures, []);
}
