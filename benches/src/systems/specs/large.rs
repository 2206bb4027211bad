//! The rows with many entities, and the one on two threads.

use rayon::iter::ParallelIterator;
use specs::prelude::*;

use super::{Rare, check_advanced, create_movers, movers, step, world};
use crate::matrix::{compute, computed, transform};
use crate::types::*;
use crate::workload::{Churn, Kind, Sparse, Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(movers(items), run, check_advanced)
}

/// Creates entities that have a position and no more.
fn create_positioned(world: &mut World, entities: usize) -> Vec<Entity> {
    let ids: Vec<Entity> = world.create_iter().take(entities).collect();
    let mut positions = world.write_storage();
    for (index, &id) in ids.iter().enumerate() {
        positions.insert(id, position(index)).unwrap();
    }
    ids
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
        let positions = world.read_storage::<Position>();
        sparse.check(|at| *positions.get(ids[at]).unwrap(), steps);
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
        let positions = world.read_storage::<Position>();
        churn.check(|at| positions.get(ids[at]).copied(), steps);
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

/// Nothing is registered here but what the entities have.
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
        let entities = (&positions, &velocities).join();
        assert!(entities.map(|(&it, _)| it).eq((0..items).map(position)));
    })
}

/// Nothing is registered here but what the entities have.
pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let transforms = picked.len();
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
        assert_eq!(world.read_storage::<Position>().count(), items);
        let matrices = world.read_storage::<Rare>();
        let right = matrices.join().filter(|matrix| matrix.0.0[0] == 2.0);
        assert_eq!(right.count(), transforms);
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
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(transforms.get(id), Some(&transform(index)));
            assert_eq!(positions.get(id), Some(&computed(index, runs)));
        }
    })
}
