//! `sparsey`: views borrowed once for access by id; a group, iterated by slices, where two components
//! are joined and not added meanwhile; methods of the world for adding and removing, since there are no
//! others.
//!
//! It has no events. As with `hecs`, the code that writes also records the entity.

mod around;
mod large;
mod reactive;

use sparsey::{Entity, World};

use super::columns::{advance_in_parallel, on_columns};
use crate::checks::{Mover, check_computed, check_movers, check_pairs};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m | Id::W2x => large::iter_many(items, advance_all),
        Id::W2p => large::iter_many(items, advance_in_parallel),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
        Id::W6d => large::destroy(items),
        Id::W7 | Id::W7d => large::sparse_join(items),
        Id::W7c | Id::W7cd => large::churned_join(items),
        Id::W8 => reactive::reactive_replace(items),
        Id::W8e => reactive::event_callback(items),
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

/// Creates a world with the components of W1i and Flag registered.
fn empty() -> World {
    World::builder()
        .register::<Transform>()
        .register::<Position>()
        .register::<Rotation>()
        .register::<Velocity>()
        .register::<Flag>()
        .build()
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            let id = world.create(());
            world.insert(id, (transform,));
            world.insert(id, (position,));
            world.insert(id, (rotation,));
            world.insert(id, (velocity,));
        }
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let mut tally = Tally::default();
    world.for_each::<(&Transform, &Position, &Rotation, &Velocity)>(|row| {
        tally.add_wide(row);
    });
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Adds the entities of W1i.
fn with_wide(mut world: World, entities: usize) -> (World, Vec<Entity>) {
    let ids = world.extend((0..entities).map(wide)).to_vec();
    (world, ids)
}

/// Creates a world in which Position and Velocity are a group.
fn grouped() -> World {
    World::builder()
        .add_group::<(Position, Velocity)>()
        .register::<Transform>()
        .register::<Rotation>()
        .build()
}

/// Iterates the slices of the group.
fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_group(world, advance_all);
    steady(with_wide(grouped(), items), run, check_advanced)
}

/// Returns a function from an entity to its position and velocity.
fn movers_in(world: &World) -> impl Fn(Entity) -> Mover {
    let positions = world.borrow::<Position>();
    let velocities = world.borrow::<Velocity>();
    move |id| (positions.get(id).copied(), velocities.get(id).copied())
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((world, ids): &mut (World, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, movers_in(world));
}

/// Adds velocity to position over the group, as flat floats, on one or two threads.
fn advance_group(world: &World, by: impl Fn(&mut [Position], &[Velocity])) {
    let mut movers = world.query_all::<(&mut Position, &Velocity)>();
    let (positions, velocities) = movers.slice().expect("they are a group");
    by(positions, velocities);
}

/// Uses whole columns of a group, spread over two threads as for the other systems.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::builder()
        .add_group::<(Transform, Position)>()
        .build();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids = world.extend(bundles).to_vec();
    let run = |(world, _): &mut (World, Vec<Entity>)| {
        let mut both = world.query_all::<(&mut Transform, &mut Position)>();
        let (transforms, positions) = both.slice().expect("they are a group");
        on_columns(transforms, positions, compute);
    };
    steady((world, ids), run, |(world, ids), runs| {
        let transforms = world.borrow::<Transform>();
        let positions = world.borrow::<Position>();
        check_computed(ids, runs, |id| (transforms[id], positions[id]));
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    world.register::<Data>();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.register::<$kind>();
            world.extend((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let run = |world: &mut World| {
        for data in world.borrow_mut::<Data>().as_mut_slice() {
            data.0 *= 2.0;
        }
    };
    steady(world, run, move |world, times| {
        let data = world.borrow::<Data>();
        let values = data.as_slice().iter().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity.
fn add_to_all<T>(value: T) -> impl Fn(&mut (World, Vec<Entity>))
where
    T: Copy + Send + Sync + 'static,
{
    move |(world, ids)| {
        for &id in ids.iter() {
            assert!(world.insert(id, (value,)));
        }
    }
}

/// Deletes a component from each entity, which is a remove that does not return the value.
fn remove_from_all<T: Send + Sync + 'static>((world, ids): &mut (World, Vec<Entity>)) {
    for &id in ids.iter() {
        world.delete::<(T,)>(id);
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::builder().register::<A>().register::<B>().build();
    let bundles = (0..items).map(|index| (A(index as f32),));
    let ids = world.extend(bundles).to_vec();
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        let (with_a, with_b) = (world.borrow::<A>(), world.borrow::<B>());
        check_pairs(ids, added, |id| {
            (with_a.get(id).copied(), with_b.get(id).copied())
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
        let flags = world.borrow::<Flag>();
        assert!(ids.iter().all(|&id| flags.contains(id) == added));
        drop(flags);
        check_wide(world, ids.len());
    };
    let state = with_wide(empty(), items);
    pairs(state, add_to_all(Flag), remove_from_all::<Flag>, check)
}

/// Creates a world with moving entities. It has only two storages, since a destroy checks all of them.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::builder()
        .register::<Position>()
        .register::<Velocity>()
        .build();
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    let ids = world.extend(bundles).to_vec();
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = world.borrow::<Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, movers_in(world));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            assert!(world.destroy(ids[at]));
        }
        ids.clear();
        let bundles = (0..items).map(|index| (position(index), velocity()));
        ids.extend_from_slice(world.extend(bundles));
    };
    steady(movers(items), run, move |state, _| {
        check_advanced(state, 0);
        assert_eq!((state.0.entities().len(), state.1.len()), (items, items));
    })
}
