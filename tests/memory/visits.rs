//! Visits that report their writes take time that is linear in the rows they visit (F35), measured
//! without a clock: by the bytes they request, and the values they clone.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs::prelude::*;

use super::allocator::requested_by;
use super::alone;

/// Has few components, because contexts with many entities are created.
#[ecs::context]
struct Hall;

#[derive(Component, Clone)]
#[component(context = Hall)]
struct Lamp(u64);

/// Counts its clones.
#[derive(Component)]
#[component(context = Hall)]
struct Bell(u32);

static CLONES: AtomicUsize = AtomicUsize::new(0);

impl Clone for Bell {
    fn clone(&self) -> Self {
        CLONES.fetch_add(1, Relaxed);
        Self(self.0)
    }
}

/// What depends on the values of a hall.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Subscriber {
    History,
    Observer,
    Collector,
    Index,
}

use Subscriber::{Collector, History, Index, Observer};

const ALL: [Subscriber; 4] = [History, Observer, Collector, Index];

/// Ten times the work takes ten times as much, up to twice that if lists grow by doubling, and a
/// hundred times as much if it is quadratic.
const MOST: usize = 25;

const FEW: u32 = 1_000;

/// A hall with lamps and bells, and a subscriber to both.
fn hall(count: u32, subscriber: Subscriber) -> (Hall, Vec<EntityId<Hall>>, impl Sized) {
    let mut hall = Hall::new();
    let ids = hall.create_many((0..count).map(|n| (Lamp(n.into()), Bell(n))));
    let both = || Hall::any_of::<(Lamp, Bell)>();
    let mut handles = (None, None, None);
    match subscriber {
        History => handles.0 = Some(hall.record()),
        Observer => {
            let group = hall.group(both());
            group.on_updated(&mut hall, |_: &mut Hall, _: &Change<'_, Hall>| {});
        }
        Collector => handles.1 = Some(hall.collector(both().updated())),
        Index => {
            handles.2 = Some(hall.entity_index(Hall::all_of::<(Lamp, Bell)>(), |it| it.bell().0))
        }
    }
    (hall, ids, handles)
}

/// Checks that ten times the entities take at most [`MOST`] times as much, with each subscriber.
#[track_caller]
fn assert_linear(
    what: &str,
    subscribers: &[Subscriber],
    measured: impl Fn(&mut dyn FnMut()) -> usize,
    act: impl Fn(&mut Hall, &[EntityId<Hall>]),
) {
    for &subscriber in subscribers {
        let cost = |count| {
            let (mut hall, ids, _handles) = hall(count, subscriber);
            act(&mut hall, &ids[..1]); // allocates what is kept for reuse
            measured(&mut || act(&mut hall, &ids))
        };
        let (few, many) = (cost(FEW), cost(10 * FEW));
        let what = format!("{what}, {subscriber:?}: {few} for {FEW}, {many} for ten times as many");
        assert!(many <= MOST * few + 10_000, "{what}");
    }
}

fn bytes(act: &mut dyn FnMut()) -> usize {
    requested_by(act)
}

fn clones(act: &mut dyn FnMut()) -> usize {
    let before = CLONES.load(Relaxed);
    act();
    CLONES.load(Relaxed) - before
}

#[test]
fn views_that_write_in_any_order() {
    let _alone = alone();
    let descending = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        hall.view_mut::<Lamp>(|lamps| {
            ids.iter()
                .rev()
                .for_each(|&id| lamps.get_mut(id).unwrap().0 += 1);
        });
    };
    assert_linear("descending", &ALL, bytes, descending);
    let scattered = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        hall.view_mut::<Lamp>(|lamps| {
            let firsts = (0..64).flat_map(|first| ids.iter().skip(first).step_by(64));
            firsts.for_each(|&id| lamps.get_mut(id).unwrap().0 += 1);
        });
    };
    assert_linear("scattered", &ALL, bytes, scattered);
}

#[test]
fn visits_that_stop_early_clone_no_more_values_than_those_of_a_block() {
    let _alone = alone();
    for subscriber in [History, Observer] {
        let (mut hall, ids, _handles) = hall(10_000, subscriber);
        let cloned = clones(&mut || {
            for bell in hall.query_mut::<&mut Bell>().iter_mut() {
                if bell.0 == 70 {
                    break;
                }
            }
        });
        assert!((71..=128).contains(&cloned), "{cloned}");
        let cloned = clones(&mut || {
            let mut bells = hall.query_mut::<(EntityId<Hall>, &mut Bell)>();
            assert_eq!(bells.iter_mut().next().unwrap().0, ids[0]);
        });
        assert!((1..=64).contains(&cloned), "{cloned}");
    }
}

#[test]
fn visits_that_stop_early() {
    let _alone = alone();
    let stops = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        for _ in ids {
            assert!(hall.query_mut::<&mut Lamp>().iter_mut().next().is_some());
        }
    };
    assert_linear("the first one", &ALL, bytes, stops);
    let written = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        for _ in ids {
            let mut lamps = hall.query_mut::<Mut<'_, Lamp>>();
            lamps.iter_mut().next().unwrap().0 += 1;
        }
    };
    assert_linear("the first one is written", &ALL, bytes, written);
    let filtered = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        for _ in ids {
            let mut lamps = hall.query_mut::<&mut Lamp>().with::<Bell>();
            lamps.iter_mut().next().unwrap().0 += 1;
        }
    };
    assert_linear("the first one that matches", &ALL, bytes, filtered);
}

#[test]
fn visits_of_single_entities() {
    let _alone = alone();
    let written = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        for &id in ids {
            hall.query_mut::<Mut<'_, Lamp>>()
                .get(id, |mut lamp| lamp.0 += 1);
            hall.query_mut::<&mut Lamp>().get(id, |lamp| lamp.0 += 1);
        }
    };
    assert_linear("by id", &ALL, bytes, written);
    let viewed = |hall: &mut Hall, ids: &[EntityId<Hall>]| {
        for &id in ids {
            hall.view_mut::<Lamp>(|lamps| lamps.get_mut(id).unwrap().0 += 1);
        }
    };
    assert_linear("in a view", &ALL, bytes, viewed);
}
