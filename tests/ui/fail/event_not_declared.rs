//! Listening to an event that the component does not declare.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event(any, set))]
struct Health(u8);

fn main() {
    let mut game = Game::new();
    game.on_any_health_set(|_| ());
    game.on_any_health_removed(|_| ());
    game.create_entity().on_health_set(|_| ());
}
