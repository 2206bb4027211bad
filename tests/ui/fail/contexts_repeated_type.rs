use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Contexts)]
pub struct World {
    pub game: Game,
    pub replay: Game,
}

#[derive(Contexts)]
pub struct Pair(Game, Game);

fn main() {
    let mut world = World { game: Game::new(), replay: Game::new() };
    HasContext::<Game>::context_mut(&mut world).create_entity();
}
