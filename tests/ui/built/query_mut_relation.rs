//! A query cannot write to a component whose target could be rejected.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct ChildOf(#[component(relation)] EntityId<Game>);

fn main() {
    let mut game = Game::new();
    game.query_mut::<&ChildOf>().for_each(|_| {});
    game.query_mut::<Mut<'_, ChildOf>>().for_each(|_| {});
}
