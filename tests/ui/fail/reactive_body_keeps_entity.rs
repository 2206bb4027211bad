//! A filter cannot keep its entity handle.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

struct Keep<'a> {
    kept: std::sync::Mutex<Option<GameEntity<'a>>>,
}

impl<'a> ReactiveSystem<Game> for Keep<'a> {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<()>().entered()
    }

    fn filter(&self, entity: GameEntity<'_>) -> bool {
        *self.kept.lock().unwrap() = Some(entity);
        true
    }

    fn react(&mut self, _: &mut Game, _: &[EntityId<Game>]) {}
}

fn main() {}
