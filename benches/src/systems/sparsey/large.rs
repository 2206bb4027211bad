//! The rows of `sparsey` on many entities: their creation, joins over most
//! and few of them, and their memory.

use sparsey::{Entity, World};

use super::{advance_group, check_advanced, check_wide, empty, grouped, movers, movers_in};
use crate::checks::{check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::transform;
use crate::types::*;
use crate::workload::{Workload, fresh, one_of, steady};

/// Creates all with one call, without groups, which would cost more.
pub(super) fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        world.extend(columns.rows());
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

pub(super) fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        columns.rows().for_each(|row| _ = world.create(row));
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

pub(super) fn iter_many(
    items: usize,
    by: impl Fn(&mut [Position], &[Velocity]) + 'static,
) -> Box<dyn Workload> {
    let mut world = grouped();
    let bundles = (0..items).map(|index| (position(index), velocity()));
    let ids = world.extend(bundles).to_vec();
    let run = move |(world, _): &mut (World, Vec<Entity>)| advance_group(world, &by);
    steady((world, ids), run, check_advanced)
}

/// A destroy checks every storage, as in W6.
pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for &id in ids.iter() {
            assert!(world.destroy(id));
        }
    };
    fresh(
        move || movers(items),
        run,
        |(world, _)| {
            assert!(world.entities().is_empty());
            assert!(world.borrow::<Position>().is_empty());
            assert!(world.borrow::<Velocity>().is_empty());
        },
    )
}

/// An entity that gets a velocity is swapped into the group, in that order.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = grouped();
    let ids = world.extend((0..sparse.entities).map(|index| (position(index),)));
    let ids = ids.to_vec();
    for &at in &sparse.picked {
        assert!(world.insert(ids[at], (velocity(),)));
    }
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_group(world, advance_all);
    steady((world, ids), run, move |(world, ids), steps| {
        let mover = movers_in(world);
        sparse.check(|at| mover(ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = grouped();
    let mut ids: Vec<Entity> = Vec::new();
    for (at, &kind) in churn.before.iter().enumerate() {
        ids.push(create(&mut world, at, kind));
    }
    for &(at, kind) in &churn.steps {
        assert!(world.destroy(ids[at]));
        ids[at] = create(&mut world, at, kind);
    }
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_group(world, advance_all);
    steady((world, ids), run, move |(world, ids), steps| {
        let mover = movers_in(world);
        churn.check(|at| mover(ids[at]), steps);
    })
}

/// Creates an entity of W7c.
fn create(world: &mut World, at: usize, kind: Kind) -> Entity {
    match kind {
        Kind::Both => world.create((position(at), velocity())),
        Kind::Position => world.create((position(at),)),
        Kind::Velocity => world.create((velocity(),)),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        world.extend((0..items).map(|index| (position(index), velocity())));
    };
    fresh(empty, run, move |world| {
        let mut all = world.query_all::<(&Position, &Velocity)>();
        check_memory(
            items,
            all.iter()
                .map(|(&position, &velocity)| (position, velocity)),
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
            assert!(world.insert(id, (transform(at),)));
        }
    };
    fresh(empty, run, move |world| {
        let positions = world.borrow::<Position>();
        let mut both = world.query_all::<(&Position, &Transform)>();
        let both = both.iter().map(|(&position, &matrix)| (position, matrix));
        check_memory_sparse((of.0, &of.1), positions.as_slice().iter().copied(), both);
    })
}
