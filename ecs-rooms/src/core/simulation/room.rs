//! A room that remembers all inputs, who sees it, and which of its saves are loaded.

use std::cell::Cell;
use std::error::Error as Anything;
use std::panic::resume_unwind;

use serde::{Deserialize, Serialize};

use super::world::KEY;
use crate::core::Common;
use crate::core::place::Place;
use crate::core::roster::{Outcome, Reason};
use crate::core::seat::Seat;
use crate::core::wire::{self, Input, Mark};
use crate::host::Options;
use crate::room::{Opening, Room, Turn};
use crate::store;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    seed: u64,
    ticks: u64,
    pub(crate) inputs: Vec<(u64, u64)>,
    sum: u64,
}

/// Inputs after which a room panics in its tick, or when it is saved.
pub(crate) const PANICS: u64 = 1 << 63;
pub(crate) const PANICS_IN_SAVE: u64 = 1 << 62;
/// An input with which a room ends itself.
pub(crate) const ENDS: u64 = 1 << 61;

thread_local! {
    /// How many versions later than the first is played at present.
    static NEWER: Cell<u32> = const { Cell::new(0) };
}

pub(crate) fn newer() -> u32 {
    NEWER.get()
}

/// Plays as the processes of a version do.
pub(crate) fn play_as(version: u32) {
    NEWER.set(version - 1);
}

fn mix(sum: u64, value: u64) -> u64 {
    let mixed = (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 31)
}

impl Room for Tally {
    type Input = u64;

    fn upgrade(_: u32, bytes: &[u8]) -> Option<u64> {
        wire::read(bytes)
    }

    fn new(opening: &Opening) -> Self {
        Self {
            seed: opening.seed,
            sum: mix(1, opening.seed),
            ..Self::default()
        }
    }

    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        Ok(postcard::from_bytes(bytes)?)
    }

    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        // As a context whose collectors hold something after some ticks.
        if self.ticks.is_multiple_of(5) {
            return Err("not after this tick".into());
        }
        if self
            .inputs
            .iter()
            .any(|(_, input)| input & PANICS_IN_SAVE > 0)
        {
            resume_unwind(Box::new(()));
        }
        Ok(wire::write(self))
    }

    fn tick(&mut self, turn: Turn<u64>) {
        self.ticks += 1;
        // Another rule in each version.
        self.sum = mix(self.sum, self.ticks + u64::from(newer()));
        for (player, is_there) in turn.players {
            self.sum = mix(mix(self.sum, player), u64::from(is_there) + 7);
        }
        for (player, input) in turn.inputs {
            self.sum = mix(mix(self.sum, player), input);
            self.inputs.push((player, input));
            if input & PANICS > 0 {
                resume_unwind(Box::new(()));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        mix(self.sum, newer().into())
    }

    fn result(&mut self) -> Option<Vec<u8>> {
        let is_over = self.inputs.iter().any(|(_, input)| input & ENDS > 0);
        is_over.then(|| wire::write(&self.sum))
    }

    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok(vec![everything.into()])
    }
}

/// Who gets what after a tick, and whether the room made it of everything.
fn shown(place: &mut Place<Tally>, tick: u64) -> Vec<(Option<u64>, bool, bool)> {
    let shown = place.show((1, tick)).into_iter();
    let lines = shown.flat_map(|(viewers, sight)| {
        let line = (sight.everything, sight.delta == [1]);
        viewers
            .into_iter()
            .map(move |viewer| (viewer, line.0, line.1))
    });
    lines.collect()
}

#[test]
fn only_a_viewer_that_joins_late_gets_everything() {
    let mut place = Place::<Tally>::new("a", &1.into(), 1);
    assert_eq!(shown(&mut place, 1), [], "there is no viewer");
    place.ask(3, Some(7));
    assert_eq!(
        shown(&mut place, 2),
        [(None, true, false)],
        "the first delta"
    );
    place.ask(4, None);
    place.ask(4, Some(9));
    place.ask(4, Some(8));
    let late = [(Some(8), true, true), (Some(9), true, true)];
    let all = [&[(None, false, false)][..], &late].concat();
    assert_eq!(shown(&mut place, 3), all);
    assert_eq!(shown(&mut place, 4), [(None, false, false)]);
    assert_eq!(shown(&mut place, 5), [], "the viewers are gone");
}

/// A save of room `ada` after its first tick.
fn saved(opened: u64) -> store::Cell {
    let mut place = Place::<Tally>::new("ada", &1.into(), opened);
    let mark = Mark {
        epoch: 1,
        tick: 1,
        now: 0,
        owner: String::new(),
        build: wire::Build::of::<Tally>(),
        resumed: [].into(),
        sums: place.marked(0).into_iter().collect(),
    };
    assert_eq!(place.step("ada", &mark, opened + 1), None);
    let key = wire::save_key(0, "ada", opened, opened + 1);
    let value = place.save((&KEY, &key), opened, false).unwrap();
    let revision = 1;
    store::Cell {
        key,
        revision,
        value,
    }
}

#[test]
fn inputs_of_ticks_of_another_version_are_forgotten_if_their_room_breaks() {
    let mut place = Place::<Tally>::new("ada", &1.into(), 1);
    let build = wire::Build::of::<Tally>();
    place.input(Input {
        room: "ada".to_owned(),
        player: 7,
        pass: wire::Pass::default(),
        connection: 2,
        number: 1,
        known: 0,
        build,
        bytes: wire::write(&5_u64),
    });
    let sums = [place.progress.sum, wire::BROKEN];
    let failed = [1, 2].map(|tick| {
        let mark = Mark {
            epoch: 1,
            tick,
            now: 0,
            owner: String::new(),
            build: wire::Build {
                version: 0,
                ..build
            },
            resumed: [].into(),
            sums: [(1, sums[tick as usize - 1])].into(),
        };
        place
            .step("ada", &mark, 2 + tick)
            .map(|error| error.to_string())
    });
    for (failed, reason) in failed.iter().zip(["version 0", "panicked"]) {
        assert!(failed.as_ref().is_some_and(|error| error.contains(reason)));
    }
    let forgotten = (2, 1, Outcome::Rejected(Reason::Forgotten));
    let outcomes: Vec<_> = place.take_outcomes("ada").collect();
    assert_eq!(outcomes, [("ada".to_owned(), 7, forgotten)]);
}

#[test]
fn a_damaged_save_falls_back_to_one_of_the_same_opening() {
    let mut damaged = saved(30);
    damaged.value[20] ^= 1;
    let load = |saves: &[store::Cell]| {
        let common = Common::new(Options::new(KEY), wire::Build::of::<Tally>());
        let mut seat = Seat::<Tally>::new(common, 0, saves, 0);
        let place = seat.rooms.remove("ada").unwrap();
        (place.room.is_ok(), place.progress.opened)
    };
    assert_eq!(load(&[saved(10), saved(30)]), (true, 30));
    assert_eq!(load(&[saved(10), damaged.clone()]), (false, 30));
    let before = store::Cell {
        key: wire::save_key(0, "ada", 30, 20),
        ..saved(30)
    };
    assert_eq!(
        load(&[before, damaged]),
        (false, 30),
        "sealed for another cell"
    );
}
