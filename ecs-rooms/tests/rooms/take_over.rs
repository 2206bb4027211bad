//! Hosts that die, leave and join.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rooms::{Error, Host, MemoryStore, Options, Store as _, Viewer};

use crate::race::{
    Car, Order, Picture, Position, Race, Racing, host, options, played, player, until,
};

const ROOMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Sends ten inputs to each room.
fn send(store: &MemoryStore, from: u64) {
    for room in ROOMS {
        let player = player(store, room, 1);
        (from..from + 10).for_each(|number| player.send(&Order::Go(number)).unwrap());
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
    ROOMS.iter().for_each(|room| first.open(room, 7).unwrap());
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
    ROOMS.iter().for_each(|room| first.open(room, 7).unwrap());
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

/// The longest time in which a shard had no tick, while something is done.
fn longest_silence(store: &MemoryStore, act: impl FnOnce()) -> Duration {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let begin = Instant::now();
            let end = |shard| {
                let log = format!("log/{shard}");
                let after = match store.read(&log, 0, 1) {
                    Err(Error::Forgotten { first }) => first - 1,
                    _ => 0,
                };
                store
                    .read(&log, after, usize::MAX)
                    .unwrap()
                    .last()
                    .map_or(0, |last| last.number)
            };
            let mut logs: Vec<_> = (0..4)
                .map(|shard| (format!("log/{shard}"), end(shard), begin))
                .collect();
            let mut longest = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                for (log, read_to, last) in &mut logs {
                    let records = store.read(log, *read_to, 9_999).unwrap();
                    *read_to = records.last().map_or(*read_to, |record| record.number);
                    if records.iter().any(|record| record.is_mark) {
                        *last = Instant::now();
                    }
                    longest = longest.max(last.elapsed());
                }
                thread::sleep(Duration::from_millis(1));
            }
            longest
        });
        act();
        is_over.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    })
}

/// Opens rooms in all four shards: one without rooms has no ticks.
fn open_all(host: &Host) {
    ROOMS.iter().for_each(|room| host.open(room, 7).unwrap());
    (0..20).for_each(|room| host.open(&format!("room{room}"), 7).unwrap());
}

/// Whether each shard has had ticks.
fn all_tick(store: &MemoryStore) -> bool {
    let marks = |log: &str| {
        store.read(log, 0, 9_999).map_or(9, |records| {
            records.iter().filter(|record| record.is_mark).count()
        })
    };
    (0..4).all(|shard| marks(&format!("log/{shard}")) > 5)
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
        .for_each(|room| hosts[0].open(room, 7).unwrap());
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
        Viewer::<Race>::new(store.clone(), "a").unwrap(),
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
            Viewer::<Race>::new(store.clone(), "a").unwrap(),
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
