//! Duplicate attributes.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component, Default)]
#[component(name = "one", name = "two", pooled, pooled)]
#[component(by_value)]
#[component(by_value)]
struct Words(u8);

#[derive(Component)]
#[component(context = Game, context = Input)]
struct Contexts(u8);

#[derive(Component)]
#[component(context(Game, Input, Game))]
struct SameContext(u8);

#[derive(Component)]
#[component(crate = "::ecs", crate = "ecs", extension, extension)]
struct Places(#[component(into, into)] u8);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_one(Words(1)).add_contexts(1).add_same_context(1);
    entity.add_places(1);
}
