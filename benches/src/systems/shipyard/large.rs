//! The rows with many entities, and the one on two threads.

use rayon::iter::ParallelIterator;
use shipyard::{Delete, EntitiesView, EntityId, IntoIter, View, ViewMut, World};

use super::{Movers, check_advanced, movers, movers_in, step};
use crate::checks::{check_computed, check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::{compute, transform};
use crate::types::*;
use crate::workload::{Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<EntityId>)| step(world);
    steady(movers(items), run, check_advanced)
}

pub(super) fn iter_in_parallel(items: usize) -> Box<dyn Workload> {
    type Both<'a> = (ViewMut<'a, Position>, View<'a, Velocity>);
    let run = |(world, _): &mut (World, Vec<EntityId>)| {
        on_two_threads(|| {
            let (mut positions, velocities) = world.borrow::<Both<'_>>().unwrap();
            (&mut positions, &velocities)
                .par_iter()
                .for_each(|(position, velocity)| advance(position, velocity));
        });
    };
    steady(movers(items), run, check_advanced)
}

/// Deletes from the two storages with values, as in W6.
pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<EntityId>)| {
        let (mut entities, mut positions, mut velocities) = world.borrow::<Movers<'_>>().unwrap();
        for &id in ids.iter() {
            (&mut positions, &mut velocities).delete(id);
            assert!(entities.delete_unchecked(id));
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, _)| {
            let (positions, velocities) = world
                .borrow::<(View<'_, Position>, View<'_, Velocity>)>()
                .unwrap();
            assert!(positions.is_empty() && velocities.is_empty());
            assert_eq!(
                world.borrow::<EntitiesView<'_>>().unwrap().iter().count(),
                0
            );
        },
    )
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
        let mover = movers_in(world);
        sparse.check(|at| mover(ids[at]), steps);
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
        let mover = movers_in(world);
        churn.check(|at| mover(ids[at]), steps);
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
                let all = (&positions, &velocities).iter();
                check_memory(
                    items,
                    all.map(|(&position, &velocity)| (position, velocity)),
                );
            },
        );
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
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
                let both = (&positions, &matrices).iter();
                let both = both.map(|(&position, &matrix)| (position, matrix));
                check_memory_sparse((of.0, &of.1), positions.iter().copied(), both);
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
        check_computed(&ids, runs, |id| (transforms[id], positions[id]));
    })
}
