//! Components whose context is in another crate, without `extension`.

use ecs::prelude::*;

#[derive(Component)]
#[component(context = world::Game)]
struct Fuel(u32);

#[ecs::context]
struct Menu;

#[derive(Component)]
#[component(context(Menu, world::Game), unique)]
struct Paused;

fn main() {
    world::Game::new().create_entity().add_fuel(3);
}
