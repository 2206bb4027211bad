//! Iterators and their items borrow the context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Position {
    x: f32,
}

fn beyond_the_context() -> impl Iterator {
    let game = Game::new();
    game.entities()
}

fn across_a_change(game: &mut Game) {
    for entity in game.entities() {
        game.destroy(entity.id());
    }
}

fn of_a_group_across_a_change(game: &mut Game) {
    let group = game.group(Game::all_of::<Position>());
    for entity in group.iter(game) {
        game.entity_mut(entity.id()).remove_position();
    }
}

fn main() {}
