//! `hecs`: queries (a prepared one where there are many archetypes), `insert_one`,
//! `remove_one`, a view for random access, a column batch for creation. The flat form
//! takes whole columns from the archetypes.
//!
//! It has no events. The reactive rows do what users do: code that writes also records the entity
//! in a list beside the world. Its own `ChangeTracker` compares all values, 10,000 of them for
//! 1,000 changes, and is slower than that.

mod around;
pub mod frames;
mod large;
mod reactive;
mod saving;

use hecs::{ColumnBatchType, Component, Entity, PreparedQuery, World};

use crate::checks::{Mover, check_movers, check_pairs};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

/// How a system iterates.
#[derive(Clone, Copy)]
enum Walk {
    /// Entity by entity.
    Query,
    /// Column by column, through the archetypes.
    Columns,
}

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => bulk_create(items),
        Id::W1s => single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items, Walk::Query),
        Id::W2m | Id::W2x => large::iter(items, Walk::Query),
        Id::W2p => large::iter_in_parallel(items),
        Id::W3 => fragmented(items, Walk::Query),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
        Id::W6d => large::destroy(items),
        Id::W7 | Id::W7d => large::sparse_join(items, Walk::Query),
        Id::W7c | Id::W7cd => large::churned_join(items, Walk::Query),
        Id::W8 => reactive::reactive_replace(items),
        Id::W8e => reactive::event_callback(items),
        Id::W9 => reactive::group_events(items),
        Id::W10 | Id::W10d => reactive::many_groups(items),
        Id::W11 => large::memory(items),
        Id::W11s | Id::W11sd => large::memory_sparse(items),
        Id::W12 => large::heavy_compute(items),
        Id::W13 => reactive::move_system(items),
        Id::W13a => reactive::move_by_id(items),
        other => return around::workload(other, items),
    })
}

/// Returns the workload of a row that iterates whole columns as flat floats.
pub fn flat(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W2 => iter(items, Walk::Columns),
        Id::W2m | Id::W2x => large::iter(items, Walk::Columns),
        Id::W3 => fragmented(items, Walk::Columns),
        Id::W7 | Id::W7d => large::sparse_join(items, Walk::Columns),
        Id::W7c | Id::W7cd => large::churned_join(items, Walk::Columns),
        _ => return None,
    })
}

/// Adds velocity to position for all that have both.
#[inline]
fn step(world: &mut World, walk: Walk) {
    match walk {
        Walk::Query => world
            .query_mut::<(&mut Position, &Velocity)>()
            .into_iter()
            .for_each(|(position, velocity)| advance(position, velocity)),
        Walk::Columns => {
            for archetype in world.archetypes() {
                if let Some(velocities) = archetype.get::<&Velocity>()
                    && let Some(mut positions) = archetype.get::<&mut Position>()
                {
                    advance_all(&mut positions, &velocities);
                }
            }
        }
    }
}

/// Uses a column batch, which becomes the archetype without a copy.
fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        let mut batch = ColumnBatchType::new();
        batch.add_bundle::<(Transform, Position, Rotation, Velocity)>();
        let batch = batch.into_batch(items as u32);
        macro_rules! fill {
            ($($component:ty: $column:ident)*) => {$({
                let mut writer = batch.writer::<$component>().unwrap();
                columns.$column.iter().for_each(|&value| writer.push(value).unwrap());
            })*};
        }
        fill!(Transform: transforms Position: positions);
        fill!(Rotation: rotations Velocity: velocities);
        let ids: Vec<Entity> = world.spawn_column_batch(batch.build().unwrap()).collect();
        std::hint::black_box(ids);
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        columns.rows().for_each(|row| _ = world.spawn(row));
    };
    fresh(World::new, run, move |world| check_wide(world, items))
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
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    type All<'a> = (&'a Transform, &'a Position, &'a Rotation, &'a Velocity);
    let mut tally = Tally::default();
    let all = world.query_mut::<All<'_>>().into_iter();
    all.for_each(|row| tally.add_wide(row));
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..entities).map(wide)).collect();
    (world, ids)
}

fn iter(items: usize, walk: Walk) -> Box<dyn Workload> {
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world, walk);
    steady(wide_world(items), run, check_advanced)
}

/// Returns the position and velocity of an entity.
fn mover(world: &World, id: Entity) -> Mover {
    let position = world.get::<&Position>(id).ok().map(|it| *it);
    (position, world.get::<&Velocity>(id).ok().map(|it| *it))
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((world, ids): &mut (World, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, |id| mover(world, id));
}

fn fragmented(items: usize, walk: Walk) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.spawn_batch((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let mut query = PreparedQuery::<&mut Data>::new();
    let run = move |world: &mut World| match walk {
        Walk::Query => query.query_mut(world).for_each(|data| data.0 *= 2.0),
        Walk::Columns => {
            let columns = world.archetypes().filter_map(|it| it.get::<&mut Data>());
            columns.for_each(|mut column| column.iter_mut().for_each(|data| data.0 *= 2.0));
        }
    };
    steady(world, run, move |world, times| {
        let values = world.query_mut::<&Data>().into_iter().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let bundles = (0..items).map(|index| (A(index as f32),));
    let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        check_pairs(ids, added, |id| {
            let a = world.get::<&A>(id).ok().map(|it| *it);
            (a, world.get::<&B>(id).ok().map(|it| *it))
        });
    };
    pairs(
        (world, ids),
        add_to_all(B(1.0)),
        remove_from_all::<B>,
        check,
    )
}

/// Adds a component to each entity.
fn add_to_all<T: Component + Copy>(value: T) -> impl Fn(&mut (World, Vec<Entity>)) {
    move |(world, ids)| {
        for &id in ids.iter() {
            world.insert_one(id, value).unwrap();
        }
    }
}

/// Removes a component from each entity.
fn remove_from_all<T: Component>((world, ids): &mut (World, Vec<Entity>)) {
    for &id in ids.iter() {
        world.remove_one::<T>(id).unwrap();
    }
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        let is_flagged = |&id| world.get::<&Flag>(id).is_ok();
        assert!(ids.iter().all(|id| is_flagged(id) == added));
        check_wide(world, ids.len());
    };
    let state = wide_world(items);
    pairs(state, add_to_all(Flag), remove_from_all::<Flag>, check)
}

/// Creates a world with moving entities.
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
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

/// W5s with a call on the world for each read.
pub fn by_world(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    if row != Id::W5s {
        return None;
    }
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        for &id in ids.iter() {
            tally.add(&world.get::<&Position>(id).unwrap());
        }
    };
    Some(steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    }))
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
    steady(movers(items), run, move |state, _| {
        check_advanced(state, 0);
        assert_eq!((state.0.len(), state.1.len()), (items as u32, items));
    })
}
