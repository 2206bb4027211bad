//! Seats of one shard, step by step.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use super::room::{Tally, play_as};
use super::world::KEY;
use crate::core::Common;
use crate::core::seat::{Action, End, Follows, Note, Seat};
use crate::core::wire::{self, Build, Entry};
use crate::error::Error;
use crate::host::Options;
use crate::store::{Cell, Record};

fn options() -> Options {
    Options {
        shards: 1,
        ..Options::new(KEY)
    }
}

/// A store with one log.
#[derive(Default)]
struct Store {
    log: Vec<Record>,
    /// The records before this one are forgotten.
    first: u64,
    saves: Vec<Cell>,
}

/// A seat of a version of the game.
struct Played(u32, Seat<Tally>);

impl Store {
    /// With one room.
    fn with_room() -> Self {
        let mut store = Self::default();
        store.open("ada");
        store
    }

    fn open(&mut self, room: &str) {
        let (room, opening) = (room.to_owned(), 1.into());
        self.administer(&Entry::Open { room, opening });
    }

    fn administer(&mut self, entry: &Entry) {
        self.append(false, wire::seal(&KEY, &wire::log_name(0), entry));
    }

    fn append(&mut self, is_mark: bool, bytes: Vec<u8>) {
        let number = self.log.len() as u64 + 1;
        self.log.push(Record {
            number,
            is_mark,
            bytes,
        });
    }

    fn seat(&self, version: u32, epoch: u64) -> Played {
        play_as(version);
        let options = Options {
            save_every: 4,
            resume_differing: true,
            ..options()
        };
        let common = Common {
            waits: 3,
            silent_after: 3,
            ..Common::new(options, Build::of::<Tally>())
        };
        common.drops_ticks.store(true, Ordering::Relaxed);
        let mut seat = Seat::new(common, 0, &self.saves, self.first);
        if epoch > 0 {
            seat.promote(epoch);
        }
        Played(version, seat)
    }

    /// A seat reads what there is, and a tick is due. Returns what it has done, and what is left to be done.
    fn turn(&mut self, Played(version, seat): &mut Played) -> Vec<Action> {
        play_as(*version);
        seat.records(self.log.clone(), true);
        seat.due(0);
        let mut done = Vec::new();
        while !seat.out.is_empty() {
            for action in std::mem::take(&mut seat.out) {
                self.act(seat, &action);
                done.push(action);
            }
        }
        play_as(1);
        done
    }

    fn act(&mut self, seat: &mut Seat<Tally>, action: &Action) {
        match action {
            Action::Mark(_, bytes) => {
                self.append(true, bytes.clone());
                seat.records(self.log.clone(), true);
            }
            Action::Put(key, value) => {
                let (key, value) = (key.clone(), value.clone());
                let cell = Cell {
                    key: key.clone(),
                    revision: 1,
                    value,
                };
                self.saves.push(cell);
                self.saves.sort_by(|left, right| left.key.cmp(&right.key));
                seat.written(&key, &Ok(1));
            }
            Action::Drop(key) => self.saves.retain(|cell| cell.key != *key),
            Action::Reload => {
                seat.reload(&self.saves, 0);
                seat.records(self.log.clone(), true);
            }
            Action::List => seat.list(&self.saves),
            _ => {}
        }
    }

    /// The marks after which there are saves.
    fn saved(&self) -> Vec<u64> {
        self.saves.iter().map(at).collect()
    }
}

/// The mark of a save; 0 if it is a result.
fn at(cell: &Cell) -> u64 {
    wire::of_save_key(&cell.key).map_or(0, |(.., at)| at)
}

#[test]
fn an_owner_without_rooms_that_cannot_read_its_log_gives_the_shard_up() {
    let common = Common {
        waits: 3,
        ..Common::new(options(), Build::of::<Tally>())
    };
    let mut seat = Seat::<Tally>::new(common, 0, &[], 0);
    seat.promote(1);
    seat.records(Vec::new(), true);
    (0..9).for_each(|_| seat.due(0));
    assert_eq!(seat.out, [], "there is nothing to do");
    for _ in 0..9 {
        seat.unread(&Error::Unknown("deaf".to_owned()));
        seat.due(0);
    }
    let is_end = |action: &Action| matches!(action, Action::Note(Note::Ended(End::Unfit(_))));
    assert!(seat.out.iter().any(is_end), "{:?}", seat.out);
}

/// Its claim was followed by another one, whose marks it has played, before it heard that it owns the shard.
#[test]
fn an_owner_that_has_followed_a_later_epoch_writes_no_mark() {
    let mut store = Store::with_room();
    let mut late = store.seat(1, 0);
    let mut owner = store.seat(1, 7);
    (0..3).for_each(|_| _ = store.turn(&mut owner));
    store.turn(&mut late);
    late.1.promote(6);
    let done: Vec<_> = (0..9).flat_map(|_| store.turn(&mut late)).collect();
    assert!(
        done.contains(&Action::Note(Note::Ended(End::Lost))),
        "{done:?}"
    );
    let marks = done
        .iter()
        .filter(|action| matches!(action, Action::Mark(..)));
    assert_eq!(marks.count(), 0);
}

