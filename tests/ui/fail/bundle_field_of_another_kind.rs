//! Bundles with a field that is no component of the context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Menu;

#[derive(Component)]
#[component(context = Game)]
struct Position(f32);

#[derive(Bundle)]
struct Hero {
    position: Position,
    health: u32,
}

#[derive(Bundle)]
struct Stone {
    position: Position,
}

fn main() {
    Game::new().create_with(Hero { position: Position(1.0), health: 3 });
    Menu::new().create_with(Stone { position: Position(1.0) });
}
