//! The rows of `legion` on many entities: their creation, joins over most
//! and few of them, and their memory.

use legion::storage::IntoSoa;
use legion::{Entity, IntoQuery, World};

use super::{advance_chunks, check_advanced, check_wide, mover, movers};
use crate::checks::{check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::transform;
use crate::types::*;
use crate::workload::{Workload, fresh, one_of, steady};

/// Takes whole columns, which it copies and frees.
pub(super) fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let make = move || (World::default(), Some(columns.clone()));
    let run = |(world, columns): &mut (World, Option<Columns>)| {
        let columns = columns.take().expect("each world is filled once");
        let columns = (
            columns.transforms,
            columns.positions,
            columns.rotations,
            columns.velocities,
        );
        world.extend(columns.into_soa());
    };
    fresh(make, run, move |(world, _)| check_wide(world, items))
}

pub(super) fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        columns.rows().for_each(|row| _ = world.push(row));
    };
    fresh(World::default, run, move |world| check_wide(world, items))
}

pub(super) fn iter_many(
    items: usize,
    by: impl Fn(&mut [Position], &[Velocity]) + 'static,
) -> Box<dyn Workload> {
    let mut step = advance_chunks(by);
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(movers(items), run, check_advanced)
}

pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            assert!(world.remove(id));
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, ids)| {
            assert!(world.is_empty() && !ids.iter().any(|&id| world.contains(id)));
            assert_eq!(<&Position>::query().iter(world).count(), 0);
            assert_eq!(<&Velocity>::query().iter(world).count(), 0);
        },
    )
}

/// An entity that gets a velocity moves to the chunk of entities with both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::default();
    let ids = world.extend((0..sparse.entities).map(|index| (position(index),)));
    let ids = ids.to_vec();
    for &at in &sparse.picked {
        world.entry(ids[at]).unwrap().add_component(velocity());
    }
    let mut step = advance_chunks(advance_all);
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady((world, ids), run, move |(world, ids), steps| {
        sparse.check(|at| mover(world, ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = World::default();
    let mut ids: Vec<Entity> = Vec::new();
    for (at, &kind) in churn.before.iter().enumerate() {
        ids.push(create(&mut world, at, kind));
    }
    for &(at, kind) in &churn.steps {
        assert!(world.remove(ids[at]));
        ids[at] = create(&mut world, at, kind);
    }
    let mut step = advance_chunks(advance_all);
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady((world, ids), run, move |(world, ids), steps| {
        churn.check(|at| mover(world, ids[at]), steps);
    })
}

/// Creates an entity of W7c.
fn create(world: &mut World, at: usize, kind: Kind) -> Entity {
    match kind {
        Kind::Both => world.push((position(at), velocity())),
        Kind::Position => world.push((position(at),)),
        Kind::Velocity => world.push((velocity(),)),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        world.extend((0..items).map(|index| (position(index), velocity())));
    };
    fresh(World::default, run, move |world| {
        let mut all = <(&Position, &Velocity)>::query();
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
        let ids = world.extend((0..items).map(|index| (position(index),)));
        let some: Vec<_> = picked.iter().map(|&at| (ids[at], at)).collect();
        for (id, at) in some {
            world.entry(id).unwrap().add_component(transform(at));
        }
    };
    fresh(World::default, run, move |world| {
        let mut all = <&Position>::query();
        let mut both = <(&Position, &Transform)>::query();
        let both = both.iter(world);
        let both = both.map(|(&position, &matrix)| (position, matrix));
        check_memory_sparse((of.0, &of.1), all.iter(world).copied(), both);
    })
}
