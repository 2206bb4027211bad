//! Items that `#[derive(Bundle)]` does not support.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Position(f32);

#[derive(Bundle)]
enum Either {
    Here(Position),
    There(Position),
}

#[derive(Bundle)]
union Bits {
    whole: u32,
    half: u16,
}

#[derive(Bundle)]
struct Nothing;

#[derive(Bundle)]
#[bundle(colour, crate = 3)]
struct Painted {
    position: Position,
}

fn main() {
    let mut game = Game::new();
    game.create_with(Either::Here(Position(1.0)));
    game.create_with(Painted { position: Position(1.0) });
}
