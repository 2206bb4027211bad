//! `flecs_ecs`: the safe Rust API of flecs: cached queries iterated by whole columns, `entity_bulk`,
//! which copies columns in, and accessors by id.
//!
//! The reactive rows use its own means: a hook on each set, and observers of adds and removes, which
//! record the entity for the consumer. Its locks against aliasing (`flecs_safety_locks`) are on: without
//! them release 0.2.2 reads invalid memory on the first access by id.

mod around;
pub mod frames;
mod large;
mod reactive;

use flecs_ecs::prelude::*;

use super::columns::{advance_in_parallel, on_columns};
use crate::checks::{Mover, check_computed, check_movers, check_pairs};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::{self, KINDS, doubled, position, velocity, wide, with_kinds};
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};
use stored::*;

/// Copies of the components, because flecs needs a derive on each.
mod stored {
    use bytemuck::{Pod, Zeroable};
    use flecs_ecs::prelude::Component;

    use crate::types::{self, with_kinds};

    macro_rules! stored {
        ($($component:ident)*) => {$(
            #[derive(Clone, Copy, Component)]
            #[allow(dead_code, reason = "the value of a kind is never read")]
            pub(super) struct $component(pub(super) types::$component);
        )*};
    }
    stored!(Transform Rotation Data A B);
    with_kinds!(stored);

    /// The position, with the same memory layout.
    #[derive(Clone, Copy, Component, Pod, Zeroable)]
    #[repr(transparent)]
    pub(super) struct Position(pub(super) types::Position);

    /// The velocity, likewise.
    #[derive(Clone, Copy, Component, Pod, Zeroable)]
    #[repr(transparent)]
    pub(super) struct Velocity(pub(super) types::Velocity);

    /// The mark, which has no value.
    #[derive(Clone, Copy, Component)]
    pub(super) struct Flag;
}

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m | Id::W2x => large::iter_many(items, types::advance_all),
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
        Id::W13 | Id::W13a => reactive::move_system(items),
        other => return around::workload(other, items),
    })
}

