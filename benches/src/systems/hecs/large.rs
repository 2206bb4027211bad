//! The rows with many entities, and the one on two threads.

use hecs::{Entity, World};
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::{Walk, check_advanced, mover, movers, step};
use crate::checks::{check_computed, check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::{compute, transform};
use crate::types::*;
use crate::workload::{Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize, walk: Walk) -> Box<dyn Workload> {
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world, walk);
    steady(movers(items), run, check_advanced)
}

/// The number of entities that a thread takes at once in W2p.
const LIGHT_BATCH: u32 = 1 << 14;

pub(super) fn iter_in_parallel(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| {
        on_two_threads(|| {
            let query = world.query_mut::<(&mut Position, &Velocity)>();
            let batches = query.into_iter_batched(LIGHT_BATCH).par_bridge();
            batches.for_each(|batch| {
                batch.for_each(|(position, velocity)| advance(position, velocity));
            });
        });
    };
    steady(movers(items), run, check_advanced)
}

pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            world.despawn(id).unwrap();
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, ids)| {
            assert!(world.is_empty() && !ids.iter().any(|&id| world.contains(id)));
            assert_eq!(world.query_mut::<&Position>().into_iter().count(), 0);
            assert_eq!(world.query_mut::<&Velocity>().into_iter().count(), 0);
        },
    )
}

pub(super) fn sparse_join(items: usize, walk: Walk) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::new();
    let bundles = (0..sparse.entities).map(|index| (position(index),));
    let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
    for &at in &sparse.picked {
        world.insert_one(ids[at], velocity()).unwrap();
    }
    let run = move |world: &mut World| step(world, walk);
    steady(world, run, move |world, steps| {
        sparse.check(|at| mover(world, ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize, walk: Walk) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = World::new();
    let kinds = churn.before.iter().enumerate();
    let mut ids: Vec<_> = kinds
        .map(|(at, &kind)| spawn(&mut world, at, kind))
        .collect();
    for &(at, kind) in &churn.steps {
        world.despawn(ids[at]).unwrap();
        ids[at] = spawn(&mut world, at, kind);
    }
    let run = move |world: &mut World| step(world, walk);
    steady(world, run, move |world, steps| {
        churn.check(|at| mover(world, ids[at]), steps);
    })
}

fn spawn(world: &mut World, at: usize, kind: Kind) -> Entity {
    match kind {
        Kind::Both => world.spawn((position(at), velocity())),
        Kind::Position => world.spawn((position(at),)),
        Kind::Velocity => world.spawn((velocity(),)),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        world.spawn_batch((0..items).map(|index| (position(index), velocity())));
    };
    fresh(World::new, run, move |world| {
        let all = world.query_mut::<(&Position, &Velocity)>().into_iter();
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
        let bundles = (0..items).map(|index| (position(index),));
        let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
        for &at in &picked {
            world.insert_one(ids[at], transform(at)).unwrap();
        }
    };
    fresh(World::new, run, move |world| {
        let mut positions = world.query::<&Position>();
        let mut matrices = world.query::<(&Position, &Transform)>();
        let matrices = matrices
            .iter()
            .map(|(&position, &matrix)| (position, matrix));
        check_memory_sparse((of.0, &of.1), positions.iter().copied(), matrices);
    })
}

/// The number of entities that a thread takes at once in W12.
const BATCH: u32 = 64;

pub(super) fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
    let run = |world: &mut World| {
        on_two_threads(|| {
            let query = world.query_mut::<(&mut Transform, &mut Position)>();
            let batches = query.into_iter_batched(BATCH).par_bridge();
            batches.for_each(|batch| {
                batch.for_each(|(transform, position)| compute(transform, position));
            });
        });
    };
    steady(world, run, move |world, runs| {
        check_computed(&ids, runs, |id| {
            let transform = *world.get::<&Transform>(id).unwrap();
            (transform, *world.get::<&Position>(id).unwrap())
        });
    })
}
