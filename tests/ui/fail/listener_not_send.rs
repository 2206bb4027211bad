//! Listeners and observers with values that are not `Send`.

use std::rc::Rc;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Game, event(any, set), event(self, removed))]
struct Health(u32);

fn of_any(game: &mut Game, log: Rc<u8>) {
    game.on_any_health_set(move |_| drop(log.clone()));
}

fn of_one(game: &mut Game, log: Rc<u16>) {
    let mut entity = game.create_entity();
    entity.on_health_removed(move |_| drop(log.clone()));
}

fn of_a_group(game: &mut Game, log: Rc<u32>) {
    let group = game.group(Game::all_of::<Health>());
    group.on_entered(game, move |_, _| drop(log.clone()));
}

fn of_the_context(game: &mut Game, log: Rc<u64>) {
    game.observers().on_created(move |_, _| drop(log.clone()));
}

fn of_messages(game: &mut Game, log: Rc<i8>) {
    game.on_message::<u8>(move |_, _| drop(log.clone()));
}

fn main() {}
