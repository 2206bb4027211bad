//! A mutable borrow is exclusive.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Position {
    x: f32,
}

#[derive(Component)]
struct Velocity {
    x: f32,
}

fn two_values(game: &mut Game, id: EntityId<Game>) {
    let mut entity = game.entity_mut(id);
    let position = entity.position_mut_untracked();
    let velocity = entity.velocity_mut_untracked();
    position.x += velocity.x;
}

fn two_handles(game: &mut Game, id: EntityId<Game>) {
    let mut one = game.entity_mut(id);
    let mut other = game.entity_mut(id);
    one.add_position(1.0);
    other.add_position(1.0);
}

fn shared_beside_exclusive(game: &mut Game, id: EntityId<Game>) {
    let mut entity = game.entity_mut(id);
    let shared = entity.as_ref();
    entity.add_position(1.0);
    shared.position();
}

fn copied_exclusive(game: &mut Game, id: EntityId<Game>) {
    let entity = game.entity_mut(id);
    entity.destroy();
    entity.destroy();
}

fn handle_on_another_thread(game: &mut Game, id: EntityId<Game>) {
    let mut entity = game.entity_mut(id);
    std::thread::scope(|threads| {
        threads.spawn(|| entity.add_position(1.0).id());
        game.len();
    });
}

fn writing_beside_readers(game: &mut Game, id: EntityId<Game>) {
    std::thread::scope(|threads| {
        threads.spawn(|| game.entity(id).has_position());
        game.entity_mut(id).add_position(1.0);
    });
}

fn query_beside_a_handle(game: &mut Game, id: EntityId<Game>) {
    let mut entity = game.entity_mut(id);
    game.query_mut::<&mut Position>().for_each(|position| position.x = 1.0);
    entity.remove_position();
}

fn main() {}
