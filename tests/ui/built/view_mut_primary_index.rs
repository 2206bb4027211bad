//! A view cannot write to a component whose key could be rejected.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Seat {
    #[component(primary_index)]
    row: u32,
}

fn main() {
    let mut game = Game::new();
    game.view::<Seat>();
    game.view_mut::<Seat>(|_| {});
}
