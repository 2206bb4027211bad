//! What viewers show, and what they say if they cannot.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use ecs::prelude::*;
use ecs_rooms::{Host, MemoryStore, Reason, State, Store as _, Viewer};

use crate::race::{Car, Order, Race, SECRET, host, player, until};

fn viewer<C: Context>(store: &MemoryStore, room: &str) -> Viewer<C> {
    Viewer::new(store.clone(), room, Viewer::<C>::key(&SECRET, room)).unwrap()
}

/// Updates until the viewer is in a state.
#[track_caller]
fn wait<C: Context>(viewer: &mut Viewer<C>, copy: &mut C, is_it: impl Fn(&State) -> bool) {
    until("the state", || {
        viewer.update(copy);
        is_it(&viewer.state())
    });
}

#[test]
fn a_viewer_says_what_it_shows() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    let (mut viewer, mut copy) = (viewer::<Race>(&store, "a"), Race::new());
    assert_eq!(viewer.state(), State::Waiting);
    let no_room = State::Ended(Reason::NoRoom);
    wait(&mut viewer, &mut copy, |state| *state == no_room);
    host.open("a", 1).unwrap();
    wait(&mut viewer, &mut copy, |state| *state == State::Live);
    host.close("a").unwrap();
    wait(&mut viewer, &mut copy, |state| *state == no_room);
    host.open("a", 1).unwrap();
    wait(&mut viewer, &mut copy, |state| *state == State::Live);
    player(&store, "a", 1).send(&Order::Panic).unwrap();
    let panicked = State::Ended(Reason::Panicked);
    wait(&mut viewer, &mut copy, |state| *state == panicked);
}

#[test]
fn a_viewer_of_a_room_without_a_host_says_so() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    let (mut viewer, mut copy) = (viewer::<Race>(&store, "a"), Race::new());
    wait(&mut viewer, &mut copy, |state| *state == State::Live);
    drop(host);
    wait(&mut viewer, &mut copy, |state| *state == State::Silent);
}

mod other {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    /// Another version of the context, in which a car has another field.
    #[ecs::context]
    pub struct Race;

    #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    #[component(context = Race)]
    pub(super) struct Motor {
        pub(super) power: String,
    }
}

#[test]
fn a_viewer_of_another_version_says_so() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    let (mut viewer, mut copy) = (viewer::<other::Race>(&store, "a"), other::Race::new());
    wait(&mut viewer, &mut copy, |state| {
        matches!(state, State::Unreadable(_))
    });
    drop::<Host>(host);
}

#[test]
fn forged_sights_are_not_shown() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    let (sender, heard) = channel();
    store.listen(
        "view/a",
        Box::new(move |bytes: &[u8]| sender.send(bytes.to_vec()).is_ok()),
    );
    let (mut viewer, mut copy) = (viewer::<Race>(&store, "a"), Race::new());
    wait(&mut viewer, &mut copy, |state| *state == State::Live);
    let sight = heard.recv_timeout(Duration::from_secs(5)).unwrap();
    // Of another room, changed, and by one without the key.
    store.tell("view/b", &sight);
    for place in 0..sight.len().min(40) {
        let mut forged = sight.clone();
        forged[place] ^= 0x7f;
        store.tell("view/a", &forged);
    }
    let wrong = Viewer::<Race>::key(&[9; 32], "a");
    let mut blind = Viewer::<Race>::new(store.clone(), "a", wrong).unwrap();
    player(&store, "a", 1).send(&Order::Go(1)).unwrap();
    until("the input", || {
        viewer.update(&mut copy);
        copy.query::<&Car>().iter().any(|car| car.sent == [1])
    });
    assert_eq!(blind.update(&mut Race::new()), 0);
}

#[test]
fn a_viewer_with_a_wrong_key_is_not_answered() {
    let store = MemoryStore::new();
    let host = host(&store, "first");
    host.open("a", 1).unwrap();
    until("the room", || host.stats().ticks > 0);
    let told = Arc::new(AtomicU64::new(0));
    let count = told.clone();
    let hear = move |_: &[u8]| count.fetch_add(1, Ordering::Relaxed) < u64::MAX;
    store.listen("view/a", Box::new(hear));
    let look = |key| {
        let (mut viewer, mut copy) = (Viewer::new(store.clone(), "a", key).unwrap(), Race::new());
        for _ in 0..60 {
            viewer.update(&mut copy);
            std::thread::sleep(Duration::from_millis(5));
        }
        told.load(Ordering::Relaxed)
    };
    assert_eq!(look([9; 32]), 0);
    assert!(look(Viewer::<Race>::key(&SECRET, "a")) > 0);
}
