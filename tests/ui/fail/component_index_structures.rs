//! Grids of components without a place or with an invalid cell size, and ordered indexes whose keys have no order.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(index(grid = 16.0))]
struct Doubles {
    x: f64,
    y: f64,
}

#[derive(Component)]
#[component(index(grid = 16.0))]
struct OneCoordinate {
    x: f32,
}

#[derive(Component)]
#[component(index(grid = 0.0))]
struct NoSize {
    x: f32,
    y: f32,
}

#[derive(Component)]
#[component(index(grid = -2.0))]
struct NegativeSize {
    x: f32,
    y: f32,
}

#[derive(Component)]
#[component(index(grid = f32::NAN))]
struct NotANumber {
    x: f32,
    y: f32,
}

#[derive(Component)]
#[component(index(grid = "large"))]
struct Text {
    x: f32,
    y: f32,
}

#[derive(Component)]
struct Float(#[component(index(ordered))] f32);

fn main() {
    let game = Game::new();
    assert!(game.entities_by_no_size().is_empty());
}
