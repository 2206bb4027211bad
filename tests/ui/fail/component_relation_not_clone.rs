//! A relation needs `Clone`.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct ChildOf(#[component(relation)] EntityId<Game>);

fn main() {}
