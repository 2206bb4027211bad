//! `specs`: storages fetched once; `VecStorage` for values, `NullStorage` for marks.
//!
//! The reactive rows use `FlaggedStorage`, whose channel gets an event for each change. Nothing is
//! called immediately, so in W8e the reader of the channel calls the observer after the replaces,
//! once for each update, in order.

mod around;
mod large;
mod reactive;

use specs::prelude::*;
use specs::storage::NullStorage;

use crate::checks::{Mover, check_movers, check_pairs};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

macro_rules! stored {
    ($($component:ident)*) => {$(
        impl Component for $component {
            type Storage = VecStorage<Self>;
        }
    )*};
}
stored!(Transform Position Rotation Velocity A B);
with_kinds!(stored);

impl Component for Flag {
    type Storage = NullStorage<Self>;
}

/// Uses a storage without gaps, so that W3 can iterate a slice.
impl Component for Data {
    type Storage = DenseVecStorage<Self>;
}

/// A matrix of few entities, in a storage without gaps.
struct Rare(Transform);

impl Component for Rare {
    type Storage = DenseVecStorage<Self>;
}

/// A position with change events.
struct Watched(Position);

impl Component for Watched {
    type Storage = FlaggedStorage<Self, VecStorage<Self>>;
}

/// A mark with change events.
#[derive(Default)]
struct WatchedFlag;

impl Component for WatchedFlag {
    type Storage = FlaggedStorage<Self, NullStorage<Self>>;
}

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => bulk_create(items),
        Id::W1s => single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m | Id::W2x => large::iter(items),
        Id::W2p => large::iter_in_parallel(items),
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
        Id::W12 => large::heavy_compute(items),
        Id::W13 => reactive::move_system(items),
        Id::W13a => reactive::move_by_id(items),
        other => return around::workload(other, items),
    })
}

fn world() -> World {
    let mut world = World::new();
    macro_rules! register {
        ($($component:ident)*) => {$(world.register::<$component>();)*};
    }
    register!(Transform Position Rotation Velocity Data A B Flag Watched WatchedFlag Rare);
    with_kinds!(register);
    world
}

type Wide<'a> = (
    WriteStorage<'a, Transform>,
    WriteStorage<'a, Position>,
    WriteStorage<'a, Rotation>,
    WriteStorage<'a, Velocity>,
);

/// Creates an entity with the four components of W1 for each row.
fn create_wide(
    world: &mut World,
    rows: impl ExactSizeIterator<Item = (Transform, Position, Rotation, Velocity)>,
) -> Vec<Entity> {
    let ids: Vec<Entity> = world.create_iter().take(rows.len()).collect();
    let (mut transforms, mut positions, mut rotations, mut velocities): Wide<'_> =
        world.system_data();
    for (&id, (transform, position, rotation, velocity)) in ids.iter().zip(rows) {
        transforms.insert(id, transform).unwrap();
        positions.insert(id, position).unwrap();
        rotations.insert(id, rotation).unwrap();
        velocities.insert(id, velocity).unwrap();
    }
    ids
}

fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        std::hint::black_box(create_wide(world, columns.rows()));
    };
    fresh(world, run, move |world| check_wide(world, items))
}

/// Uses borrowed storages: a builder of the world borrows each of them every time.
fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        let (mut transforms, mut positions, mut rotations, mut velocities): Wide<'_> =
            world.system_data();
        let entities = world.entities();
        for (transform, position, rotation, velocity) in columns.rows() {
            let entity = entities.build_entity().with(transform, &mut transforms);
            let entity = entity.with(position, &mut positions);
            let entity = entity.with(rotation, &mut rotations);
            entity.with(velocity, &mut velocities).build();
        }
    };
    fresh(world, run, move |world| check_wide(world, items))
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        std::hint::black_box(create_wide(world, (0..items).map(wide)));
    };
    fresh(world, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let (transforms, positions, rotations, velocities): Wide<'_> = world.system_data();
    let mut tally = Tally::default();
    let all = (&transforms, &positions, &rotations, &velocities).join();
    all.for_each(|row| tally.add_wide(row));
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = world();
    let ids = create_wide(&mut world, (0..entities).map(wide));
    (world, ids)
}

