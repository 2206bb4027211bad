//! A reporting query in a `for` loop.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
struct Position(f32);

#[derive(Component)]
struct Velocity(f32);

fn main() {
    let mut game = Game::new();
    for (position, velocity) in game.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}
