//! Values in a context, a feed, an index or a queue must be `Send` (F36); those that are not `Sync`
//! are not shared.

use std::rc::Rc;

use ecs::prelude::*;
use ecs::{Deferred, Feed};

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
struct Health(u32);

fn a_message(game: &mut Game, message: Rc<u8>) {
    game.send(message);
}

fn the_function_of_an_index(game: &mut Game, most: Rc<u16>) {
    let _ = game.entity_index(Game::all_of::<Health>(), move |entity| entity.health().0.min(u32::from(*most)));
}

fn the_key_of_an_index(game: &mut Game) {
    let _ = game.entity_index(Game::all_of::<Health>(), |entity| Rc::new(entity.health().0));
}

fn the_view_of_a_feed(feed: Feed<Game>, least: Rc<u32>) {
    let _ = feed.only(move |entity| entity.health().0 > *least);
}

fn an_action(actions: &Deferred<Game>, log: Rc<u64>) {
    actions.push(move |_| drop(log));
}

fn main() {}