/// Adds velocity to position for all that have both.
#[inline]
fn step(world: &World) {
    let mut positions = world.write_storage::<Position>();
    let velocities = world.read_storage::<Velocity>();
    for (position, velocity) in (&mut positions, &velocities).join() {
        advance(position, velocity);
    }
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(wide_world(items), run, check_advanced)
}

/// Returns a function from an entity to its position and velocity.
fn movers_in(world: &World) -> impl Fn(Entity) -> Mover {
    let positions = world.read_storage::<Position>();
    let velocities = world.read_storage::<Velocity>();
    move |id| (positions.get(id).copied(), velocities.get(id).copied())
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((world, ids): &mut (World, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, movers_in(world));
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            for _ in 0..items / KINDS {
                world.create_entity().with($kind(0.0)).with(Data(1.0)).build();
            }
        )*};
    }
    with_kinds!(populate);
    let run = |world: &mut World| {
        let mut data = world.write_storage::<Data>();
        for data in data.as_mut_slice() {
            data.0 *= 2.0;
        }
    };
    steady(world, run, move |world, times| {
        let data = world.read_storage::<Data>();
        let values = data.join().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity.
fn add_to_all<T: Component + Copy>(value: T) -> impl Fn(&mut (World, Vec<Entity>)) {
    move |(world, ids)| {
        let mut storage = world.write_storage::<T>();
        for &id in ids.iter() {
            storage.insert(id, value).unwrap();
        }
    }
}

/// Removes a component from each entity.
fn remove_from_all<T: Component>((world, ids): &mut (World, Vec<Entity>)) {
    let mut storage = world.write_storage::<T>();
    for &id in ids.iter() {
        assert!(storage.remove(id).is_some());
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    let ids: Vec<Entity> = world.create_iter().take(items).collect();
    for (index, &id) in ids.iter().enumerate() {
        world.write_storage().insert(id, A(index as f32)).unwrap();
    }
    let check = |(world, ids): &mut (World, Vec<Entity>), added: bool| {
        let with_a = world.read_storage::<A>();
        let with_b = world.read_storage::<B>();
        check_pairs(ids, added, |id| {
            (with_a.get(id).copied(), with_b.get(id).copied())
        });
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
        let flags = world.read_storage::<Flag>();
        assert!(ids.iter().all(|&id| flags.contains(id) == added));
        drop(flags);
        check_wide(world, ids.len());
    };
    let state = wide_world(items);
    pairs(state, add_to_all(Flag), remove_from_all::<Flag>, check)
}

/// Creates moving entities.
fn create_movers(world: &mut World, entities: usize, ids: &mut Vec<Entity>) {
    ids.clear();
    ids.extend(world.create_iter().take(entities));
    let mut positions = world.write_storage();
    let mut velocities = world.write_storage();
    for (index, &id) in ids.iter().enumerate() {
        positions.insert(id, position(index)).unwrap();
        velocities.insert(id, velocity()).unwrap();
    }
}

/// Creates a world with moving entities.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let (mut world, mut ids) = (world(), Vec::new());
    create_movers(&mut world, entities, &mut ids);
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = world.read_storage::<Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, movers_in(world));
    })
}

/// Creates a world with moving entities and only their storages, since a delete checks all storages.
fn movers_alone(entities: usize) -> (World, Vec<Entity>) {
    let (mut world, mut ids) = (World::new(), Vec::new());
    world.register::<Position>();
    world.register::<Velocity>();
    create_movers(&mut world, entities, &mut ids);
    (world, ids)
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let mut doomed = Vec::new();
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        doomed.clear();
        doomed.extend(order.iter().map(|&at| ids[at]));
        world.delete_entities(&doomed).unwrap();
        create_movers(world, items, ids);
    };
    steady(movers_alone(items), run, move |state, _| {
        check_advanced(state, 0);
        let entities = state.0.entities();
        assert_eq!((entities.join().count(), state.1.len()), (items, items));
    })
}
