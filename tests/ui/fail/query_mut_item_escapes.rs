//! An item of a reporting query must not outlive the report; an untracked item may live as long as
//! the borrow of the context.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Health(u32);

#[derive(QueryData)]
struct Wounded<'a> {
    health: &'a mut Health,
}

fn main() {
    let mut game = Game::new();
    let mut kept = Vec::new();
    game.query_mut::<&mut Health>().untracked().iter().for_each(|health| kept.push(health));
    let mut kept = Vec::new();
    game.query_mut::<&mut Health>().for_each(|health| kept.push(health));
    let mut kept = Vec::new();
    game.query_mut::<Wounded>().for_each(|wounded| kept.push(wounded));
}
