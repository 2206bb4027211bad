//! `shipyard`: views are borrowed once and used for all work.
//!
//! The reactive rows use its tracking: a time stamp beside each value, which the consumer compares, and
//! a list of removed ids. W8e uses the function that a storage calls at each insertion, which includes
//! replacing.

mod around;
pub mod frames;
mod large;
mod reactive;

use shipyard::{
    AddComponent, Component, Delete, EntitiesView, EntitiesViewMut, EntityId, Get, IntoIter,
    Remove, View, ViewMut, World, track,
};

use crate::checks::{Mover, check_movers, check_pairs};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

macro_rules! untracked {
    ($($component:ident)*) => {$(
        impl Component for $component {
            type Tracking = track::Untracked;
        }
    )*};
}
untracked!(Transform Position Rotation Velocity Data A B Flag);
with_kinds!(untracked);

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

type Wide<'a> = (
    EntitiesViewMut<'a>,
    ViewMut<'a, Transform>,
    ViewMut<'a, Position>,
    ViewMut<'a, Rotation>,
    ViewMut<'a, Velocity>,
);

fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        let ids: Vec<EntityId> = world.bulk_add_entity(columns.rows()).collect();
        std::hint::black_box(ids);
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Uses borrowed views: each call on the world borrows all storages.
fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut World| {
        let (mut entities, mut transforms, mut positions, mut rotations, mut velocities) =
            world.borrow::<Wide<'_>>().unwrap();
        for row in columns.rows() {
            let storages = (
                &mut transforms,
                &mut positions,
                &mut rotations,
                &mut velocities,
            );
            entities.add_entity(storages, row);
        }
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Adds unchecked, which is a safe call: an entity that was just created is alive. In the other rows the
/// ids come from elsewhere and are checked.
fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        let (mut entities, mut transforms, mut positions, mut rotations, mut velocities) =
            world.borrow::<Wide<'_>>().unwrap();
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            let id = entities.add_entity((), ());
            transforms.add_component_unchecked(id, transform);
            positions.add_component_unchecked(id, position);
            rotations.add_component_unchecked(id, rotation);
            velocities.add_component_unchecked(id, velocity);
        }
    };
    fresh(World::new, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let (_, transforms, positions, rotations, velocities) = world.borrow::<Wide<'_>>().unwrap();
    let mut tally = Tally::default();
    let all = (&transforms, &positions, &rotations, &velocities).iter();
    all.for_each(|row| tally.add_wide(row));
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(wide)).collect();
    (world, ids)
}

/// Adds velocity to position for all that have both.
#[inline]
fn step(world: &World) {
    world.run(
        |mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
            (&mut positions, &velocities)
                .iter()
                .for_each(|(position, velocity)| advance(position, velocity));
        },
    );
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<EntityId>)| step(world);
    steady(wide_world(items), run, check_advanced)
}

/// Returns a function from an entity to its position and velocity.
fn movers_in(world: &World) -> impl Fn(EntityId) -> Mover {
    type Both<'a> = (View<'a, Position>, View<'a, Velocity>);
    let (positions, velocities) = world.borrow::<Both<'_>>().unwrap();
    move |id| {
        let position = (&positions).get(id).ok().copied();
        (position, (&velocities).get(id).ok().copied())
    }
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((world, ids): &mut (World, Vec<EntityId>), steps: u64) {
    check_movers(ids, steps, movers_in(world));
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.bulk_add_entity((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let run = |world: &mut World| {
        world.run(|mut data: ViewMut<'_, Data>| {
            (&mut data).iter().for_each(|data| data.0 *= 2.0);
        });
    };
    steady(world, run, move |world, times| {
        let data = world.borrow::<View<'_, Data>>().unwrap();
        let values = data.iter().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity.
fn add_to_all<T>(value: T) -> impl Fn(&mut (World, Vec<EntityId>))
where
    T: Component<Tracking = track::Untracked> + Copy,
{
    move |(world, ids)| {
        world.run(|entities: EntitiesView<'_>, mut storage: ViewMut<'_, T>| {
            for &id in ids.iter() {
                entities.add_component(id, &mut storage, value);
            }
        });
    }
}

/// Removes a component from each entity.
fn remove_from_all<T>((world, ids): &mut (World, Vec<EntityId>))
where
    T: Component<Tracking = track::Untracked>,
{
    world.run(|mut storage: ViewMut<'_, T>| {
        for &id in ids.iter() {
            assert!(storage.remove(id).is_some());
        }
    });
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let values = (0..items).map(|index| A(index as f32));
    let ids: Vec<EntityId> = world.bulk_add_entity(values).collect();
    let check = |(world, ids): &mut (World, Vec<EntityId>), added: bool| {
        world.run(|with_a: View<'_, A>, with_b: View<'_, B>| {
            check_pairs(ids, added, |id| {
                let a = (&with_a).get(id).ok().copied();
                (a, (&with_b).get(id).ok().copied())
            });
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
    let check = |(world, ids): &mut (World, Vec<EntityId>), added: bool| {
        world.run(|flags: View<'_, Flag>| {
            assert!(ids.iter().all(|&id| flags.contains(id) == added));
        });
        check_wide(world, ids.len());
    };
    let state = wide_world(items);
    pairs(state, add_to_all(Flag), remove_from_all::<Flag>, check)
}

/// Creates a world with moving entities.
fn movers(entities: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    let ids = world.bulk_add_entity(bundles).collect();
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<EntityId>, Tally)| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        tally.add_all(ids.iter().map(|&id| (&positions).get(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, movers_in(world));
    })
}

type Movers<'a> = (
    EntitiesViewMut<'a>,
    ViewMut<'a, Position>,
    ViewMut<'a, Velocity>,
);

/// Deletes from the two storages with values: `delete_entity` checks every storage.
fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<EntityId>)| {
        let (mut entities, mut positions, mut velocities) = world.borrow::<Movers<'_>>().unwrap();
        for &at in &order {
            (&mut positions, &mut velocities).delete(ids[at]);
            assert!(entities.delete_unchecked(ids[at]));
        }
        ids.clear();
        for index in 0..items {
            let storages = (&mut positions, &mut velocities);
            ids.push(entities.add_entity(storages, (position(index), velocity())));
        }
    };
    steady(movers(items), run, move |state, _| {
        check_advanced(state, 0);
        let entities = state.0.borrow::<EntitiesView<'_>>().unwrap();
        assert_eq!((entities.iter().count(), state.1.len()), (items, items));
    })
}
