//! Trees along components that are no acyclic relation.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
struct Likes(#[component(relation)] EntityId<Game>);

#[derive(Component, Clone)]
struct Health(u32);

fn main() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    game.clone_tree::<Likes>(id);
    game.clone_tree::<Health>(id);
    game.save().only([id]).with_descendants::<Likes>();
    game.save().only([3]);
}
