//! Hosts that die, leave and join.

use std::time::{Duration, Instant};

use ecs::Context as _;
use ecs_rooms::{MemoryStore, Viewer};

use crate::race::{Order, Race, host, played, player, until};

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
    let before = second.stats();
    let start = Instant::now();
    first.drain();
    until("take-over", || second.stats().rooms == 6);
    assert!(
        start.elapsed() < Duration::from_millis(900),
        "{:?}",
        start.elapsed()
    );
    // They were saved, so there was hardly anything to be played again.
    let replayed = second.stats().replayed - before.replayed;
    assert!(replayed <= 6 * 3, "{replayed}");
    send(&store, 10);
    verify(&store, 20);
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
        copy.query::<&crate::race::Car>()
            .iter()
            .map(|car| car.sent.len())
            .sum::<usize>()
    };
    player(&store, "a", 0).send(&Order::Go(1)).unwrap();
    until("the input", || {
        viewer.update(&mut copy);
        sent(&copy) == 1
    });
    let second = host(&store, "second");
    drop(first);
    player(&store, "a", 0).send(&Order::Go(2)).unwrap();
    until("the input after the take-over", || {
        viewer.update(&mut copy);
        sent(&copy) == 2
    });
    assert_eq!(copy.len(), 124);
    drop(second);
}

#[test]
fn a_closed_room_leaves_nothing() {
    use ecs_rooms::Store as _;
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
