//! `hecs`: queries (a prepared one where there are many archetypes), `insert_one`,
//! `remove_one`, and a view for random access.
//!
//! It has no events. Who needs them keeps a list by hand beside the world, which is
//! what the reactive rows do: whoever writes also notes what was written. Its own
//! `ChangeTracker` compares all values, 10,000 of them for 1,000 changes, and is
//! slower than that.

use hecs::{Entity, PreparedQuery, World};

use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 => get_random(items),
        Id::W6 => churn(items),
        Id::W8 => reactive_replace(items),
        Id::W8e => event_callback(items),
        Id::W9 => group_events(items),
        Id::W10 => many_groups(items),
        _ => return None,
    })
}

/// The workload of a row that whole columns are walked in.
pub fn flat(_row: Id, _items: usize) -> Option<Box<dyn Workload>> {
    None
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            let id = world.spawn(());
            world.insert_one(id, transform).unwrap();
            world.insert_one(id, position).unwrap();
            world.insert_one(id, rotation).unwrap();
            world.insert_one(id, velocity).unwrap();
        }
    };
    fresh(World::new, run, move |world| {
        let mut tally = Tally::default();
        type All<'a> = (&'a Transform, &'a Position, &'a Rotation, &'a Velocity);
        let entities = world.query_mut::<All<'_>>().into_iter();
        tally.add_all(entities.map(|(_, position, ..)| position));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..entities).map(wide)).collect();
    (world, ids)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| {
        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    };
    steady(wide_world(items), run, |(world, ids), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(*world.get::<&Position>(id).unwrap(), advanced(index, steps));
        }
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.spawn_batch((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let mut query = PreparedQuery::<&mut Data>::new();
    let run = move |world: &mut World| {
        query.query_mut(world).for_each(|data| data.0 *= 2.0);
    };
    steady(world, run, move |world, times| {
        let values = world.query_mut::<&Data>().into_iter().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let ids = world.spawn_batch((0..items).map(|_| (A(0.0),))).collect();
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            world.insert_one(id, B(1.0)).unwrap();
        }
        for &id in ids.iter() {
            world.remove_one::<B>(id).unwrap();
        }
    };
    steady((world, ids), run, move |(world, _), _| {
        let with_a = world.query_mut::<&A>().without::<&B>().into_iter();
        assert_eq!(with_a.count(), items);
    })
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            world.insert_one(id, Flag).unwrap();
        }
        for &id in ids.iter() {
            world.remove_one::<Flag>(id).unwrap();
        }
    };
    steady(wide_world(items), run, move |(world, _), _| {
        let plain = world.query_mut::<&Position>().without::<&Flag>();
        assert_eq!(plain.into_iter().count(), items);
    })
}

/// A world with entities that move.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    let ids = world.spawn_batch(bundles).collect();
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = world.view_mut::<&Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            world.despawn(ids[at]).unwrap();
        }
        ids.clear();
        let bundles = (0..items).map(|index| (position(index), velocity()));
        ids.extend(world.spawn_batch(bundles));
    };
    steady(movers(items), run, move |(world, ids), _| {
        let mut tally = Tally::default();
        for &id in ids.iter() {
            tally.add(&world.get::<&Position>(id).unwrap());
        }
        assert_eq!(
            (tally, world.len()),
            (Tally::of_all(items, 1), items as u32)
        );
    })
}

/// A world with entities that have a position and no more.
fn positioned(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index),));
    let ids = world.spawn_batch(bundles).collect();
    (world, ids)
}

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    /// Which entities are in `changed` already, a bit for each index.
    dirty: Vec<u64>,
    changed: Vec<Entity>,
    picks: Picks,
    tally: Tally,
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items * 10);
    let state = Reactive {
        dirty: vec![0; ids.len().div_ceil(64)],
        changed: Vec::new(),
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        let mut positions = state.world.view_mut::<&mut Position>();
        for &at in state.picks.round() {
            let id = state.ids[at];
            *positions.get_mut(id).unwrap() = position(at);
            let word = &mut state.dirty[id.id() as usize / 64];
            let bit = 1 << (id.id() % 64);
            if *word & bit == 0 {
                *word |= bit;
                state.changed.push(id);
            }
        }
        drop(positions);
        let positions = state.world.view_mut::<&Position>();
        let dirty = &mut state.dirty;
        state.tally.add_all(state.changed.drain(..).map(|id| {
            dirty[id.id() as usize / 64] = 0;
            positions.get(id).unwrap()
        }));
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

type Observer = Box<dyn FnMut(Entity, &Position)>;

struct Observed {
    world: World,
    ids: Vec<Entity>,
    observer: Observer,
}

/// The observer is a boxed function that the writer calls.
fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items);
    let heard = Heard::default();
    let told = heard.clone();
    let observer = Box::new(move |_, position: &Position| told.of(position));
    let state = Observed {
        world,
        ids,
        observer,
    };
    let run = |state: &mut Observed| {
        let mut positions = state.world.view_mut::<&mut Position>();
        for (index, &id) in state.ids.iter().enumerate() {
            let value = positions.get_mut(id).unwrap();
            *value = position(index);
            (state.observer)(id, value);
        }
    };
    steady(state, run, move |_, runs| heard.check(items, runs))
}

struct Flagging {
    world: World,
    ids: Vec<Entity>,
    changed: Vec<Entity>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (world, ids) = positioned(entities);
        Self {
            world,
            ids,
            changed: Vec::new(),
            tally: Tally::default(),
            members: 0,
        }
    }

    fn add(&mut self) {
        for &id in &self.ids {
            self.world.insert_one(id, Flag).unwrap();
            self.changed.push(id);
        }
        self.handle();
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.world.remove_one::<Flag>(id).unwrap();
            self.changed.push(id);
        }
        self.handle();
    }

    fn handle(&mut self) {
        let positions = self.world.view_mut::<&Position>();
        let changed = self.changed.drain(..);
        self.tally
            .add_all(changed.map(|id| positions.get(id).unwrap()));
    }

    /// Counts by archetype, which is as good as a group that is kept up.
    fn count(&mut self) {
        self.count_of::<(&Position, &Flag)>();
        macro_rules! entered {
            ($($kind:ident)*) => {
                $(self.count_of::<hecs::Without<(&Position, &Flag), &$kind>>();)*
            };
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => { $(self.count_of::<(&Flag, &$kind)>();)* };
        }
        with_kinds_without!(entered);
        with_kinds_beside_flag!(naming_flag);
    }

    fn count_of<Q: hecs::Query>(&mut self) {
        self.members += self.world.query_mut::<Q>().into_iter().len();
    }
}

fn group_events(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.remove();
    };
    steady(Flagging::new(items), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
    })
}

fn many_groups(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.count();
        state.remove();
        state.count();
    };
    steady(Flagging::new(items), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
        assert_eq!(state.members, 5 * items * runs as usize);
    })
}
