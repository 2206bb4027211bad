//! The rows of `freecs` on many entities: their creation, joins over most
//! and few of them, and their memory.

use freecs::Entity;

use super::{
    MOVING, WIDE, advance_tables, check_advanced, check_wide, mover, movers, moving,
    wide as world_of_wide,
};
use crate::checks::{check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::transform;
use crate::types::*;
use crate::workload::{Workload, fresh, one_of, steady};

/// Rows of an empty world start at zero: the row is the index.
pub(super) fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut world_of_wide::World| {
        world.spawn_batch(WIDE, items, |table, row| {
            table.transform[row] = columns.transforms[row];
            table.position[row] = columns.positions[row];
            table.rotation[row] = columns.rotations[row];
            table.velocity[row] = columns.velocities[row];
        });
    };
    fresh(world_of_wide::World::default, run, move |world| {
        check_wide(world, items)
    })
}

/// Creates a batch of one, which goes directly to the table of its components.
pub(super) fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |world: &mut world_of_wide::World| {
        for (transform, position, rotation, velocity) in columns.rows() {
            world.spawn_batch(WIDE, 1, |table, row| {
                table.transform[row] = transform;
                table.position[row] = position;
                table.rotation[row] = rotation;
                table.velocity[row] = velocity;
            });
        }
    };
    fresh(world_of_wide::World::default, run, move |world| {
        check_wide(world, items)
    })
}

pub(super) fn iter_many(
    items: usize,
    by: impl Fn(&mut [Position], &[Velocity]) + 'static,
) -> Box<dyn Workload> {
    let run = move |(world, _): &mut (moving::World, Vec<Entity>)| advance_tables(world, &by);
    steady(movers(items), run, check_advanced)
}

/// Destroys all with one call and empties the log, as in W6.
pub(super) fn destroy(items: usize) -> Box<dyn Workload> {
    let run = move |(world, ids): &mut (moving::World, Vec<Entity>)| {
        assert_eq!(world.despawn_entities(ids).len(), items);
        world.clear_structural_log();
    };
    fresh(
        move || movers(items),
        run,
        |(world, ids)| {
            assert!(ids.iter().all(|&id| mover(world, id) == (None, None)));
            assert_eq!(world.entity_count(), 0);
            assert_eq!(world.query_entities(moving::POSITION).count(), 0);
            assert_eq!(world.query_entities(moving::VELOCITY).count(), 0);
        },
    )
}

/// An entity that gets a velocity moves to the table of entities with both.
pub(super) fn sparse_join(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut world = moving::World::default();
    let ids = world.spawn_batch(moving::POSITION, sparse.entities, |table, row| {
        table.position[row] = position(row);
    });
    for &at in &sparse.picked {
        world.set_velocity(ids[at], velocity());
    }
    let run = |(world, _): &mut (moving::World, Vec<Entity>)| advance_tables(world, advance_all);
    steady((world, ids), run, move |(world, ids), steps| {
        sparse.check(|at| mover(world, ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut world = moving::World::default();
    let mut ids: Vec<Entity> = Vec::new();
    for (at, &kind) in churn.before.iter().enumerate() {
        ids.push(create(&mut world, at, kind));
    }
    for &(at, kind) in &churn.steps {
        assert_eq!(world.despawn_entities(&[ids[at]]).len(), 1);
        ids[at] = create(&mut world, at, kind);
    }
    let run = |(world, _): &mut (moving::World, Vec<Entity>)| advance_tables(world, advance_all);
    steady((world, ids), run, move |(world, ids), steps| {
        churn.check(|at| mover(world, ids[at]), steps);
    })
}

/// Creates an entity of W7c.
fn create(world: &mut moving::World, at: usize, kind: Kind) -> Entity {
    let mask = match kind {
        Kind::Both => MOVING,
        Kind::Position => moving::POSITION,
        Kind::Velocity => moving::VELOCITY,
    };
    let ids = world.spawn_batch(mask, 1, |table, row| {
        if mask & moving::POSITION != 0 {
            table.position[row] = position(at);
        }
        if mask & moving::VELOCITY != 0 {
            table.velocity[row] = velocity();
        }
    });
    ids[0]
}

/// The log of structural changes counts, since it is always written.
pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut moving::World| {
        super::spawn_movers(world, items);
    };
    fresh(moving::World::default, run, move |world| {
        let mut all = Vec::new();
        world.for_each(MOVING, 0, |_, table, row| {
            all.push((table.position[row], table.velocity[row]));
        });
        check_memory(items, all.into_iter());
    })
}

pub(super) fn memory_sparse(items: usize) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
    let run = move |world: &mut world_of_wide::World| {
        let ids = world.spawn_batch(world_of_wide::POSITION, items, |table, row| {
            table.position[row] = position(row);
        });
        for &at in &picked {
            world.set_transform(ids[at], transform(at));
        }
    };
    fresh(world_of_wide::World::default, run, move |world| {
        let (mut positions, mut both) = (Vec::new(), Vec::new());
        let has_both = world_of_wide::POSITION | world_of_wide::TRANSFORM;
        world.for_each(has_both, 0, |_, table, row| {
            both.push((table.position[row], table.transform[row]));
        });
        world.for_each(world_of_wide::POSITION, 0, |_, table, row| {
            positions.push(table.position[row]);
        });
        check_memory_sparse((of.0, &of.1), positions.into_iter(), both.into_iter());
    })
}
