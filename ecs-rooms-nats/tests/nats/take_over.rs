//! Hosts on one server, each with a connection of its own.

use std::time::{Duration, Instant};

use ecs_rooms::{Host, Player, Session, Viewer};
use ecs_rooms_nats::NatsStore;

use crate::race::{Order, Race, Racing, SECRET, options, played, until};
use crate::server::Server;
use crate::silence::{all_tick, longest_silence, open_all};

fn host(server: &Server, name: &str) -> Host {
    let options = ecs_rooms::Options {
        patience: Duration::from_millis(500),
        tick: Duration::from_millis(25),
        ..options(name)
    };
    Host::run::<Session<Race>>(server.connect(), options).unwrap()
}

fn send(store: &NatsStore, room: &str, numbers: std::ops::Range<u64>) {
    let key = Player::<Racing>::key(&SECRET, room, 1);
    let player = Player::<Racing>::new(store.clone(), room, 1, key).unwrap();
    numbers.for_each(|number| _ = player.send(&Order::Go(number)).unwrap());
    player.wait(Duration::from_secs(10)).unwrap();
}

#[test]
fn hosts_of_a_new_deployment_start_together() {
    for _ in 0..9 {
        let server = Server::start();
        let names = ["first", "second", "third"];
        let hosts: Vec<_> = std::thread::scope(|scope| {
            let starting = names.map(|name| scope.spawn(|| host(&server, name)));
            starting.map(|thread| thread.join().unwrap()).into()
        });
        hosts[0].open("a", 1).unwrap();
        until("the room", || {
            hosts.iter().map(|host| host.stats().rooms).sum::<u64>() == 1
        });
        let failures = hosts.iter().flat_map(|host| host.stats().failures);
        assert_eq!(failures.collect::<Vec<_>>(), []);
    }
}

#[test]
fn rooms_move_between_hosts_without_losing_anything() {
    let server = Server::start();
    let store = server.connect();
    let rooms: Vec<_> = (0..20).map(|room| format!("room{room}")).collect();
    let first = host(&server, "first");
    rooms
        .iter()
        .for_each(|room| _ = first.open(room, 1).unwrap());
    rooms.iter().for_each(|room| send(&store, room, 0..5));
    let second = host(&server, "second");
    until("rebalancing", || {
        second.stats().shards == 2 && second.stats().rooms > 0
    });
    let (mut viewer, mut copy) = (
        Viewer::<Race>::new(
            store.clone(),
            "room0",
            Viewer::<Race>::key(&SECRET, "room0"),
        )
        .unwrap(),
        Race::new(),
    );
    until("a view", || viewer.update(&mut copy) > 0);

    drop(first); // dies
    let died = Instant::now();
    rooms.iter().for_each(|room| send(&store, room, 5..10));
    until("take-over", || second.stats().rooms == 20);
    println!("taken over in {:?} with 0.5 s of patience", died.elapsed());
    let tick = viewer.tick();
    until("a view of the next owner", || {
        viewer.update(&mut copy) > 0 && viewer.tick() > tick
    });

    let third = host(&server, "third");
    until("rebalancing", || {
        third.stats().shards == 2 && third.stats().rooms > 0
    });
    let start = Instant::now();
    second.drain();
    until("take-over", || third.stats().rooms == 20);
    println!("drained in {:?}", start.elapsed());
    rooms.iter().for_each(|room| send(&store, room, 10..15));
    for room in &rooms {
        until("the last input", || {
            played(&store, room).is_ok_and(|(sent, _)| sent[1].len() == 15)
        });
        let (sent, ticks) = played(&store, room).unwrap();
        assert!(sent[1].iter().copied().eq(0..15), "{room}: {:?}", sent[1]);
        assert!(ticks > 0);
    }
    assert_eq!(third.stats().failures, []);
}

/// Waits until each of two hosts plays half of the shards and follows the others, and has done so for half a
/// second. On a machine so busy that ticks come late that may never be.
fn settle(hosts: [&Host; 2]) {
    let is_even = |stats: &ecs_rooms::Stats| (stats.shards, stats.followed) == (2, 2);
    let (start, mut since, mut moves) = (Instant::now(), Instant::now(), 0);
    while since.elapsed().as_millis() < 500 && start.elapsed().as_secs() < 8 {
        let stats = hosts.map(Host::stats);
        let now = stats.iter().map(|stats| stats.taken_over).sum();
        if !stats.iter().all(is_even) || moves != now {
            (since, moves) = (Instant::now(), now);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_standby_takes_over_without_waiting_for_beats() {
    let server = Server::start();
    let store = server.connect();
    let run = |name| {
        let options = ecs_rooms::Options {
            tick: Duration::from_millis(50),
            standby: Some(Duration::from_millis(200)),
            patience: Duration::from_secs(4),
            ..options(name)
        };
        Host::run::<Racing>(server.connect(), options).unwrap()
    };
    let (first, second) = (run("first"), run("second"));
    open_all(&first);
    until("ticks", || all_tick(&store));
    settle([&first, &second]);
    send(&store, "room0", 0..5);
    let silence = longest_silence(&store, || {
        drop(first); // dies
        until("take-over", || second.stats().shards == 4);
        send(&store, "room0", 5..10);
    });
    println!("a standby at 20 ticks per second took over after {silence:?}");
    // A shard that is on its way when its next owner dies waits for `patience`.
    assert!(silence < Duration::from_secs(8), "{silence:?}");
    until("the last input", || {
        played(&store, "room0").is_ok_and(|(sent, _)| sent[1].len() == 10)
    });
    assert_eq!(second.stats().failures, []);
}
