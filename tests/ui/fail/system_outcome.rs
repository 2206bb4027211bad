//! Systems that return neither nothing nor a result.

use std::error::Error;

use ecs::prelude::*;

#[ecs::context]
struct Game;

struct Count;

impl System<Game, usize> for Count {
    fn execute(&mut self, game: &mut Game) -> usize {
        game.len()
    }
}

fn main() {
    let mut game = Game::new();
    let _ = Systems::new().add(|game: &mut Game| game.len());
    let _ = Systems::<Game>::new().on(Phase::Execute, |game| game.create_entity().id());
    let _ = Systems::<Game>::new()
        .for_each_in(&mut game, Matcher::default(), |_, _| -> Result<(), Box<dyn Error>> { Ok(()) });
}
