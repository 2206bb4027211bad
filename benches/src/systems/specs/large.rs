//! The rows with many entities, and the one on two threads.

use rayon::iter::ParallelIterator;
use specs::prelude::*;

use super::{Rare, check_advanced, create_movers, movers, movers_alone, movers_in, step, world};
use crate::checks::{check_computed, check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::{compute, transform};
use crate::types::*;
use crate::workload::{Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(movers(items), run, check_advanced)
}

pub(super) fn iter_in_parallel(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| {
        on_two_threads(|| {
            let mut positions = world.write_storage::<Position>();
            let velocities = world.read_storage::<Velocity>();
            (&mut positions, &velocities)
                .par_join()
                .for_each(|(position, velocity)| advance(position, velocity));
        });
    };
    steady(movers(items), run, check_advanced)
}

/// Creates entities that have only a position.
fn create_positioned(world: &mut World, entities: usize) -> Vec<Entity> {
    let ids: Vec<Entity> = world.create_iter().take(entities).collect();
    let mut positions = world.write_storage();
    for (index, &id) in ids.iter().enumerate() {
        positions.insert(id, position(index)).unwrap();
    }
    ids
}

pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        world.delete_entities(ids).unwrap();
    };
    fresh(
        move || movers_alone(items),
        run,
        |(world, _)| {
            assert_eq!(world.entities().join().count(), 0);
            assert!(world.read_storage::<Position>().is_empty());
            assert!(world.read_storage::<Velocity>().is_empty());
        },
    )
}

pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = world();
    let ids = create_positioned(&mut world, sparse.entities);
    for &at in &sparse.picked {
        world.write_storage().insert(ids[at], velocity()).unwrap();
    }
    let run = |world: &mut World| step(world);
    steady(world, run, move |world, steps| {
        let mover = movers_in(world);
        sparse.check(|at| mover(ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = world();
    let kinds = churn.before.iter().enumerate();
    let mut ids: Vec<_> = kinds
        .map(|(at, &kind)| create(&mut world, at, kind))
        .collect();
    for &(at, kind) in &churn.steps {
        world.delete_entity(ids[at]).unwrap();
        ids[at] = create(&mut world, at, kind);
    }
    let run = |world: &mut World| step(world);
    steady(world, run, move |world, steps| {
        let mover = movers_in(world);
        churn.check(|at| mover(ids[at]), steps);
    })
}

fn create(world: &mut World, at: usize, kind: Kind) -> Entity {
    let entity = world.create_entity();
    match kind {
        Kind::Both => entity.with(position(at)).with(velocity()).build(),
        Kind::Position => entity.with(position(at)).build(),
        Kind::Velocity => entity.with(velocity()).build(),
    }
}

/// Only the components of the entities are registered.
pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let make = || {
        let mut world = World::new();
        world.register::<Position>();
        world.register::<Velocity>();
        world
    };
    let run = move |world: &mut World| create_movers(world, items, &mut Vec::new());
    fresh(make, run, move |world| {
        let positions = world.read_storage::<Position>();
        let velocities = world.read_storage::<Velocity>();
        let all = (&positions, &velocities).join();
        check_memory(
            items,
            all.map(|(&position, &velocity)| (position, velocity)),
        );
    })
}

/// Only the components of the entities are registered.
pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
    let make = || {
        let mut world = World::new();
        world.register::<Position>();
        world.register::<Rare>();
        world
    };
    let run = move |world: &mut World| {
        let ids = create_positioned(world, items);
        let mut matrices = world.write_storage();
        for &at in &picked {
            matrices.insert(ids[at], Rare(transform(at))).unwrap();
        }
    };
    fresh(make, run, move |world| {
        let positions = world.read_storage::<Position>();
        let matrices = world.read_storage::<Rare>();
        let both = (&positions, &matrices).join();
        let both = both.map(|(&position, matrix)| (position, matrix.0));
        check_memory_sparse((of.0, &of.1), positions.join().copied(), both);
    })
}

pub(super) fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    let ids = create_positioned(&mut world, items);
    for (index, &id) in ids.iter().enumerate() {
        world.write_storage().insert(id, transform(index)).unwrap();
    }
    let run = |world: &mut World| {
        on_two_threads(|| {
            let mut transforms = world.write_storage::<Transform>();
            let mut positions = world.write_storage::<Position>();
            (&mut transforms, &mut positions)
                .par_join()
                .for_each(|(transform, position)| compute(transform, position));
        });
    };
    steady(world, run, move |world, runs| {
        let transforms = world.read_storage::<Transform>();
        let positions = world.read_storage::<Position>();
        check_computed(&ids, runs, |id| {
            (*transforms.get(id).unwrap(), *positions.get(id).unwrap())
        });
    })
}