#[test]
fn a_follower_of_a_newer_version_does_not_replace_a_silent_owner() {
    let mut store = Store::with_room();
    let mut owner = store.seat(1, 1);
    (0..2).for_each(|_| _ = store.turn(&mut owner));
    let mut is_silent = |version| {
        let mut seat = store.seat(version, 0);
        let done: Vec<_> = (0..9).flat_map(|_| store.turn(&mut seat)).collect();
        let first = if version > 1 {
            Follows::Other(1)
        } else {
            Follows::Ready
        };
        assert!(done.contains(&Action::Follow(first)));
        done.contains(&Action::Follow(Follows::Silent))
    };
    assert!(is_silent(1));
    assert!(!is_silent(2));
}

#[test]
fn a_save_is_removed_two_marks_after_the_last_two_were_stored() {
    let mut store = Store::with_room();
    let mut seat = store.seat(1, 1);
    let (mut seen, mut removed) = (BTreeMap::new(), 0);
    for turn in 1..40 {
        store.turn(&mut seat);
        let saved = store.saved();
        saved
            .iter()
            .for_each(|at| _ = seen.entry(*at).or_insert(turn));
        let last: Vec<_> = seen
            .iter()
            .rev()
            .filter(|(_, stored)| *stored + 2 <= turn)
            .collect();
        if let Some((before_last, _)) = last.get(1) {
            let is_kept = |at: &&u64| at >= before_last;
            assert!(
                seen.keys().filter(is_kept).eq(&saved),
                "{seen:?}, {saved:?}"
            );
        }
        removed = seen.len() - saved.len();
    }
    assert!(removed > 5, "{seen:?}");
}

/// A room with two saves of version 1 and a tick after them, and the seat that has played it.
fn played() -> (Store, Played) {
    let mut store = Store::with_room();
    let mut seat = store.seat(1, 1);
    while store.saves.len() < 2 {
        store.turn(&mut seat);
    }
    store.turn(&mut seat);
    (store, seat)
}

fn marks(done: &[Action]) -> bool {
    done.iter().any(|action| matches!(action, Action::Mark(..)))
}

#[test]
fn an_owner_lists_saves_again_if_another_one_has_marked_meanwhile() {
    let (mut store, mut old) = played();
    let mut new = store.seat(2, 2);
    assert!(store.turn(&mut new).contains(&Action::Reload));
    store.turn(&mut old);
    let done = store.turn(&mut new);
    assert!(done.contains(&Action::Reload) && !marks(&done), "{done:?}");
    assert!(marks(&store.turn(&mut new)));
}

#[test]
fn a_room_goes_on_from_an_older_save_if_that_of_the_hand_over_is_damaged() {
    let (mut store, _) = played();
    let mut new = store.seat(2, 2);
    store.turn(&mut new);
    assert!(marks(&store.turn(&mut new)));
    let last = store.saves.last_mut().unwrap();
    last.value[20] ^= 1;
    let mut next = store.seat(2, 3);
    let mut done = Vec::new();
    (0..3).for_each(|_| done.extend(store.turn(&mut next)));
    assert!(marks(&done), "{done:?}");
}

/// The newest save of a room, damaged.
fn damaged(store: &Store, room: &str) -> Cell {
    let is_of = |cell: &&Cell| wire::of_save_key(&cell.key).is_some_and(|(of, ..)| of == room);
    let mut newest = store.saves.iter().rfind(is_of).unwrap().clone();
    newest.value[20] ^= 1;
    newest
}

fn is_unfit(done: &[Action]) -> bool {
    let is_unfit = |action: &Action| matches!(action, Action::Note(Note::Ended(End::Unfit(_))));
    done.iter().any(is_unfit)
}

#[test]
fn a_damaged_save_that_is_left_of_a_closed_room_is_no_room() {
    let (mut store, mut old) = played();
    let left = damaged(&store, "ada");
    let room = "ada".to_owned();
    store.administer(&Entry::Close { room });
    store.turn(&mut old);
    assert!(store.saves.is_empty());
    // It is removed last, and the log is forgotten meanwhile, but for the last two marks.
    let mut marks = store.log.iter().rev().filter(|record| record.is_mark);
    (store.saves, store.first) = (vec![left], marks.nth(1).unwrap().number);
    let mut new = store.seat(1, 2);
    let done: Vec<_> = (0..9).flat_map(|_| store.turn(&mut new)).collect();
    assert!(new.1.rooms.is_empty() && !is_unfit(&done), "{done:?}");
}

