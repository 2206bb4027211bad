//! The rows of `bevy_ecs` on many entities: their creation, joins over most
//! and few of them, and their memory.

use bevy_ecs::prelude::*;

use super::{Moving, advance_tables, check_wide, mover, movers};
use crate::checks::{check_memory, check_memory_sparse, check_movers};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::transform;
use crate::types::*;
use crate::workload::{Workload, fresh, one_of, steady};

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

pub(super) fn iter_many(items: usize, advance: fn(&mut Moving, &mut World)) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    let moving: Moving = world.query();
    let run = move |(world, _, moving): &mut (World, Vec<Entity>, Moving)| {
        advance(moving, world);
    };
    steady((world, ids, moving), run, |(world, ids, _), steps| {
        check_movers(ids, steps, |id| mover(world, id));
    })
}

pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            assert!(world.despawn(id));
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, ids)| {
            assert!(!ids.iter().any(|&id| world.get_entity(id).is_ok()));
            let mut left = world.query_filtered::<(), Or<(With<Position>, With<Velocity>)>>();
            assert_eq!(left.iter(world).len(), 0);
        },
    )
}

/// An entity that gets a velocity moves to the table of entities with both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::new();
    let ids = world.spawn_batch((0..sparse.entities).map(position));
    let ids: Vec<Entity> = ids.collect();
    world.insert_batch(sparse.picked.iter().map(|&at| (ids[at], velocity())));
    let query: Moving = world.query();
    let run = |(world, _, query): &mut (World, Vec<Entity>, Moving)| {
        advance_tables(query, world);
    };
    steady((world, ids, query), run, move |(world, ids, _), steps| {
        sparse.check(|at| mover(world, ids[at]), steps);
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
    let run = |(world, _, moving): &mut (World, Vec<Entity>, Moving)| {
        advance_tables(moving, world);
    };
    steady((world, ids, moving), run, move |(world, ids, _), steps| {
        churn.check(|at| mover(world, ids[at]), steps);
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
        let mut all = world.query::<(&Position, &Velocity)>();
        let all = all.iter(world);
        check_memory(
            items,
            all.map(|(&position, &velocity)| (position, velocity)),
        );
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
    let run = move |world: &mut World| {
        let ids: Vec<Entity> = world.spawn_batch((0..items).map(position)).collect();
        world.insert_batch(picked.iter().map(|&at| (ids[at], transform(at))));
    };
    fresh(World::new, run, move |world| {
        let mut all = world.query::<&Position>();
        let mut both = world.query::<(&Position, &Transform)>();
        let both = both.iter(world);
        let both = both.map(|(&position, &matrix)| (position, matrix));
        check_memory_sparse((of.0, &of.1), all.iter(world).copied(), both);
    })
}
