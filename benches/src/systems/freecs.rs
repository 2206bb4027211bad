//! `freecs`: a world made by its macro for each set of components, since a move from
//! table to table asks about every component there is; tables walked as the slices that
//! they are; a tag, which moves nothing, for the mark.
//!
//! The reactive rows use its own means: the tick beside each value in W8, the log of
//! structural changes in W9 and W10. It has no observers, so in W8e the writer calls the function.

mod around;
mod large;
mod reactive;

use freecs::Entity;

use super::columns::{advance_in_parallel, on_columns};
use crate::checks::{Mover, check_computed, check_movers, check_pairs};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

/// A value that is added or moved takes the place of a default.
macro_rules! with_default {
    ($($component:ident)*) => {$(
        impl Default for $component {
            fn default() -> Self {
                Self(Default::default())
            }
        }
    )*};
}
with_default!(Transform Position Rotation Velocity Data A B);
with_kinds!(with_default);

/// The world of W1, W1i, W2, W4w, W11s and W12.
mod wide {
    use crate::types::{Position, Rotation, Transform, Velocity};

    freecs::ecs! {
        World {
            transform: Transform => TRANSFORM,
            position: Position => POSITION,
            rotation: Rotation => ROTATION,
            velocity: Velocity => VELOCITY,
        }
        Tags { flag => FLAG }
        Resources {}
    }
}

/// The world of the other rows in which something moves or is read.
mod moving {
    use crate::types::{Position, Velocity};

    freecs::ecs! {
        World {
            position: Position => POSITION,
            velocity: Velocity => VELOCITY,
        }
        Tags { flag => FLAG }
        Resources {}
    }
}

/// The world of W4.
mod pair {
    use crate::types::{A, B};

    freecs::ecs! {
        World {
            a: A => HAS_A,
            b: B => HAS_B,
        }
        Resources {}
    }
}

/// The world of W3, W9 and W10.
mod kinds {
    use crate::types::*;

    macro_rules! world {
        ($($kind:ident)*) => {
            freecs::paste::paste! {
                freecs::ecs! {
                    World {
                        position: Position => POSITION,
                        data: Data => DATA,
                        $([<$kind:lower>]: $kind => [<$kind:upper>],)*
                    }
                    Tags { flag => FLAG }
                    Resources {}
                }
            }
        };
    }
    with_kinds!(world);
}

/// The workload of a row.
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

/// Creates the empty entities at once: a spawn hands out a list, even of one.
fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut wide::World| {
        for (index, id) in world.spawn_entities(0, items).into_iter().enumerate() {
            let (transform, position, rotation, velocity) = wide(index);
            world.set_transform(id, transform);
            world.set_position(id, position);
            world.set_rotation(id, rotation);
            world.set_velocity(id, velocity);
        }
    };
    fresh(wide::World::default, run, move |world| {
        check_wide(world, items)
    })
}

/// Panics unless the entities of W1 are there.
fn check_wide(world: &mut wide::World, entities: usize) {
    let mut tally = Tally::default();
    world.for_each(WIDE, 0, |_, table, row| {
        tally.add_wide((
            &table.transform[row],
            &table.position[row],
            &table.rotation[row],
            &table.velocity[row],
        ));
    });
    assert_eq!(tally, Tally::of_wide(entities));
}

