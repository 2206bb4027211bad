//! A closure without the type of its world.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

fn main() {
    let mut game = Game::new();
    let mut systems = Systems::new().add(|game| {
        game.create_entity();
    });
    systems.execute(&mut game);
}
