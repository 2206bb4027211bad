//! The rows of `flecs_ecs` on many entities: their creation, joins over
//! most and few of them, and their memory.

use flecs_ecs::prelude::*;

use super::stored::*;
use super::{
    Moving, Wide, advance_tables, check_wide, create_movers, empty, mover, movers, moving,
    wide_columns,
};
use crate::checks::{check_memory, check_memory_sparse, check_movers};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::transform;
use crate::types::{self, Columns, advance_all, position, velocity};
use crate::workload::{Workload, fresh, one_of, steady};

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

/// Creates a batch of one, which goes directly to the table of its components.
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

pub(super) fn iter_many(
    items: usize,
    by: impl Fn(&mut [types::Position], &[types::Velocity]) + 'static,
) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (moving(&world), world, ids);
    let run = move |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_tables(moving, &by);
    steady(state, run, |(_, world, ids), steps| {
        check_movers(ids, steps, |id| mover(world, id));
    })
}

pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for id in ids.iter() {
            id.entity_view(&*world).destruct();
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, ids)| {
            assert!(!ids.iter().any(|&id| world.is_alive(id)));
            let counts = (world.count(Position::id()), world.count(Velocity::id()));
            assert_eq!(counts, (0, 0));
        },
    )
}

/// An entity that gets a velocity moves to the table of entities with both.
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
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_tables(moving, advance_all);
    steady(state, run, move |(_, world, ids), steps| {
        sparse.check(|at| mover(world, ids[at]), steps);
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
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| advance_tables(moving, advance_all);
    steady(state, run, move |(_, world, ids), steps| {
        churn.check(|at| mover(world, ids[at]), steps);
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

/// The source columns are freed.
pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        create_movers(world, items);
    };
    fresh(empty, run, move |world| {
        let mut all = Vec::new();
        let query = world.new_query::<(&Position, &Velocity)>();
        query.each(|(position, velocity)| all.push((position.0, velocity.0)));
        check_memory(items, all.into_iter());
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
    let run = move |world: &mut World| {
        let positions: Vec<_> = (0..items).map(|at| Position(position(at))).collect();
        let ids = world.entity_bulk(items as u32).set(&positions).build();
        for &at in &picked {
            ids[at].entity_view(&*world).set(Transform(transform(at)));
        }
    };
    fresh(empty, run, move |world| {
        let (mut positions, mut both) = (Vec::new(), Vec::new());
        let all = world.new_query::<&Position>();
        all.each(|position| positions.push(position.0));
        let query = world.new_query::<(&Position, &Transform)>();
        query.each(|(position, matrix)| both.push((position.0, matrix.0)));
        check_memory_sparse((of.0, &of.1), positions.into_iter(), both.into_iter());
    })
}
