//! Structs that cannot be query data.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Menu;

#[derive(Component)]
#[component(context = Game)]
struct Position(f32);

#[derive(QueryData)]
struct Here {
    position: Position,
}

#[derive(QueryData)]
struct Mover<'a> {
    position: &'a mut Position,
}

#[derive(QueryData)]
struct Numbered<'a> {
    number: &'a u32,
}

struct Plain<'a> {
    position: &'a Position,
}

fn main() {
    let mut game = Game::new();
    game.query::<Here>();
    game.query::<Mover>();
    game.query_mut::<Numbered>();
    game.query::<Plain>();
    Menu::new().query_mut::<Mover>();
}
