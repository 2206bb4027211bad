use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
pub struct Handle(u32);

fn main() {
    let mut game = Game::new();
    let _ = game.removed_values::<Handle>();
}
