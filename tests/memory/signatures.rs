//! A context that had many signatures stays small, and subscribing does not depend on their number.

use std::time::Duration;

use ecs::prelude::*;
use support::time_of;
use wide::{PARTS, Part, Picked, Wide, part, pick};

use super::allocator::allocated;
use super::alone;

/// A random generator with a fixed seed.
pub(super) struct Random(pub(super) u32);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end
    }

    /// The numbers of this many different parts, unordered.
    pub(super) fn parts(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<_> = (0..PARTS).collect();
        for at in 0..count {
            let other = at + self.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }
}

/// The result of `make`, and the bytes it allocates.
fn taken<R>(make: impl FnOnce() -> R) -> (R, usize) {
    let before = allocated();
    let made = make();
    (made, allocated() - before)
}

/// The bytes among these that hold no values.
fn beside_values(wide: &Wide, bytes: usize) -> usize {
    let memory = wide.storage().memory();
    let values: usize = memory.components().iter().map(|one| one.bytes).sum();
    bytes - values
}

/// A context of `count` entities with `parts` random parts each.
fn wide(count: usize, parts: usize) -> Wide {
    let (mut wide, mut random) = (Wide::new(), Random(7));
    for _ in 0..count {
        wide.create_with(Picked(random.parts(parts)));
    }
    wide
}

const MEGABYTE: usize = 1 << 20;

#[test]
fn wide_bundles_make_no_signatures_of_their_parts() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| wide(1_000, PARTS / 2));
    let bytes = beside_values(&wide, bytes);
    assert_eq!(wide.len(), 1_000);
    assert!(
        bytes < 2 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

#[test]
fn many_signatures_take_little_memory() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| wide(10_000, 10));
    let bytes = beside_values(&wide, bytes);
    assert!(
        bytes < 5 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

#[test]
fn signatures_no_longer_used_are_freed() {
    let _alone = alone();
    drop(Wide::new());
    let (mut wide, bytes) = taken(|| {
        let (mut wide, mut random) = (Wide::new(), Random(7));
        for _ in 0..10_000 {
            let id = wide.create_entity().id();
            random
                .parts(10)
                .into_iter()
                .for_each(|number| (part(number).toggle)(&mut wide, id, 0));
        }
        wide
    });
    let bytes = beside_values(&wide, bytes);
    assert!(
        bytes < 10 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
    let ids: Vec<_> = wide
        .entities()
        .map(|entity| entity.id())
        .skip(100)
        .collect();
    ids.into_iter().for_each(|id| wide.destroy(id));
    wide.storage_mut().shrink_to_fit();
    let graph = wide.storage().memory().graph;
    assert!(graph < MEGABYTE / 4, "{graph} bytes");
}

/// The number of groups and signatures of a large program.
const GROUPS: usize = 2_000;
const SIGNATURES: usize = 3_000;

#[test]
fn many_groups_and_many_signatures_take_little_memory() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| {
        let (mut wide, mut random) = (Wide::new(), Random(7));
        groups(&mut wide, &mut random);
        for _ in 0..SIGNATURES {
            wide.create_with(Picked(random.parts(6)));
        }
        wide
    });
    let bytes = beside_values(&wide, bytes);
    assert_eq!(Group::all(&wide).len(), GROUPS);
    assert!(
        bytes < 16 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

/// Creates [`GROUPS`] groups, each of the entities that lack three parts.
fn groups(wide: &mut Wide, random: &mut Random) {
    while Group::all(wide).len() < GROUPS {
        pick(&random.parts(3));
        wide.group(Wide::none_of::<Picked>());
    }
    pick(&[]);
}

/// The shortest time of many calls.
fn shortest(mut call: impl FnMut()) -> Duration {
    (0..100)
        .map(|_| time_of(&mut call))
        .min()
        .unwrap_or_default()
}

#[test]
fn subscribing_takes_no_longer_after_many_signatures() {
    let _alone = alone();
    let subscribe = |wide: &mut Wide| {
        let group = wide.group(Wide::all_of::<(Part<0, 1>, Part<0, 2>)>());
        let trigger = Wide::all_of::<Part<0, 3>>().entered();
        wide.collector(trigger.clone()).release(wide);
        shortest(|| {
            let subscription = group.on_entered(wide, |_, _| {});
            wide.unsubscribe(subscription);
            wide.collector(trigger.clone()).release(wide);
        })
    };
    let (few, many) = (
        subscribe(&mut wide(10, 10)),
        subscribe(&mut wide(10_000, 10)),
    );
    assert!(
        many < 3 * few + Duration::from_micros(10),
        "{few:?}, {many:?}"
    );
}
