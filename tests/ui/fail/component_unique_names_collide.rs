//! Unique components whose accessors would hide methods of the contexts.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(unique)]
struct Group(u8);

#[derive(Component)]
#[component(unique)]
struct Storage(u8);

#[derive(Component)]
#[component(unique, name = "inbox")]
struct Limit(u8);

#[derive(Component)]
#[component(unique)]
struct Get(u8);

/// A valid name, because the component is not unique.
#[derive(Component)]
struct Query(u8);

fn main() {
    let mut game = Game::new();
    game.create_entity().add_group(1).add_query(1).query();
    game.set_group(2);
    game.update_inbox(|limit| limit.0 += 1);
}
