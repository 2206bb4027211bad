//! The rows of `sparsey` that are about many entities: their creation, joins over most
//! and few of them, and their memory.

use sparsey::{Entity, World};

use super::{advance_all, empty, grouped};
use crate::types::*;
use crate::workload::{Churn, Kind, Sparse, Tally, Workload, fresh, one_of, steady};

/// One call for all; nothing is grouped, which would cost more.
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

/// Panics unless the entities of W1 are there.
fn check_wide(world: &mut World, items: usize) {
    let mut tally = Tally::default();
    world.for_each::<(&Transform, &Position, &Rotation, &Velocity)>(|(_, position, ..)| {
        tally.add(position);
    });
    assert_eq!(tally, Tally::of_all(items, 1));
}

pub(super) fn iter_many(items: usize) -> Box<dyn Workload> {
    let mut world = grouped();
    let bundles = (0..items).map(|index| (position(index), velocity()));
    let ids = world.extend(bundles).to_vec();
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_all(world);
    steady((world, ids), run, |(world, ids), steps| {
        let positions = world.borrow::<Position>();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(positions[id], advanced(index, steps));
        }
    })
}

/// Who gets a velocity is swapped into the group, in the order in which that happens.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = grouped();
    let ids = world.extend((0..sparse.entities).map(|index| (position(index),)));
    let ids = ids.to_vec();
    for &at in &sparse.picked {
        assert!(world.insert(ids[at], (velocity(),)));
    }
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_all(world);
    steady((world, ids), run, move |(world, ids), steps| {
        let positions = world.borrow::<Position>();
        sparse.check(|at| positions[ids[at]], steps);
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
    let run = |(world, _): &mut (World, Vec<Entity>)| advance_all(world);
    steady((world, ids), run, move |(world, ids), steps| {
        let positions = world.borrow::<Position>();
        churn.check(|at| positions.get(ids[at]).copied(), steps);
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
        assert_eq!(world.borrow::<Velocity>().len(), items);
        assert_eq!(world.borrow::<Position>().len(), items);
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let some = one_of(100, items);
    let count = some.len();
    let run = move |world: &mut World| {
        let ids = world.extend((0..items).map(|index| (position(index),)));
        let some: Vec<Entity> = some.iter().map(|&at| ids[at]).collect();
        for id in some {
            assert!(world.insert(id, (wide(0).0,)));
        }
    };
    fresh(empty, run, move |world| {
        assert_eq!(world.borrow::<Transform>().len(), count);
        assert_eq!(world.borrow::<Position>().len(), items);
    })
}
