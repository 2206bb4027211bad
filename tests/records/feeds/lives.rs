//! Creating feeds next to others, and dropping them.

use std::sync::{Arc, Mutex};

use support::collectors;

use super::*;

type Shared = Arc<Mutex<Option<Feed<Game>>>>;

#[test]
fn a_released_feed_has_no_collector_any_more() {
    let mut game = Game::new();
    let feed = game.feed::<(Position, Health)>();
    assert_eq!(collectors(&game), 2);
    feed.release(&mut game);
    assert_eq!(collectors(&game), 0);
}

#[test]
fn a_feed_that_is_dropped_while_another_one_begins_leaves_no_collector() {
    let mut game = Game::new();
    let first: Shared = Arc::new(Mutex::new(Some(game.feed::<Position>())));
    let dropping = first.clone();
    game.observers()
        .on_group_created(move |_, _| drop(dropping.lock().unwrap().take()));
    let second = game.feed::<(Position, Health)>();
    assert!(first.lock().unwrap().is_none());
    assert_eq!(collectors(&game), 2);
    let id = game.create_with(Position(1)).id();
    assert_eq!(second.take(&mut game).appeared(), [id]);
}

#[test]
fn a_feed_that_an_observer_of_its_group_begins_outlives_the_one_that_made_the_group() {
    let mut game = Game::new();
    let inner = Shared::default();
    let begun = inner.clone();
    game.observers().on_group_created(move |game, _| {
        let mut begun = begun.lock().unwrap();
        begun.get_or_insert_with(|| game.feed::<Position>());
    });
    let outer = game.feed::<Position>();
    let inner = inner.lock().unwrap().take().unwrap();
    inner.take(&mut game);
    outer.release(&mut game);
    let id = game.create_with(Position(1)).id();
    assert_eq!(inner.take(&mut game).appeared(), [id]);
    inner.release(&mut game);
    assert_eq!(collectors(&game), 0);
}

#[test]
fn a_dropped_delta_keeps_no_memory() {
    let mut game = Game::new();
    let feed = game.feed::<Position>();
    game.create_many((0..1000).map(Position));
    game.storage_mut().shrink_to_fit();
    let before = game.storage().memory().other;
    feed.take(&mut game);
    game.storage_mut().shrink_to_fit();
    assert_eq!(game.storage().memory().other, before);
}