/// Creates a world with the components of W1i and Flag registered.
fn empty() -> World {
    let world = World::new();
    world.component::<Transform>();
    world.component::<Position>();
    world.component::<Rotation>();
    world.component::<Velocity>();
    world.component::<Flag>();
    world
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            world
                .entity()
                .set(Transform(transform))
                .set(Position(position))
                .set(Rotation(rotation))
                .set(Velocity(velocity));
        }
    };
    fresh(empty, run, move |world| check_wide(world, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(world: &mut World, entities: usize) {
    let mut tally = Tally::default();
    let all = world.new_query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.each(|(transform, position, rotation, velocity)| {
        tally.add_wide((&transform.0, &position.0, &rotation.0, &velocity.0));
    });
    assert_eq!(tally, Tally::of_wide(entities));
}

/// The entities of W1i as one vector per component.
type Wide = (Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

fn wide_columns(entities: usize) -> Wide {
    let mut columns = Wide::default();
    for (transform, position, rotation, velocity) in (0..entities).map(wide) {
        columns.0.push(Transform(transform));
        columns.1.push(Position(position));
        columns.2.push(Rotation(rotation));
        columns.3.push(Velocity(velocity));
    }
    columns
}

/// Creates a world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let world = empty();
    let (transforms, positions, rotations, velocities) = wide_columns(entities);
    let ids = world
        .entity_bulk(entities as u32)
        .set(&transforms)
        .set(&positions)
        .set(&rotations)
        .set(&velocities)
        .build();
    (world, ids)
}

type Moving = Query<(&'static mut Position, &'static Velocity)>;

fn moving(world: &World) -> Moving {
    world.query().set_cached().build()
}

/// Adds velocity to position, one table at a time, as flat floats, on one or two threads.
fn advance_tables(moving: &Moving, by: impl Fn(&mut [types::Position], &[types::Velocity])) {
    moving.run(|mut tables| {
        while tables.next() {
            let mut positions = tables.field_mut::<Position>(0);
            let velocities = tables.field::<Velocity>(1);
            let positions = bytemuck::cast_slice_mut(positions.as_mut_slice());
            by(positions, bytemuck::cast_slice(velocities.as_slice()));
        }
    });
}

fn iter(items: usize) -> Box<dyn Workload> {
    let (world, ids) = wide_world(items);
    let state = (moving(&world), world, ids);
    let run = |(moving, ..): &mut (Moving, World, Vec<Entity>)| {
        advance_tables(moving, types::advance_all)
    };
    steady(state, run, |(_, world, ids), steps| {
        check_movers(ids, steps, |id| mover(world, id));
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$({
            let kinds = vec![$kind(types::$kind(0.0)); items / KINDS];
            let data = vec![Data(types::Data(1.0)); items / KINDS];
            world.entity_bulk(kinds.len() as u32).set(&kinds).set(&data).build();
        })*};
    }
    with_kinds!(populate);
    let query: Query<&mut Data> = world.query().set_cached().build();
    let run = |(query, _): &mut (Query<&mut Data>, World)| {
        query.run(|mut tables| {
            while tables.next() {
                for data in tables.field_mut::<Data>(0).as_mut_slice() {
                    data.0.0 *= 2.0;
                }
            }
        });
    };
    steady((query, world), run, move |(query, _), times| {
        let mut count = 0;
        query.each(|data| {
            assert_eq!(data.0.0, doubled(times));
            count += 1;
        });
        assert_eq!(count, items);
    })
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    type State = (World, Vec<Entity>);
    let world = World::new();
    world.component::<B>();
    let values: Vec<_> = (0..items).map(|index| A(types::A(index as f32))).collect();
    let ids = world.entity_bulk(items as u32).set(&values).build();
    let add = |(world, ids): &mut State| {
        for id in ids.iter() {
            id.entity_view(&*world).set(B(types::B(1.0)));
        }
    };
    let remove = |(world, ids): &mut State| {
        for id in ids.iter() {
            id.entity_view(&*world).remove(B::id());
        }
    };
    pairs((world, ids), add, remove, |(world, ids), added| {
        check_pairs(ids, added, |id| {
            let entity = id.entity_view(&*world);
            let a = entity.try_cloned::<&A>().map(|a| a.0);
            (a, entity.try_cloned::<&B>().map(|b| b.0))
        });
    })
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    type State = (World, Vec<Entity>);
    let add = |(world, ids): &mut State| {
        for id in ids.iter() {
            id.entity_view(&*world).add(Flag::id());
        }
    };
    let remove = |(world, ids): &mut State| {
        for id in ids.iter() {
            id.entity_view(&*world).remove(Flag::id());
        }
    };
    pairs(wide_world(items), add, remove, |(world, ids), added| {
        let is_flagged = |id: &Entity| id.entity_view(&*world).has(Flag::id());
        assert!(ids.iter().all(|id| is_flagged(id) == added));
        check_wide(world, ids.len());
    })
}

/// Creates moving entities.
fn create_movers(world: &World, entities: usize) -> Vec<Entity> {
    let positions: Vec<Position> = (0..entities).map(position).map(Position).collect();
    let velocities = vec![Velocity(velocity()); entities];
    world
        .entity_bulk(entities as u32)
        .set(&positions)
        .set(&velocities)
        .build()
}

/// Creates a world with moving entities.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let world = empty();
    let ids = create_movers(&world, entities);
    (world, ids)
}

/// Returns the position of an entity. Cloning three numbers costs less than a callback, during which
/// flecs defers all changes.
#[inline]
fn read(world: &World, id: Entity) -> Position {
    id.entity_view(world).cloned::<&Position>()
}

/// Returns the position and velocity of an entity.
fn mover(world: &World, id: Entity) -> Mover {
    let entity = id.entity_view(world);
    let position = entity.try_cloned::<&Position>().map(|it| it.0);
    (position, entity.try_cloned::<&Velocity>().map(|it| it.0))
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        for &id in ids.iter() {
            tally.add(&read(world, id).0);
        }
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            ids[at].entity_view(&*world).destruct();
        }
        *ids = create_movers(world, items);
    };
    steady(movers(items), run, move |(world, ids), _| {
        check_movers(ids, 0, |id| mover(world, id));
        let alive = world.count(Position::id());
        assert_eq!((alive, ids.len()), (items as i32, items));
    })
}

type Computed = Query<(&'static mut Transform, &'static mut Position)>;

/// Uses whole columns, spread over two threads as for the other systems.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let world = empty();
    let transforms: Vec<_> = (0..items).map(|at| Transform(transform(at))).collect();
    let positions: Vec<_> = (0..items).map(|at| Position(position(at))).collect();
    let ids = world
        .entity_bulk(items as u32)
        .set(&transforms)
        .set(&positions)
        .build();
    let both: Computed = world.query().set_cached().build();
    let run = |(both, ..): &mut (Computed, World, Vec<Entity>)| {
        both.run(|mut tables| {
            while tables.next() {
                let mut transforms = tables.field_mut::<Transform>(0);
                let mut positions = tables.field_mut::<Position>(1);
                let columns = (transforms.as_mut_slice(), positions.as_mut_slice());
                on_columns(columns.0, columns.1, |transform, position| {
                    compute(&mut transform.0, &mut position.0);
                });
            }
        });
    };
    steady((both, world, ids), run, |(_, world, ids), runs| {
        check_computed(ids, runs, |id| {
            let transform = id.entity_view(&*world).cloned::<&Transform>();
            (transform.0, read(world, id).0)
        });
    })
}
