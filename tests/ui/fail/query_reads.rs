//! `query` reads through `&Game`; `query_mut` writes.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Health(u32);

fn main() {
    let game = Game::new();
    game.query::<(EntityId<Game>, &mut Health)>().for_each(|_| {});
    game.query::<Mut<Health>>();
    game.query::<Health>();
}
