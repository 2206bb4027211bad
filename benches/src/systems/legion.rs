//! `legion`: `extend` for many entities (with vectors of components where they exist), chunks of slices
//! for iteration, entries for adding and removing, and the storage of a component, looked up once, for
//! reading many entities by id.
//!
//! It has events for entities that enter or leave a layout, which W9 and W10 subscribe to. Changes
//! of values are detected only per chunk, so in W8 and W8e the code that writes also records the
//! entity.

mod around;
mod large;
mod reactive;

use legion::storage::{ComponentStorage, IntoSoa, PackOptions, PackedStorage};
use legion::{Entity, EntityStore, IntoQuery, World};

use super::columns::{advance_in_parallel, on_columns};
use crate::checks::{Mover, check_computed, check_movers, check_pairs};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m | Id::W2x => large::iter_many(items, advance_all),
        Id::W2p => large::iter_many(items, advance_in_parallel),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
        Id::W6d => large::destroy(items),
        Id::W7 | Id::W7d => large::sparse_join(items),
        Id::W7c | Id::W7cd => large::churned_join(items),
        Id::W8 => reactive::reactive_replace(items),
        Id::W8e => reactive::event_callback(items),
        Id::W9 => reactive::group_events(items),
        Id::W10 | Id::W10d => reactive::many_groups(items),
        Id::W11 => large::memory(items),
        Id::W11s | Id::W11sd => large::memory_sparse(items),
        Id::W12 => heavy_compute(items),
        Id::W13 => reactive::move_system(items),
        Id::W13a => reactive::move_by_id(items),
        other => return around::workload(other, items),
    })
}

/// Creates the empty entities at once, because each single creation takes a block of 16 ids.
fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        let ids = world.extend((0..items).map(|_| ()));
        let ids = ids.to_vec();
        for (index, id) in ids.into_iter().enumerate() {
            let (transform, position, rotation, velocity) = wide(index);
            let mut entry = world.entry(id).unwrap();
            entry.add_component(transform);
            entry.add_component(position);
            entry.add_component(rotation);
            entry.add_component(velocity);
        }
    };
    fresh(World::default, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let mut tally = Tally::default();
    let mut all = <(&Transform, &Position, &Rotation, &Velocity)>::query();
    all.iter(world).for_each(|row| tally.add_wide(row));
    assert_eq!(tally, Tally::of_wide(entities));
}

/// The entities of W1i as one vector per component.
type Wide = (Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

fn wide_columns(entities: usize) -> Wide {
    let mut columns = Wide::default();
    for (transform, position, rotation, velocity) in (0..entities).map(wide) {
        columns.0.push(transform);
        columns.1.push(position);
        columns.2.push(rotation);
        columns.3.push(velocity);
    }
    columns
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::default();
    let ids = world.extend(wide_columns(entities).into_soa()).to_vec();
    (world, ids)
}

/// Returns a component of an entity, if it has one.
fn read<T: Copy + Send + Sync + 'static>(world: &World, id: Entity) -> Option<T> {
    let entry = world.entry_ref(id).unwrap();
    entry.get_component().copied().ok()
}

/// Returns the position and velocity of an entity.
fn mover(world: &World, id: Entity) -> Mover {
    (read(world, id), read(world, id))
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((world, ids): &mut (World, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, |id| mover(world, id));
}

/// Adds velocity to position, one chunk at a time, as flat floats, on one or two threads.
fn advance_chunks(by: impl Fn(&mut [Position], &[Velocity])) -> impl FnMut(&mut World) {
    let mut moving = <(&mut Position, &Velocity)>::query();
    move |world| {
        for chunk in moving.iter_chunks_mut(world) {
            let (positions, velocities) = chunk.into_components();
            by(positions, velocities);
        }
    }
}

fn iter(items: usize) -> Box<dyn Workload> {
    let mut step = advance_chunks(advance_all);
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(wide_world(items), run, check_advanced)
}

/// `pack` moves the slices of all kinds into one piece of memory.
fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.extend((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    world.pack(PackOptions::force());
    let mut query = <&mut Data>::query();
    let run = move |world: &mut World| {
        for chunk in query.iter_chunks_mut(world) {
            for data in chunk.into_components() {
                data.0 *= 2.0;
            }
        }
    };
    steady(world, run, move |world, times| {
        let mut query = <&Data>::query();
        let values = query.iter(world).map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity.
fn add_to_all<T>(value: T) -> impl Fn(&mut (World, Vec<Entity>))
where
    T: Copy + Send + Sync + 'static,
{
    move |(world, ids)| {
        for &id in ids.iter() {
            world.entry(id).unwrap().add_component(value);
        }
    }
}

/// Removes a component from each entity.
fn remove_from_all<T: Send + Sync + 'static>((world, ids): &mut (World, Vec<Entity>)) {
    for &id in ids.iter() {
        world.entry(id).unwrap().remove_component::<T>();
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items).map(|index| (A(index as f32),));
    let ids = world.extend(bundles).to_vec();
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        check_pairs(ids, added, |id| (read(world, id), read(world, id)));
    };
    pairs(
        (world, ids),
        add_to_all(B(1.0)),
        remove_from_all::<B>,
        check,
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        let is_flagged = |&id| read::<Flag>(world, id).is_some();
        assert!(ids.iter().all(|id| is_flagged(id) == added));
        check_wide(world, ids.len());
    };
    let state = wide_world(items);
    pairs(state, add_to_all(Flag), remove_from_all::<Flag>, check)
}

/// Creates moving entities.
fn extend_movers(world: &mut World, entities: usize, ids: &mut Vec<Entity>) {
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    ids.clear();
    ids.extend(world.extend(bundles).iter().copied());
}

/// Creates a world with moving entities.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let (mut world, mut ids) = (World::default(), Vec::new());
    extend_movers(&mut world, entities, &mut ids);
    (world, ids)
}

/// Handles the positions of these entities, from a storage that is looked up once.
#[inline]
fn tally_all(world: &World, ids: impl Iterator<Item = Entity>, tally: &mut Tally) {
    let positions: &PackedStorage<Position> =
        world.components().get_downcast::<Position>().unwrap();
    let mut sum = *tally;
    for id in ids {
        let location = world.entry_ref(id).unwrap().location();
        let chunk = positions.get(location.archetype()).unwrap();
        sum.add(&chunk[location.component()]);
    }
    *tally = sum;
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        tally_all(world, ids.iter().copied(), tally);
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

/// Its ids are never reused, nor is the memory of their locations.
fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            assert!(world.remove(ids[at]));
        }
        extend_movers(world, items, ids);
    };
    steady(movers(items), run, move |state, _| {
        check_advanced(state, 0);
        assert_eq!((state.0.len(), state.1.len()), (items, items));
    })
}

/// Uses whole chunks, spread over two threads as for the other systems.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids = world.extend(bundles).to_vec();
    let mut both = <(&mut Transform, &mut Position)>::query();
    let run = move |(world, _): &mut (World, Vec<Entity>)| {
        for chunk in both.iter_chunks_mut(world) {
            let (transforms, positions) = chunk.into_components();
            on_columns(transforms, positions, compute);
        }
    };
    steady((world, ids), run, |(world, ids), runs| {
        check_computed(ids, runs, |id| {
            (read(world, id).unwrap(), read(world, id).unwrap())
        });
    })
}
