//! Components whose names give no method names.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Crate(u8);

#[derive(Component)]
struct Super(u8);

#[derive(Component)]
struct _1st(u8);

#[derive(Component)]
struct __(u8);

#[derive(Component)]
#[component(name = "self")]
struct Me(u8);

#[derive(Component)]
#[component(name = "two words")]
struct Words(u8);

#[derive(Component)]
#[component(name = "")]
struct Nameless(u8);

#[derive(Component)]
#[component(name = "\"")]
struct Quote(u8);

fn main() {
    Game::new().create_entity().add_me(1).add_words(1);
}
