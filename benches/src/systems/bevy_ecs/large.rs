//! The rows of `bevy_ecs` that are about many entities: their creation, joins over most
//! and few of them, and their memory.

use bevy_ecs::prelude::*;

use super::{Moving, advance_all, movers};
use crate::types::*;
use crate::workload::{Churn, Kind, Sparse, Tally, Workload, fresh, one_of, steady};

pub(super) fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| world.spawn_batch(columns.rows()).for_each(drop);
    fresh(World::new, run, move |world| check_wide(world, items))
}

pub(super) fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        columns.rows().for_each(|row| _ = world.spawn(row));
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 are there.
fn check_wide(world: &mut World, items: usize) {
    let mut tally = Tally::default();
    let mut all = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    tally.add_all(all.iter(world).map(|(_, position, ..)| position));
    assert_eq!(tally, Tally::of_all(items, 1));
}

pub(super) fn iter_many(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    let moving: Moving = world.query();
    let run = |(world, _, moving): &mut (World, Vec<Entity>, Moving)| advance_all(moving, world);
    steady((world, ids, moving), run, |(world, ids, _), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(world.get::<Position>(id), Some(&advanced(index, steps)));
        }
    })
}

/// Who gets a velocity moves to a table of those that have both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::new();
    let ids = world.spawn_batch((0..sparse.entities).map(position));
    let ids: Vec<Entity> = ids.collect();
    world.insert_batch(sparse.picked.iter().map(|&at| (ids[at], velocity())));
    let query: Moving = world.query();
    let run = |(world, _, query): &mut (World, Vec<Entity>, Moving)| advance_all(query, world);
    steady((world, ids, query), run, move |(world, ids, _), steps| {
        sparse.check(|at| *world.get::<Position>(ids[at]).unwrap(), steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = World::new();
    let mut ids: Vec<Entity> = Vec::new();
    for (at, &kind) in churn.before.iter().enumerate() {
        ids.push(create(&mut world, at, kind));
    }
    for &(at, kind) in &churn.steps {
        assert!(world.despawn(ids[at]));
        ids[at] = create(&mut world, at, kind);
    }
    let moving: Moving = world.query();
    let run = |(world, _, moving): &mut (World, Vec<Entity>, Moving)| advance_all(moving, world);
    steady((world, ids, moving), run, move |(world, ids, _), steps| {
        churn.check(|at| world.get::<Position>(ids[at]).copied(), steps);
    })
}

/// Creates an entity of W7c.
fn create(world: &mut World, at: usize, kind: Kind) -> Entity {
    match kind {
        Kind::Both => world.spawn((position(at), velocity())).id(),
        Kind::Position => world.spawn(position(at)).id(),
        Kind::Velocity => world.spawn(velocity()).id(),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        let bundles = (0..items).map(|index| (position(index), velocity()));
        world.spawn_batch(bundles).for_each(drop);
    };
    fresh(World::new, run, move |world| {
        let mut both = world.query_filtered::<(), (With<Position>, With<Velocity>)>();
        assert_eq!(both.iter(world).len(), items);
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let some = one_of(100, items);
    let count = some.len();
    let run = move |world: &mut World| {
        let ids: Vec<Entity> = world.spawn_batch((0..items).map(position)).collect();
        world.insert_batch(some.iter().map(|&at| (ids[at], wide(0).0)));
    };
    fresh(World::new, run, move |world| {
        let mut both = world.query_filtered::<(), (With<Position>, With<Transform>)>();
        assert_eq!(both.iter(world).len(), count);
        let mut all = world.query_filtered::<(), With<Position>>();
        assert_eq!(all.iter(world).len(), items);
    })
}
