//! The rows with many entities, and the one on two threads.

use rayon::iter::ParallelIterator;
use shipyard::{EntityId, Get, IntoIter, View, ViewMut, World};

use super::{check_advanced, movers, step};
use crate::matrix::{compute, computed, transform};
use crate::types::*;
use crate::workload::{Churn, Kind, Sparse, Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<EntityId>)| step(world);
    steady(movers(items), run, check_advanced)
}

pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::new();
    let positions = (0..sparse.entities).map(position);
    let ids: Vec<EntityId> = world.bulk_add_entity(positions).collect();
    for &at in &sparse.picked {
        world.add_component(ids[at], velocity());
    }
    let run = |world: &mut World| step(world);
    steady(world, run, move |world, steps| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        sparse.check(|at| positions[ids[at]], steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = World::new();
    let kinds = churn.before.iter().enumerate();
    let mut ids: Vec<_> = kinds.map(|(at, &kind)| add(&mut world, at, kind)).collect();
    for &(at, kind) in &churn.steps {
        assert!(world.delete_entity(ids[at]));
        ids[at] = add(&mut world, at, kind);
    }
    let run = |world: &mut World| step(world);
    steady(world, run, move |world, steps| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        churn.check(|at| (&positions).get(ids[at]).ok().copied(), steps);
    })
}

fn add(world: &mut World, at: usize, kind: Kind) -> EntityId {
    match kind {
        Kind::Both => world.add_entity((position(at), velocity())),
        Kind::Position => world.add_entity(position(at)),
        Kind::Velocity => world.add_entity(velocity()),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        world.bulk_add_entity((0..items).map(|index| (position(index), velocity())));
    };
    fresh(World::new, run, move |world| {
        world.run(
            |positions: View<'_, Position>, velocities: View<'_, Velocity>| {
                let entities = (&positions, &velocities).iter();
                assert!(entities.map(|(&it, _)| it).eq((0..items).map(position)));
            },
        );
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let transforms = picked.len();
    let run = move |world: &mut World| {
        let positions = (0..items).map(position);
        let ids: Vec<EntityId> = world.bulk_add_entity(positions).collect();
        for &at in &picked {
            world.add_component(ids[at], transform(at));
        }
    };
    fresh(World::new, run, move |world| {
        world.run(
            |positions: View<'_, Position>, matrices: View<'_, Transform>| {
                assert_eq!((positions.len(), matrices.len()), (items, transforms));
            },
        );
    })
}

pub(super) fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids: Vec<EntityId> = world.bulk_add_entity(bundles).collect();
    type Both<'a> = (ViewMut<'a, Transform>, ViewMut<'a, Position>);
    let run = |world: &mut World| {
        on_two_threads(|| {
            let (mut transforms, mut positions) = world.borrow::<Both<'_>>().unwrap();
            (&mut transforms, &mut positions)
                .par_iter()
                .for_each(|(transform, position)| compute(transform, position));
        });
    };
    steady(world, run, move |world, runs| {
        let (transforms, positions) = world.borrow::<Both<'_>>().unwrap();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(transforms[id], transform(index));
            assert_eq!(positions[id], computed(index, runs));
        }
    })
}
