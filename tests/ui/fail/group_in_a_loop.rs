//! A group in a `for` loop, without the context.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Health>());
    for entity in &group {
        println!("{}", entity.health().0);
    }
    for entity in group {
        println!("{}", entity.health().0);
    }
}
