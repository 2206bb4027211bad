//! Futures, on the smallest executor there is.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use ecs::Context as _;
use ecs_rooms::{Error, MemoryStore, Outcome, Reason, Rooms, State, Viewer};

use crate::race::{Order, Race, SECRET, host, player};

struct Unpark(Thread, AtomicUsize);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.unpark();
    }
}

/// Runs a future for ten seconds at most. Returns how often it was polled, too.
#[track_caller]
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> (T, usize) {
    let (mut future, start) = (pin!(future), Instant::now());
    let unpark = Arc::new(Unpark(thread::current(), AtomicUsize::new(0)));
    let waker = Waker::from(unpark.clone());
    for polls in 1.. {
        let woken = unpark.1.load(Ordering::SeqCst);
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return (value, polls);
        }
        while unpark.1.load(Ordering::SeqCst) == woken {
            assert!(start.elapsed() < Duration::from_secs(10), "waits for ever");
            thread::park_timeout(Duration::from_millis(100));
        }
    }
    unreachable!()
}

fn viewer(store: &MemoryStore, room: &str) -> (Viewer<Race>, Race) {
    let key = Viewer::<Race>::key(&SECRET, room);
    (
        Viewer::new(store.clone(), room, key).unwrap(),
        Race::default(),
    )
}

#[test]
fn opens_plays_and_sees() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    let finished = host.finished();
    let played = async {
        let number = Rooms::new(store.clone(), SECRET).open_async("a", 5).await?;
        let player = player(&store, "a", 1);
        let first = player.play(&Order::Go(1)).await?;
        let (_, last) = (player.play(&Order::Go(2)), player.play(&Order::Go(3)));
        Ok::<_, Error>((number, first, last.await?))
    };
    let (played, polls) = block_on(played);
    let (number, first, last) = played.unwrap();
    assert!(number > 0 && polls < 10, "{polls} polls");
    assert!(
        matches!((first, last), (Outcome::Played { tick: first }, Outcome::Played { tick: last }) if first < last)
    );

    let (mut viewer, mut copy) = viewer(&store, "a");
    let (ticks, polls) = block_on(async {
        let mut ticks = 0;
        while ticks < 5 {
            viewer.changed().await;
            ticks += viewer.update(&mut copy);
        }
        ticks
    });
    assert!(
        ticks <= polls + 5 && copy.len() > 100,
        "{ticks} ticks, {polls} polls"
    );
    thread::spawn(|| host.drain());
    block_on(finished);
}

#[test]
fn each_future_has_an_end() {
    let store = MemoryStore::new();
    let (opened, _) = block_on(Rooms::new(store.clone(), SECRET).open_async("a", 5));
    assert!(
        matches!(opened, Err(Error::Limit(_))),
        "no host has opened the store"
    );
    let host = host(&store, "h1");
    let nowhere = player(&store, "nowhere", 1);
    let outcome = block_on(nowhere.play(&Order::Go(1))).0;
    assert_eq!(outcome, Ok(Outcome::Rejected(Reason::NoRoom)));
    host.drain(); // none answers
    let waits = nowhere.play(&Order::Go(2));
    drop(nowhere);
    assert!(matches!(block_on(waits).0, Err(Error::Unknown(_))));
}

#[test]
fn a_future_that_is_dropped_stops_nothing() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 5).unwrap();
    let player = player(&store, "a", 1);
    drop(player.play(&Order::Go(1)));
    player.wait(Duration::from_secs(10)).unwrap();
}

#[test]
fn a_viewer_that_waits_learns_that_a_room_is_closed_or_silent() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    for room in ["a", "b"] {
        host.open(room, 5).unwrap();
    }
    let until = |room: &str, states: &[State], end: &mut dyn FnMut()| {
        let (mut viewer, mut copy) = viewer(&store, room);
        let (state, _) = block_on(async {
            loop {
                viewer.changed().await;
                viewer.update(&mut copy);
                match viewer.state() {
                    State::Live => end(),
                    state if states.contains(&state) => return state,
                    _ => {}
                }
            }
        });
        state
    };
    let ended = State::Ended(Reason::NoRoom);
    let closed = until("a", std::slice::from_ref(&ended), &mut || {
        host.close("a").unwrap()
    });
    assert_eq!(closed, ended);
    let mut host = Some(host);
    let silent = until("b", &[State::Silent], &mut || drop(host.take()));
    assert_eq!(silent, State::Silent);
}