#[test]
fn a_room_is_not_closed_by_a_mark_before_its_damaged_save() {
    let mut store = Store::with_room();
    let mut old = store.seat(1, 1);
    store.turn(&mut old);
    play_as(1);
    old.1.due(0);
    store.open("bob"); // before the next mark, which does not know of it
    store.first = store.log.len() as u64 + 1;
    let first = store.first;
    while store.saved().iter().filter(|at| **at >= first).count() < 2 {
        store.turn(&mut old);
    }
    let left = damaged(&store, "bob");
    store.saves.retain(|cell| !cell.key.contains("bob"));
    store.saves.push(left);
    let mut new = store.seat(1, 2);
    let done: Vec<_> = (0..9).flat_map(|_| store.turn(&mut new)).collect();
    let is_there = new.1.rooms.contains_key("bob");
    assert!(is_there && is_unfit(&done), "{done:?}");
}

#[test]
fn a_save_of_void_ticks_that_is_written_late_is_not_used() {
    let (mut store, mut old) = played();
    let before = store.saved();
    while store.saves.iter().all(|cell| before.contains(&at(cell))) {
        store.turn(&mut old);
    }
    let (kept, late): (Vec<_>, _) = store
        .saves
        .drain(..)
        .partition(|cell| before.contains(&at(cell)));
    store.saves = kept;
    store.turn(&mut old);
    // The next owner has not seen it, and drops the ticks.
    let mut new = store.seat(2, 2);
    store.turn(&mut new);
    assert!(marks(&store.turn(&mut new)));
    store.saves.extend(late);
    for epoch in [0, 3] {
        let mut next = store.seat(2, epoch);
        let done: Vec<_> = (0..9).flat_map(|_| store.turn(&mut next)).collect();
        assert!(!is_unfit(&done), "{done:?}");
        assert_eq!(marks(&done), epoch > 0, "{done:?}");
    }
}

/// A replica that can play void ticks, though their owner could not, drops them all the same.
#[test]
fn a_replica_that_does_not_differ_goes_on_with_an_owner_that_does() {
    let (mut store, mut old) = played();
    let mut follower = store.seat(1, 0);
    store.turn(&mut old);
    store.turn(&mut follower);
    let mut owner = store.seat(1, 2);
    owner.1.rooms.get_mut("ada").unwrap().progress.sum ^= 1;
    let before = store.saved();
    assert!(store.turn(&mut owner).contains(&Action::Reload));
    assert!(marks(&store.turn(&mut owner)));
    // It dies before its first save.
    store.saves.retain(|cell| before.contains(&at(cell)));
    let mut late = store.seat(1, 0);
    for seat in [&mut follower, &mut late] {
        let done: Vec<_> = (0..5).flat_map(|_| store.turn(seat)).collect();
        let [here, there] = [&seat.1, &owner.1].map(|seat| &seat.rooms["ada"]);
        assert!(here.room.is_ok() && !is_unfit(&done), "{done:?}");
        assert_eq!(here.progress.sum, there.progress.sum);
    }
    let mut next = store.seat(1, 3);
    let done: Vec<_> = (0..5).flat_map(|_| store.turn(&mut next)).collect();
    assert!(marks(&done), "{done:?}");
}

#[test]
fn a_room_that_is_opened_again_is_not_closed_with_the_one_that_is_over() {
    let mut store = Store::with_room();
    let mut owner = store.seat(1, 1);
    store.turn(&mut owner);
    let place = owner.1.rooms.get_mut("ada").unwrap();
    (place.result, place.is_stored) = (Some(vec![7]), true);
    play_as(1);
    owner.1.due(0); // its mark says that the room is closed
    let room = "ada".to_owned();
    store.administer(&Entry::Close { room });
    store.open("ada");
    let opened = store.log.len() as u64;
    (0..3).for_each(|_| _ = store.turn(&mut owner));
    let place = owner.1.rooms.get("ada");
    assert_eq!(place.map(|place| place.progress.opened), Some(opened));
}

/// A replica that starts later has never known the room that is over.
#[test]
fn a_room_that_is_opened_again_while_it_ends_is_the_same_for_all() {
    let mut store = Store::with_room();
    store.open("bob");
    let mut owner = store.seat(1, 1);
    while store.saves.len() < 4 {
        store.turn(&mut owner);
    }
    let place = owner.1.rooms.get_mut("ada").unwrap();
    (place.result, place.is_stored) = (Some(vec![7]), true);
    play_as(1);
    owner.1.due(0); // its mark says that the room is closed
    store.open("ada");
    let opened = store.log.len() as u64;
    store.turn(&mut owner);
    store.saves.retain(|cell| !cell.key.contains("ada"));
    store.open("ada");
    (0..3).for_each(|_| _ = store.turn(&mut owner));
    let mut late = store.seat(1, 0);
    store.turn(&mut late);
    for seat in [owner, late] {
        let place = seat.1.rooms.get("ada");
        assert_eq!(place.map(|place| place.progress.opened), Some(opened));
    }
}
