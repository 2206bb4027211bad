//! Changes of few among many entities, taken from a feed, compared with a list that a program keeps.

use ecs::{Component, Context as _, Delta, EntityId, Feed};

use crate::workload::{Prepared, Workload};

/// The context of the feed.
#[ecs::context]
pub(super) struct Arena;

/// The position.
#[derive(Clone, Copy, Debug, PartialEq, Component, serde::Serialize, serde::Deserialize)]
#[component(context = Arena, by_value)]
pub(super) struct Spot {
    x: f32,
    y: f32,
    z: f32,
}

/// The number of entities per change.
const ENTITIES_PER_CHANGE: usize = 100;

fn spot(number: f32) -> Spot {
    let (x, y, z) = (number, 0.5, -number);
    Spot { x, y, z }
}

/// An arena with its feed, and the last delta taken.
struct Notified {
    arena: Arena,
    ids: Vec<EntityId<Arena>>,
    feed: Feed<Arena>,
    last: Delta<Arena>,
    runs: f32,
}

impl Notified {
    fn new(entities: usize) -> Self {
        let mut arena = Arena::new();
        let ids = arena.create_many((0..entities).map(|number| spot(number as f32)));
        let feed = arena.feed::<Spot>();
        let last = feed.take(&mut arena);
        Self {
            arena,
            ids,
            feed,
            last,
            runs: 0.0,
        }
    }

    fn change(&mut self) {
        self.runs += 1.0;
        for &id in self.ids.iter().step_by(ENTITIES_PER_CHANGE) {
            self.arena.entity_mut(id).replace_spot(spot(self.runs));
        }
    }

    fn take(&mut self) {
        self.last = self.feed.take(&mut self.arena);
    }

    /// Checks that it has few more bytes than the values.
    fn check(&mut self) {
        let changed = self.ids.len() / ENTITIES_PER_CHANGE;
        let bytes = postcard::to_stdvec(&self.last).expect("all of it can be written");
        let values = changed * size_of::<Spot>();
        assert!(bytes.len() >= values);
        if changed >= 100 {
            assert!(bytes.len() * 10 <= values * 13); // for few values, the header dominates
        }
    }
}

/// Takes the changes of one in a hundred entities.
pub(super) fn taken(items: usize) -> Box<dyn Workload> {
    Box::new(Prepared {
        state: Notified::new(items * ENTITIES_PER_CHANGE),
        prepare: Notified::change,
        run: Notified::take,
        check: Notified::check,
    })
}

/// Values kept by hand, and the places of changed ones.
struct ByHand {
    spots: Vec<Spot>,
    changed: Vec<usize>,
    last: Vec<(usize, Spot)>,
}

/// Takes the values whose places the program has recorded.
pub(super) fn recorded(items: usize) -> Box<dyn Workload> {
    let entities = items * ENTITIES_PER_CHANGE;
    Box::new(Prepared {
        state: ByHand {
            spots: (0..entities).map(|number| spot(number as f32)).collect(),
            changed: Vec::new(),
            last: Vec::new(),
        },
        prepare: |it: &mut ByHand| {
            it.changed
                .extend((0..it.spots.len()).step_by(ENTITIES_PER_CHANGE))
        },
        run: |it: &mut ByHand| {
            it.last = it.changed.drain(..).map(|at| (at, it.spots[at])).collect();
        },
        check: |it: &mut ByHand| assert_eq!(it.last.len() * ENTITIES_PER_CHANGE, it.spots.len()),
    })
}
