//! The rows of `legion` that are about many entities: their creation, joins over most
//! and few of them, and their memory.

use legion::storage::IntoSoa;
use legion::{Entity, EntityStore, IntoQuery, World, component};

use super::{advance_all, movers};
use crate::types::*;
use crate::workload::{Churn, Kind, Sparse, Tally, Workload, fresh, one_of, steady};

/// It takes whole columns, which it copies and frees.
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

/// Panics unless the entities of W1 are there.
fn check_wide(world: &mut World, items: usize) {
    let mut tally = Tally::default();
    let mut all = <(&Transform, &Position, &Rotation, &Velocity)>::query();
    tally.add_all(all.iter(world).map(|(_, position, ..)| position));
    assert_eq!(tally, Tally::of_all(items, 1));
}

/// The position of an entity, if it has one.
fn read(world: &World, id: Entity) -> Option<Position> {
    let entry = world.entry_ref(id).unwrap();
    entry.get_component().copied().ok()
}

pub(super) fn iter_many(items: usize) -> Box<dyn Workload> {
    let mut step = advance_all();
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(movers(items), run, |(world, ids), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(read(world, id), Some(advanced(index, steps)));
        }
    })
}

/// Who gets a velocity moves to the chunk of those that have both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = World::default();
    let ids = world.extend((0..sparse.entities).map(|index| (position(index),)));
    let ids = ids.to_vec();
    for &at in &sparse.picked {
        world.entry(ids[at]).unwrap().add_component(velocity());
    }
    let mut step = advance_all();
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady((world, ids), run, move |(world, ids), steps| {
        sparse.check(|at| read(world, ids[at]).unwrap(), steps);
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
    let mut step = advance_all();
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady((world, ids), run, move |(world, ids), steps| {
        churn.check(|at| read(world, ids[at]), steps);
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
        let mut both = <(&Position, &Velocity)>::query();
        assert_eq!(both.iter(world).count(), items);
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let some = one_of(100, items);
    let count = some.len();
    let run = move |world: &mut World| {
        let ids = world.extend((0..items).map(|index| (position(index),)));
        let some: Vec<Entity> = some.iter().map(|&at| ids[at]).collect();
        for id in some {
            world.entry(id).unwrap().add_component(wide(0).0);
        }
    };
    fresh(World::default, run, move |world| {
        let mut both = <&Position>::query().filter(component::<Transform>());
        assert_eq!((both.iter(world).count(), world.len()), (count, items));
    })
}
