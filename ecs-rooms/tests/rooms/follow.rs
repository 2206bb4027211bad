//! A copy of a room that is played, to look into.

use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

use ecs::Context as _;
use ecs_rooms::{Error, MemoryStore, Rooms, follow};

use crate::race::{Car, Order, Racing, SECRET, host, player};

#[test]
fn a_follower_sees_each_tick_soon_after_it_was_played() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 5).unwrap();
    let player = player(&store, "a", 1);
    player.send(&Order::Go(1)).unwrap();
    player.wait(Duration::from_secs(10)).unwrap();
    let (mut last, mut sent) = (0, 1);
    let ticks = follow::<Racing>(&store, "a", &SECRET, |tick, session| {
        assert!(last == 0 || tick == last + 1 || tick == last);
        last = tick;
        let cars = session.game.query::<&Car>();
        let known = cars.iter().map(|car| car.sent.len() as u64).max();
        if known == Some(3) {
            return Break(());
        }
        if known == Some(sent) {
            sent += 1;
            player.send(&Order::Go(sent)).unwrap();
        }
        Continue(())
    });
    assert!(ticks.unwrap() >= 3);
}

#[test]
fn a_follower_ends_with_its_room() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 5).unwrap();
    let ticks = follow::<Racing>(&store, "a", &SECRET, |tick, _| {
        if tick == 5 {
            host.close("a").unwrap();
        }
        Continue(())
    });
    assert!(ticks.unwrap() >= 4);
    let none = follow::<Racing>(&store, "b", &SECRET, |_, _| Continue(()));
    assert!(matches!(none, Err(Error::Limit(_))));
}

#[test]
fn a_follower_of_a_room_that_no_host_plays_can_break() {
    let store = MemoryStore::new();
    let mut host = Some(host(&store, "h1"));
    host.as_ref().unwrap().open("a", 5).unwrap();
    let (mut last, mut times) = (0, 0);
    let ticks = follow::<Racing>(&store, "a", &SECRET, |tick, _| {
        drop(host.take_if(|_| tick > 3));
        times = if tick == last { times + 1 } else { 0 };
        last = tick;
        if times == 2 { Break(()) } else { Continue(()) }
    });
    assert!(ticks.unwrap() < last);
    let later = follow::<Racing>(&store, "a", &SECRET, |tick, _| {
        if tick == last {
            Break(())
        } else {
            Continue(())
        }
    });
    assert!(later.is_ok(), "{later:?}");
}

#[test]
fn a_follower_does_not_wait_forever_for_a_host_to_open_the_room() {
    let store = MemoryStore::new();
    drop(host(&store, "h1"));
    Rooms::new(store.clone(), SECRET).open("a", 5).unwrap();
    let none = follow::<Racing>(&store, "a", &SECRET, |_, _| Continue(()));
    assert!(matches!(none, Err(Error::Limit(_))), "{none:?}");
}
