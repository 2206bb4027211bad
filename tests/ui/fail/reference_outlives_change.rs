//! A reference to a value cannot be kept while the value goes (F40).

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Position {
    x: f32,
}

fn kept_across_remove(game: &mut Game, id: EntityId<Game>) -> f32 {
    let mut entity = game.entity_mut(id);
    let position = entity.position();
    entity.remove_position();
    position.x
}

fn kept_across_replace(game: &mut Game, id: EntityId<Game>) -> f32 {
    let mut entity = game.entity_mut(id);
    let position = entity.get_position();
    entity.replace_position(1.0);
    position.unwrap().x
}

fn kept_across_destroy(game: &mut Game, id: EntityId<Game>) -> f32 {
    let position = game.entity(id).position();
    game.destroy(id);
    position.x
}

fn kept_by_handle(game: &mut Game, id: EntityId<Game>) -> bool {
    let entity = game.entity(id);
    game.destroy(id);
    entity.has_position()
}

fn kept_beyond_handle(game: &mut Game, id: EntityId<Game>) -> &Position {
    game.entity_mut(id).position()
}

fn kept_beyond_context(id: EntityId<Game>) -> &'static Position {
    let game = Game::new();
    game.entity(id).position()
}

fn main() {}
