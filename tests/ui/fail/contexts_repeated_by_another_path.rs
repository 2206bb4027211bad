use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Contexts)]
pub struct World {
    pub game: Game,
    pub replay: crate::Game,
}

fn main() {}
