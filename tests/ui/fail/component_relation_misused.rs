//! Misused relations: untracked writes, traversal of cycles, another component.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Targets(#[component(relation)] EntityId<Game>);

#[derive(Component)]
#[component(context = Game)]
struct Name(&'static str);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.targets_mut_untracked();
    let _ = entity.related::<Targets>().ancestors();
    let _ = entity.related::<Name>();
}
