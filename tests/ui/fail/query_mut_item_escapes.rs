//! What a query that reports hands out is gone when the change is reported; what it hands out
//! untracked may stay for as long as the context is borrowed.

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
