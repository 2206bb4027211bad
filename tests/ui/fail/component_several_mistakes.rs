//! All mistakes are reported at once, and the accessors exist anyway.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Default)]
#[component(colour, context(Game, Game), pooled, pooled, name = 3)]
struct Name {
    #[component(into, index)]
    text: String,
    #[component(pooled)]
    rank: u8,
}

fn main() {
    let mut game = Game::new();
    let id = game.create_entity().add_name("hero", 1).id();
    game.entity_mut(id).replace_name_with(|name| name.rank = 2);
    let _ = &game.entity(id).name().text;
}
