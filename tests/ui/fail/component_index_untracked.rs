//! An indexed component has no untracked write, and a lookup borrows the context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Name(#[component(index)] String);

#[derive(Component)]
#[component(unique)]
struct Leader(#[component(index)] String);

fn main() {
    let mut game = Game::new();
    let id = game.create_entity().add_name("Ann".to_string()).id();
    game.entity_mut(id).name_mut_untracked().0.clear();
    game.leader_mut_untracked().0.clear();
    for entity in game.entities_with_name("Ann") {
        game.destroy(entity.id());
    }
    game.entities_with_name(&1);
}
