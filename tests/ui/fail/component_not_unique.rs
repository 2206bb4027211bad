//! The context's methods for unique components, with a component that is not unique.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component)]
struct Health(u32);

#[derive(Component)]
#[component(context = Input, unique)]
struct Cursor(u32);

fn main() {
    let mut game = Game::new();
    game.unique_mut::<Health>().set(Health(3));
    game.set_health(3);
    let _ = game.unique::<Cursor>().is_set();
}
