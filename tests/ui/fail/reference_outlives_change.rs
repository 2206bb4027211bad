//! A reference to a value cannot be kept while the value is removed (F40).

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

fn kept_into_the_next_round(game: &mut Game, group: &Group<Game>) -> f32 {
    let (mut before, mut sum): (Option<&Position>, f32) = (None, 0.0);
    for id in group.ids(game) {
        game.entity_mut(id).replace_position(sum);
        sum += before.map_or(0.0, |position| position.x);
        before = game.entity(id).get_position();
    }
    sum
}

fn handle_kept_into_the_next_round(game: &mut Game, group: &Group<Game>) {
    let mut last: Option<GameEntity<'_>> = None;
    for id in group.ids(game) {
        game.entity_mut(id).remove_position();
        assert!(last.is_none_or(|last| last.has_position()));
        last = game.get_entity(id);
    }
}

fn kept_from_a_loop_of_the_group(game: &mut Game, group: &Group<Game>) {
    let mut kept = Vec::new();
    for entity in group.iter(game) {
        kept.push(entity);
    }
    game.destroy_all();
    assert!(kept.iter().all(|entity| entity.has_position()));
}

fn main() {}
