//! Code shared by all systems in the rows on parents (W14), keys (W15), queries (W16), messages (W18),
//! copies (W19) and saves (W20).

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use crate::checks::check_memory;
use crate::rows::Id;
use crate::types::{Position, Velocity};
use crate::workload::{Tally, Workload, shuffled, steady};

/// The number of parents in W14.
pub const PARENTS: usize = 100;

/// A world in W14, its parents and its children, distributed in turn: child 0 belongs to parent 0.
pub struct Family<W, E> {
    /// The world.
    pub world: W,
    /// Its parents.
    pub parents: Vec<E>,
    /// Its children.
    pub children: Vec<E>,
}

/// W14, where `set_parents` moves each of these children to this parent, and `children` lists the
/// children of a parent.
pub fn reparent<W: 'static, E: Copy + Debug + Eq + Hash + 'static>(
    Family {
        world,
        parents,
        children,
    }: Family<W, E>,
    mut set_parents: impl FnMut(&mut W, &[(E, E)]) + 'static,
    mut children_of: impl FnMut(&mut W, E) -> Vec<E> + 'static,
) -> Box<dyn Workload> {
    let parent_of = {
        let parents = parents.clone();
        move |child: usize, run: u64| parents[(child + run as usize % 2) % parents.len()]
    };
    // To another parent, and back to the first one.
    let order = shuffled(children.len());
    let moves = [1, 0].map(|run| {
        let moved = order.iter().map(|&at| (children[at], parent_of(at, run)));
        moved.collect::<Vec<_>>()
    });
    let run = move |(world, runs): &mut (W, u64)| {
        set_parents(world, &moves[*runs as usize % 2]);
        *runs += 1;
    };
    steady((world, 0), run, move |(world, _), runs| {
        for &parent in &parents {
            let of_parent = (0..children.len()).filter(|&at| parent_of(at, runs) == parent);
            let expected: HashSet<E> = of_parent.map(|at| children[at]).collect();
            let listed = children_of(world, parent);
            assert_eq!(listed.len(), expected.len());
            assert_eq!(listed.into_iter().collect::<HashSet<_>>(), expected);
        }
    })
}

/// Returns the key of entity `index` in W15.
pub fn key(index: usize) -> u32 {
    index as u32 * 7 + 3
}

/// W15 for any kind of index: `find` reads the position of the entity with a key.
pub fn look_up<S: 'static>(
    state: S,
    entities: usize,
    find: impl Fn(&S, u32) -> Option<Position> + 'static,
) -> Box<dyn Workload> {
    let order = shuffled(entities).into_iter();
    let keys: Vec<u32> = order.map(key).collect();
    let run = move |(state, tally): &mut (S, Tally)| {
        for &key in &keys {
            tally.add(&find(state, key).expect("it is there"));
        }
    };
    steady((state, Tally::default()), run, move |(_, tally), runs| {
        assert_eq!(*tally, Tally::of_all(entities, runs));
    })
}

/// W15 by a map that the program keeps beside the world; `read` also checks that the entity is alive.
pub fn look_up_by_hand<W: 'static, E: Copy + 'static>(
    (world, ids): (W, Vec<E>),
    read: impl Fn(&W, E) -> Option<Position> + 'static,
) -> Box<dyn Workload> {
    let entities = ids.len();
    let by_key: HashMap<u32, E> = (0..entities).map(key).zip(ids).collect();
    look_up((world, by_key), entities, move |(world, by_key), key| {
        read(world, *by_key.get(&key)?)
    })
}

/// W16, where `count` creates a query and sums the Data of the one entity that it finds.
pub fn make_queries<W: 'static>(
    world: W,
    items: usize,
    mut count: impl FnMut(&mut W) -> f32 + 'static,
) -> Box<dyn Workload> {
    let run = move |(world, sum): &mut (W, f64)| {
        for _ in 0..items {
            *sum += f64::from(count(std::hint::black_box(world)));
        }
    };
    steady((world, 0.0), run, move |(_, sum), runs| {
        assert_eq!(*sum, (runs * items as u64) as f64);
    })
}

/// The message of W18.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Distinguishes messages.
    pub damage: u64,
}

/// W18, where `send` sends a message, and `read` sums all messages since the last read.
pub fn messages<S: 'static>(
    state: S,
    items: usize,
    mut send: impl FnMut(&mut S, Hit) + 'static,
    mut read: impl FnMut(&mut S) -> u64 + 'static,
) -> Box<dyn Workload> {
    let run = move |(state, sum): &mut (S, u64)| {
        for damage in 0..items as u64 {
            send(state, std::hint::black_box(Hit { damage }));
        }
        *sum += read(state);
    };
    steady((state, 0), run, move |(_, sum), runs| {
        assert_eq!(*sum, runs * (0..items as u64).sum::<u64>());
    })
}

/// W19, where `copy` copies all entities of W1, and the previous copy is dropped.
pub fn copy_world<W: 'static, K: 'static>(
    world: W,
    mut copy: impl FnMut(&mut W) -> K + 'static,
    mut check: impl FnMut(&mut K) + 'static,
) -> Box<dyn Workload> {
    let run = move |(world, last): &mut (W, Option<K>)| *last = Some(copy(world));
    steady((world, None), run, move |(_, last), _| {
        check(last.as_mut().expect("it has run"));
    })
}

/// How a system saves and loads the entities of W20.
pub struct Saving<W> {
    /// Saves as bytes of postcard.
    pub save: fn(&mut W) -> Vec<u8>,
    /// Loads a world from these bytes.
    pub load: fn(&[u8]) -> W,
    /// Returns the values of each entity, in any order.
    pub all: fn(&mut W) -> Vec<(Position, Velocity)>,
}

impl<W: 'static> Saving<W> {
    /// Returns W20 or W20l, with `entities` entities in the world; each run drops the previous result.
    pub fn workload(self, row: Id, mut world: W, entities: usize) -> Box<dyn Workload> {
        let Self { save, load, all } = self;
        let check = move |mut world: W| check_memory(entities, all(&mut world).into_iter());
        if row == Id::W20 {
            let run = move |(world, bytes): &mut (W, Vec<u8>)| *bytes = save(world);
            return steady((world, Vec::new()), run, move |(_, bytes), _| {
                check(load(bytes));
            });
        }
        let bytes = save(&mut world);
        let run = move |world: &mut Option<W>| *world = Some(load(&bytes));
        steady(None, run, move |world, _| {
            check(world.take().expect("it has run"));
        })
    }
}
