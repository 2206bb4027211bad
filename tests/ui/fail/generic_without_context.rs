//! Traits and an id without the context as a parameter.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
struct Health(u32);

fn spawn<T: Component>(game: &mut Game, component: T) -> EntityId<Game> {
    game.create_with(component).id()
}

fn spawn_all(game: &mut Game, bundle: impl ecs::Bundle) {
    game.create_with(bundle);
}

fn destroy(game: &mut Game, id: EntityId) {
    game.destroy(id);
}

fn main() {
    let mut game = Game::new();
    let id = spawn(&mut game, Health(3));
    spawn_all(&mut game, Health(4));
    destroy(&mut game, id);
}