/// All components of W1i.
const WIDE: u64 = wide::TRANSFORM | wide::POSITION | wide::ROTATION | wide::VELOCITY;

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (wide::World, Vec<Entity>) {
    let mut world = wide::World::default();
    let ids = world.spawn_batch(WIDE, entities, |table, row| {
        let (transform, position, rotation, velocity) = wide(row);
        table.transform[row] = transform;
        table.position[row] = position;
        table.rotation[row] = rotation;
        table.velocity[row] = velocity;
    });
    (world, ids)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (wide::World, Vec<Entity>)| {
        for table in &mut world.tables {
            if freecs::table_has_components!(table, WIDE) {
                advance_all(&mut table.position, &table.velocity);
            }
        }
    };
    steady(wide_world(items), run, |(world, ids), steps| {
        check_movers(ids, steps, |id| {
            let position = world.get_position(id).copied();
            (position, world.get_velocity(id).copied())
        });
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = kinds::World::default();
    macro_rules! populate {
        ($($kind:ident)*) => {$(freecs::paste::paste! {
            let mask = kinds::[<$kind:upper>] | kinds::DATA;
            world.spawn_batch(mask, items / KINDS, |table, row| table.data[row] = Data(1.0));
        })*};
    }
    with_kinds!(populate);
    let run = |world: &mut kinds::World| {
        for data in world.iter_data_slices_mut() {
            data.iter_mut().for_each(|data| data.0 *= 2.0);
        }
    };
    steady(world, run, move |world, times| {
        let values = world.query_data().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// The log of structural changes is emptied after each run, here and below, as its
/// owner has to: else it grows until it is full.
fn add_remove(items: usize) -> Box<dyn Workload> {
    type State = (pair::World, Vec<Entity>);
    let mut world = pair::World::default();
    let ids = world.spawn_batch(pair::HAS_A, items, |table, row| {
        table.a[row] = A(row as f32)
    });
    let add = |(world, ids): &mut State| {
        ids.iter().for_each(|&id| world.set_b(id, B(1.0)));
    };
    let remove = |(world, ids): &mut State| {
        ids.iter().for_each(|&id| assert!(world.remove_b(id)));
        world.clear_structural_log();
    };
    pairs((world, ids), add, remove, |(world, ids), added| {
        check_pairs(ids, added, |id| {
            (world.get_a(id).copied(), world.get_b(id).copied())
        });
    })
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    type State = (wide::World, Vec<Entity>);
    let add = |(world, ids): &mut State| {
        ids.iter().for_each(|&id| world.add_flag(id));
    };
    let remove = |(world, ids): &mut State| {
        ids.iter().for_each(|&id| assert!(world.remove_flag(id)));
        world.clear_structural_log();
    };
    pairs(wide_world(items), add, remove, |(world, ids), added| {
        assert!(ids.iter().all(|&id| world.has_flag(id) == added));
        check_wide(world, ids.len());
    })
}

/// What moves.
const MOVING: u64 = moving::POSITION | moving::VELOCITY;

/// position += velocity, a table at a time, as flat floats: by one thread or by two.
fn advance_tables(world: &mut moving::World, by: impl Fn(&mut [Position], &[Velocity])) {
    for table in &mut world.tables {
        if freecs::table_has_components!(table, MOVING) {
            by(&mut table.position, &table.velocity);
        }
    }
}

/// What an entity that may move has.
fn mover(world: &moving::World, id: Entity) -> Mover {
    let position = world.get_position(id).copied();
    (position, world.get_velocity(id).copied())
}

/// Panics unless every entity is where so many steps have led it.
fn check_advanced((world, ids): &mut (moving::World, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, |id| mover(world, id));
}

/// Creates entities that move.
fn spawn_movers(world: &mut moving::World, entities: usize) -> Vec<Entity> {
    world.spawn_batch(MOVING, entities, |table, row| {
        table.position[row] = position(row);
        table.velocity[row] = velocity();
    })
}

/// A world with entities that move.
fn movers(entities: usize) -> (moving::World, Vec<Entity>) {
    let mut world = moving::World::default();
    let ids = spawn_movers(&mut world, entities);
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (moving::World, Vec<Entity>, Tally)| {
        tally.add_all(ids.iter().map(|&id| world.get_position(id).unwrap()));
    };
    steady(state, run, move |(world, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(world, id));
    })
}

/// All entities are gone before each run, so rows start at zero: the row is the index.
fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let mut doomed = Vec::new();
    let run = move |(world, ids): &mut (moving::World, Vec<Entity>)| {
        doomed.clear();
        doomed.extend(order.iter().map(|&at| ids[at]));
        assert_eq!(world.despawn_entities(&doomed).len(), items);
        *ids = spawn_movers(world, items);
        world.clear_structural_log();
    };
    steady(movers(items), run, move |state, _| {
        check_advanced(state, 0);
        assert_eq!((state.0.entity_count(), state.1.len()), (items, items));
    })
}

/// Whole columns, spread over two threads as in the rows of others: its own iteration
/// in parallel takes a thread for each table, and here is but one.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = wide::World::default();
    let both = wide::TRANSFORM | wide::POSITION;
    let ids = world.spawn_batch(both, items, |table, row| {
        table.transform[row] = transform(row);
        table.position[row] = position(row);
    });
    let run = |(world, _): &mut (wide::World, Vec<Entity>)| {
        for table in &mut world.tables {
            on_columns(&mut table.transform, &mut table.position, compute);
        }
    };
    steady((world, ids), run, |(world, ids), runs| {
        check_computed(ids, runs, |id| {
            let transform = *world.get_transform(id).unwrap();
            (transform, *world.get_position(id).unwrap())
        });
    })
}
