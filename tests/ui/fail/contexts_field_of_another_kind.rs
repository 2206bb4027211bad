use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Contexts)]
pub struct World {
    pub game: Game,
    pub time: f32,
}

fn main() {}
