//! `bevy_ecs`: `QueryState`s kept from run to run, batch calls where they exist, sparse-set storage for
//! components that are added and removed.
//!
//! The reactive rows use its own means: change ticks, which a filtered query compares and
//! `clear_trackers` resets; the list of entities that lost a component; a hook on insert for W8e, which
//! costs less than an observer.

mod around;
pub mod frames;
mod large;
mod reactive;

use bevy_ecs::component::{Mutable, StorageType};
use bevy_ecs::prelude::*;

use super::columns::{advance_in_parallel, on_columns};
use crate::checks::{Mover, check_computed, check_movers, check_pairs};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

macro_rules! stored {
    ($storage:ident: $($component:ident)*) => {$(
        impl Component for $component {
            const STORAGE_TYPE: StorageType = StorageType::$storage;
            type Mutability = Mutable;
        }
    )*};
}

macro_rules! kinds_in_tables {
    ($($kind:ident)*) => { stored!(Table: $($kind)*); };
}

stored!(Table: Transform Position Rotation Velocity Data A);
stored!(SparseSet: B Flag);
with_kinds!(kinds_in_tables);

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m | Id::W2x => large::iter_many(items, advance_tables),
        Id::W2p => large::iter_many(items, advance_tables_in_parallel),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
        Id::W6d => large::destroy(items),
        Id::W7 | Id::W7d => large::sparse_join(items),
        Id::W7c | Id::W7cd => large::churned_join(items),
        Id::W8 => reactive::reactive_replace(items),
        Id::W8e => reactive::event_callback(items, reactive::Inserts::Batch),
        Id::W9 => reactive::group_events(items),
        Id::W10 | Id::W10d => reactive::many_groups(items),
        Id::W11 => large::memory(items),
        Id::W11s | Id::W11sd => large::memory_sparse(items),
        Id::W12 => heavy_compute(items),
        Id::W13 => reactive::move_system(items),
        Id::W13a => reactive::move_by_id(items),
        other => return around::workload(other, items),
    })
}

/// The rows of reading and writing by id, with a call on the world for each access.
pub fn by_world(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W5s => get_by_world(items),
        Id::W8 => reactive::replace_by_world(items),
        Id::W8e => reactive::event_callback(items, reactive::Inserts::OneByOne),
        Id::W13a => reactive::move_by_world(items),
        _ => return None,
    })
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            world
                .spawn_empty()
                .insert(transform)
                .insert(position)
                .insert(rotation)
                .insert(velocity);
        }
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let mut tally = Tally::default();
    let mut all = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter(world).for_each(|row| tally.add_wide(row));
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..entities).map(wide)).collect();
    (world, ids)
}

type Moving = QueryState<(&'static mut Position, &'static Velocity)>;

/// Uses whole columns as flat floats, marked as changed all at once.
fn advance_tables(moving: &mut Moving, world: &mut World) {
    let columns = moving.contiguous_iter_mut(world).expect("they are tables");
    for (mut positions, velocities) in columns {
        advance_all(&mut positions, velocities);
    }
}

/// Runs on two threads, like the other systems with column access.
fn advance_tables_in_parallel(moving: &mut Moving, world: &mut World) {
    let columns = moving.contiguous_iter_mut(world).expect("they are tables");
    for (mut positions, velocities) in columns {
        advance_in_parallel(&mut positions, velocities);
    }
}

/// Returns the position and velocity of an entity.
fn mover(world: &World, id: Entity) -> Mover {
    let position = world.get::<Position>(id).copied();
    (position, world.get::<Velocity>(id).copied())
}

fn iter(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = wide_world(items);
    let moving: Moving = world.query();
    let run = |(world, _, moving): &mut (World, Vec<Entity>, Moving)| {
        advance_tables(moving, world);
    };
    steady((world, ids, moving), run, |(world, ids, _), steps| {
        check_movers(ids, steps, |id| mover(world, id));
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
    let mut query = world.query::<&mut Data>();
    let run = move |world: &mut World| {
        query.iter_mut(world).for_each(|mut data| data.0 *= 2.0);
    };
    steady(world, run, move |world, times| {
        let mut query = world.query::<&Data>();
        let values = query.iter(world).map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to all entities in one batch.
fn add_to_all<T: Component + Copy>(value: T) -> impl Fn(&mut (World, Vec<Entity>)) {
    move |(world, ids)| world.insert_batch(ids.iter().map(|&id| (id, value)))
}

/// Removes a component from each entity; there is no batch call for that.
fn remove_from_all<T: Component>((world, ids): &mut (World, Vec<Entity>)) {
    for &id in ids.iter() {
        world.entity_mut(id).remove::<T>();
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let values = (0..items).map(|index| A(index as f32));
    let ids: Vec<Entity> = world.spawn_batch(values).collect();
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        check_pairs(ids, added, |id| {
            let a = world.get::<A>(id).copied();
            (a, world.get::<B>(id).copied())
        });
    };
    pairs(
        (world, ids),
        add_to_all(B(1.0)),
        remove_from_all::<B>,
        check,
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        let is_flagged = |&id: &Entity| world.get::<Flag>(id).is_some();
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

type ReadPositions = QueryState<&'static Position>;

fn get_random(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    let mut positions: ReadPositions = world.query();
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = move |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = positions.query(world);
        tally.add_all(ids.iter().map(|&id| positions.get_inner(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

fn get_by_world(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        tally.add_all(ids.iter().map(|&id| world.get(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            assert!(world.despawn(ids[at]));
        }
        ids.clear();
        let bundles = (0..items).map(|index| (position(index), velocity()));
        ids.extend(world.spawn_batch(bundles));
    };
    steady(movers(items), run, move |(world, ids), _| {
        check_movers(ids, 0, |id| mover(world, id));
        let mut alive = world.query_filtered::<(), With<Position>>();
        assert_eq!((alive.iter(world).len(), ids.len()), (items, items));
    })
}

type Computed = QueryState<(&'static mut Transform, &'static mut Position)>;

/// Uses whole columns, spread over two threads as for the other systems; its own executor would do the
/// same work.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
    let both: Computed = world.query();
    let run = |(world, _, both): &mut (World, Vec<Entity>, Computed)| {
        let columns = both.contiguous_iter_mut(world).expect("they are tables");
        for (mut transforms, mut positions) in columns {
            on_columns(&mut transforms, &mut positions, compute);
        }
    };
    steady((world, ids, both), run, |(world, ids, _), runs| {
        check_computed(ids, runs, |id| {
            let transform = *world.get::<Transform>(id).unwrap();
            (transform, *world.get::<Position>(id).unwrap())
        });
    })
}
