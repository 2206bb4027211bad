//! Grids and ordered indexes that are declared in the wrong place, or with wrong values.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(index(grid = 16))]
struct WholeNumber {
    x: f32,
    y: f32,
}

#[derive(Component)]
#[component(index(grid))]
struct NoNumber {
    x: f32,
    y: f32,
}

#[derive(Component)]
#[component(index(ordered))]
struct OnTheType(u8);

#[derive(Component)]
#[component(index(grid = 1.0), index(grid = 2.0))]
struct Twice {
    x: f32,
    y: f32,
}

#[derive(Component)]
struct OnAField {
    #[component(index(grid = 1.0))]
    x: f32,
    y: f32,
}

#[derive(Component, Clone)]
struct BothWays(#[component(primary_index, index(ordered))] u8);

fn main() {
    let game = Game::new();
    assert!(game.entities_by_twice().is_empty());
}
