//! The rows of `flecs_ecs` that are about many entities: their creation, joins over
//! most and few of them, and their memory.

use flecs_ecs::prelude::*;

use super::stored::*;
use super::{Moving, Wide, advance_all, create_movers, empty, movers, moving, read, wide_columns};
use crate::types::{Columns, advanced, position, velocity, wide};
use crate::workload::{Churn, Kind, Sparse, Tally, Workload, fresh, one_of, steady};

pub(super) fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns: Wide = wide_columns(items);
    let run = move |world: &mut World| {
        let (transforms, positions, rotations, velocities) = &columns;
        world
            .entity_bulk(items as u32)
            .set(transforms)
            .set(positions)
            .set(rotations)
            .set(velocities)
            .build();
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

/// A batch of one, which comes to the table of its components at once.
pub(super) fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        for (transform, position, rotation, velocity) in columns.rows() {
            world
                .entity_bulk(1)
                .set(&[Transform(transform)])
                .set(&[Position(position)])
                .set(&[Rotation(rotation)])
                .set(&[Velocity(velocity)])
                .build();
        }
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 are there.
fn check_wide(world: &mut World, items: usize) {
    let mut tally = Tally::default();
    let all = world.new_query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.each(|(_, position, ..)| tally.add(&position.0));
    assert_eq!(tally, Tally::of_all(items, 1));
}

pub(super) fn iter_many(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (moving(&world), world, ids);
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_all(moving);
    steady(state, run, |(_, world, ids), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(read(world, id).0, advanced(index, steps));
        }
    })
}

/// Who gets a velocity moves to the table of those that have both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let world = empty();
    let positions: Vec<_> = (0..sparse.entities)
        .map(|at| Position(position(at)))
        .collect();
    let ids = world
        .entity_bulk(positions.len() as u32)
        .set(&positions)
        .build();
    for &at in &sparse.picked {
        ids[at].entity_view(&world).set(Velocity(velocity()));
    }
    let state = (moving(&world), world, ids);
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_all(moving);
    steady(state, run, move |(_, world, ids), steps| {
        sparse.check(|at| read(world, ids[at]).0, steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let world = empty();
    let mut ids: Vec<Entity> = Vec::new();
    for (at, &kind) in churn.before.iter().enumerate() {
        ids.push(create(&world, at, kind));
    }
    for &(at, kind) in &churn.steps {
        ids[at].entity_view(&world).destruct();
        ids[at] = create(&world, at, kind);
    }
    let state = (moving(&world), world, ids);
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_all(moving);
    steady(state, run, move |(_, world, ids), steps| {
        let position = |at: usize| {
            let entity = ids[at].entity_view(&*world);
            entity.try_cloned::<&Position>().map(|position| position.0)
        };
        churn.check(position, steps);
    })
}

/// Creates an entity of W7c.
fn create(world: &World, at: usize, kind: Kind) -> Entity {
    let entity = world.entity();
    match kind {
        Kind::Both => entity.set(Position(position(at))).set(Velocity(velocity())),
        Kind::Position => entity.set(Position(position(at))),
        Kind::Velocity => entity.set(Velocity(velocity())),
    };
    entity.id()
}

/// The columns that are copied in are freed again.
pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        create_movers(world, items);
    };
    fresh(empty, run, move |world| {
        let counts = (world.count(Position::id()), world.count(Velocity::id()));
        assert_eq!(counts, (items as i32, items as i32));
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let some = one_of(100, items);
    let count = some.len();
    let run = move |world: &mut World| {
        let positions: Vec<_> = (0..items).map(|at| Position(position(at))).collect();
        let ids = world.entity_bulk(items as u32).set(&positions).build();
        for &at in &some {
            ids[at].entity_view(&*world).set(Transform(wide(0).0));
        }
    };
    fresh(empty, run, move |world| {
        let counts = (world.count(Position::id()), world.count(Transform::id()));
        assert_eq!(counts, (items as i32, count as i32));
    })
}
