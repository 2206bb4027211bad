//! A component added to an entity of another context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component)]
#[component(context = Input)]
struct Key(u8);

struct Plain;

fn main() {
    let mut game = Game::new();
    let _ = Game::all_of::<Key>();
    let _ = Game::all_of::<(Key, Plain)>();
    let mut entity = game.create_entity();
    entity.add(Key(1));
    entity.add(Plain);
    entity.add_key(1);
}
