//! The entities that a delta filters: all of them after `look_again`, otherwise the changed ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::*;

/// A feed of the positions below a shared limit.
fn below(game: &mut Game) -> (Feed<Game>, Arc<AtomicI32>) {
    let limit = Arc::new(AtomicI32::new(10));
    let shared = limit.clone();
    let feed = game.feed::<(Position, Health)>();
    let feed = feed.only(move |entity| {
        let position = entity.get::<Position>();
        position.is_some_and(|it| it.0 < shared.load(Relaxed))
    });
    (feed, limit)
}

#[test]
fn looking_again_finds_appeared_and_vanished_entities() {
    let mut game = Game::new();
    let (feed, limit) = below(&mut game);
    let ids = game.create_many([Position(1), Position(5), Position(15)]);
    assert_eq!(feed.take(&mut game).appeared(), &ids[..2]);
    limit.store(20, Relaxed);
    feed.look_again(&mut game);
    assert_eq!(feed.take(&mut game).appeared(), &ids[2..]);
    limit.store(4, Relaxed);
    feed.look_again(&mut game);
    let delta = feed.take(&mut game);
    assert!(delta.vanished().eq([ids[1], ids[2]]));
    assert_eq!(
        (delta.appeared().len(), delta.set::<Position>().count()),
        (0, 0)
    );
}

#[test]
fn looking_again_sends_changes_and_destroys_like_any_delta() {
    let mut game = Game::new();
    let (feed, limit) = below(&mut game);
    let ids = game.create_many([Position(1), Position(2), Position(15), Position(3)]);
    feed.take(&mut game);
    game.destroy(ids[0]);
    game.entity_mut(ids[1]).add_health(7);
    game.entity_mut(ids[3]).remove_position();
    let next = game.create_with(Position(4)).id(); // in the slot of the first
    limit.store(20, Relaxed);
    feed.look_again(&mut game);
    let delta = feed.take(&mut game);
    assert!(delta.vanished().eq([ids[0], ids[3]]));
    assert_eq!(delta.appeared(), [next, ids[2]]);
    assert!(delta.set::<Health>().eq([(ids[1], &Health(7))]));
}

#[test]
fn a_delta_looks_again_once() {
    let mut game = Game::new();
    let (feed, limit) = below(&mut game);
    let id = game.create_with(Position(1)).id();
    feed.look_again(&mut game);
    assert_eq!(feed.take(&mut game).appeared(), [id]);
    limit.store(0, Relaxed);
    assert!(feed.take(&mut game).is_empty());
    feed.look_again(&mut game);
    assert!(feed.take(&mut game).vanished().eq([id]));
}

#[test]
fn a_component_that_a_rewind_brings_back_is_set() {
    let mut game = Game::new();
    let history = ecs::History::builder()
        .without::<failing::Door>()
        .record(&mut game);
    let feed = game.feed::<(Position, Health)>();
    let id = game.create_with((Position(1), Health(2))).id();
    let mark = history.mark(&mut game);
    game.entity_mut(id).remove_health();
    feed.take(&mut game);
    history.rewind(&mut game, mark);
    let delta = feed.take(&mut game);
    assert!(delta.set::<Health>().eq([(id, &Health(2))]));
    assert!(delta.appeared().is_empty());
}
