//! Attributes that exclude each other, or have no effect on this kind of type.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(by_value)]
struct Whole {
    #[component(into)]
    field: String,
}

#[derive(Component)]
enum Choice {
    #[component(into)]
    One,
    Two(#[component(into)] String),
}

#[derive(Component, Default)]
#[component(pooled, by_value)]
struct Flag;

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_flag().add_choice(Choice::One);
    entity.add_whole(Whole {
        field: String::new(),
    });
}
