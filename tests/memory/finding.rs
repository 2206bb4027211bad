//! Grids and ordered lists that are warm allocate nothing.

use ecs::prelude::*;
use ecs::{Grid, Ordered};

use super::allocator::requested_by;
use super::{Position, World, WorldEntity, alone};

/// The number of passes until all is as before.
const PERIOD: usize = 16;

/// Moves all entities around, some of them into another cell.
fn walk(world: &mut World, pass: usize) {
    let [x, y] = [pass, pass + PERIOD / 4].map(|at| (at % PERIOD) as f32 - PERIOD as f32 / 2.0);
    let positions = world.query_mut::<&mut Position>();
    positions.for_each(|position| {
        let start = position.0[2];
        position.0[0] = start % 37.0 + x.abs();
        position.0[1] = start / 37.0 + y.abs();
    });
}

/// The bytes that a pass requests, by a grid and a list of keys that these functions return.
fn requested(
    place: fn(WorldEntity<'_>) -> [f32; 2],
    number: fn(WorldEntity<'_>) -> u32,
) -> (usize, usize) {
    let mut world = World::new();
    world.create_many((0..700).map(|number| Position([0.0, 0.0, number as f32])));
    let positions = World::all_of::<Position>();
    let grid = world.index_with(positions.clone(), place, Grid::new(2.0));
    let ordered = world.index_with(positions, number, Ordered::new());
    let mut found = 0;
    let mut run = |world: &mut World| {
        for pass in 0..PERIOD {
            walk(world, pass);
            found += grid.get(world).within([20.0, 10.0], 6.0).count();
            found += ordered.get(world).range(5..9).count();
        }
    };
    (0..20).for_each(|_| run(&mut world));
    (requested_by(|| run(&mut world)), found)
}

/// A query that changes entities requests memory by itself.
#[test]
fn a_grid_and_an_ordered_list_that_are_warm_allocate_nothing() {
    let _alone = alone();
    let (alone, _) = requested(|_| [0.0; 2], |_| 0);
    let place = |it: WorldEntity<'_>| [it.position().0[0], it.position().0[1]];
    let (bytes, found) = requested(place, |it| it.position().0[0] as u32);
    assert_eq!((bytes, found > 1000), (alone, true));
}
