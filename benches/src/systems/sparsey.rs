//! `sparsey`: views borrowed once for access by id; a group, whose slices are walked,
//! where two components are joined and not added on the way; the world's own calls for
//! what adds and removes, for there are no others.
//!
//! It has no events. As with `hecs`, whoever writes also notes what was written.

mod large;
mod reactive;

use sparsey::{Entity, World};

use super::columns::on_columns;
use crate::matrix::{compute, computed, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m => large::iter_many(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
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
    })
}

/// A world that knows the components of W1i and Flag.
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
    fresh(empty, run, move |world| {
        let mut tally = Tally::default();
        world.for_each::<(&Transform, &Position, &Rotation, &Velocity)>(|row| {
            tally.add_wide(row);
        });
        assert_eq!(tally, Tally::of_wide(items));
    })
}

/// Adds the entities of W1i.
fn with_wide(mut world: World, entities: usize) -> (World, Vec<Entity>) {
    let ids = world.extend((0..entities).map(wide)).to_vec();
    (world, ids)
}

/// A world in which Position and Velocity are a group.
fn grouped() -> World {
    World::builder()
        .add_group::<(Position, Velocity)>()
        .register::<Transform>()
        .register::<Rotation>()
        .build()
}

/// The slices of the group.
fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_all(world);
    steady(with_wide(grouped(), items), run, |(world, ids), steps| {
        let positions = world.borrow::<Position>();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(positions[id], advanced(index, steps));
        }
    })
}

/// position += velocity over the group.
fn advance_all(world: &World) {
    let mut movers = world.query_all::<(&mut Position, &Velocity)>();
    let (positions, velocities) = movers.slice().expect("they are a group");
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        advance(position, velocity);
    }
}

/// Whole columns of a group, spread over two threads as in the rows of others.
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
        let positions = world.borrow::<Position>();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(positions[id], computed(index, runs));
        }
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

/// Adds a component to each entity, then deletes it from each, which is a remove that
/// does not hand the value out.
fn add_then_remove<T>(value: T) -> impl Fn(&mut (World, Vec<Entity>))
where
    T: Copy + Send + Sync + 'static,
{
    move |(world, ids)| {
        for &id in ids.iter() {
            assert!(world.insert(id, (value,)));
        }
        for &id in ids.iter() {
            world.delete::<(T,)>(id);
        }
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::builder().register::<A>().register::<B>().build();
    let ids = world.extend((0..items).map(|_| (A(0.0),))).to_vec();
    steady(
        (world, ids),
        add_then_remove(B(1.0)),
        move |(world, _), _| {
            assert_eq!(world.borrow::<A>().len(), items);
            assert!(world.borrow::<B>().is_empty());
        },
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let state = with_wide(empty(), items);
    steady(state, add_then_remove(Flag), |(world, _), _| {
        assert!(world.borrow::<Flag>().is_empty());
    })
}

/// A world with entities that move; a destroy asks every storage there is, so there
/// are but two.
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
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
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
    steady(movers(items), run, move |(world, ids), _| {
        let positions = world.borrow::<Position>();
        let mut tally = Tally::default();
        tally.add_all(ids.iter().map(|&id| &positions[id]));
        assert_eq!(tally, Tally::of_all(items, 1));
        assert_eq!((world.entities().len(), positions.len()), (items, items));
    })
}
