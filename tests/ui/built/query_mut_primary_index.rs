//! A query cannot write to a component whose key could be rejected.

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
    game.query_mut::<&Seat>().for_each(|_| {});
    game.query_mut::<&mut Seat>().for_each(|seat| seat.row += 1);
}
