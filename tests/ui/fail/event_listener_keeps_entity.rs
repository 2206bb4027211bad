//! A listener cannot keep its entity handle, or borrow shorter-lived values.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event(any, set))]
struct Health(u8);

fn main() {
    let mut game = Game::new();
    let mut kept = None;
    let mut count = 0;
    game.on_any_health_set(move |entity| kept = Some(entity));
    game.on_any_health_set(|_| count += 1);
    count += 1;
}
