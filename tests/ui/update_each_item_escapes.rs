//! What `update_each` hands out is gone when the change is reported; what `for_each`
//! hands out may stay for as long as the context is borrowed.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Health(u32);

fn main() {
    let mut game = Game::new();
    let mut kept = Vec::new();
    game.query::<&mut Health>().for_each(|health| kept.push(health));
    let mut kept = Vec::new();
    game.query::<&mut Health>().update_each(|health| kept.push(health));
}
