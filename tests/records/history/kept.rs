//! The values that a history keeps are dropped when nobody can reach them any more.

use std::sync::Arc;

use ecs::prelude::*;

use super::{Counted, Game, Health};

/// A game with one entity that has a counted value, and what counts it.
fn game_of_one() -> (Game, EntityId<Game>, Arc<()>) {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let id = game.create_with(Counted(count.clone())).id();
    (game, id, count)
}

#[test]
fn values_of_before_are_dropped_when_they_are_forgotten() {
    let (mut game, id, count) = game_of_one();
    let history = game.record();
    for _ in 0..3 {
        game.entity_mut(id).replace_counted(Counted(count.clone()));
    }
    let middle = history.mark(&mut game);
    for _ in 0..2 {
        game.entity_mut(id).replace_counted(Counted(count.clone()));
    }
    assert_eq!(Arc::strong_count(&count), 1 + 1 + 5);
    history.forget_before(&mut game, middle);
    assert_eq!(Arc::strong_count(&count), 1 + 1 + 2);
    history.rewind(&mut game, middle);
    assert!(game.entity(id).has_counted());
}

#[test]
fn values_of_after_are_dropped_when_something_else_is_changed() {
    let (mut game, id, count) = game_of_one();
    let history = game.record();
    let start = history.mark(&mut game);
    for _ in 0..3 {
        game.entity_mut(id).replace_counted(Counted(count.clone()));
    }
    history.rewind(&mut game, start);
    assert_eq!(Arc::strong_count(&count), 1 + 4);
    game.entity_mut(id).add_health(1);
    history.mark(&mut game);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
    assert_eq!(game.entity(id).health(), &Health(1));
}

#[test]
fn a_new_history_drops_what_a_dropped_one_has_kept() {
    let (mut game, id, count) = game_of_one();
    let history = game.record();
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    assert_eq!(Arc::strong_count(&count), 1 + 2);
    drop(history);
    let history = game.record();
    assert_eq!(Arc::strong_count(&count), 1 + 1);
    let mark = history.mark(&mut game);
    game.entity_mut(id).remove_counted();
    history.rewind(&mut game, mark);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
}
