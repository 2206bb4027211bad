//! Mirrors that start from a copy of the origin with equal ids, as a loaded save is.

use ecs::ApplyError;
use support::panic_of;

use super::*;

/// Two contexts with the same ids: an origin, and one as if loaded from its save.
fn twins() -> ([Game; 2], [Id; 3]) {
    let make = |game: &mut Game| {
        let one = game.create_with((Position(1), Health(1), Socket)).id();
        let other = game.create_with((Health(2), Score(5))).id();
        [one, other, game.create_with(Socket).id()]
    };
    let mut games = [Game::new(), Game::new()];
    let ids = games.each_mut().map(make);
    assert_eq!(ids[0], ids[1]);
    (games, ids[0])
}

#[test]
fn a_mirror_of_a_loaded_save_keeps_its_ids() {
    let ([mut game, mut copy], [moved, ended, outside]) = twins();
    let feed = game.feed::<(Position, Health, Score)>();
    game.entity_mut(moved).replace_position(2);
    game.destroy(ended);
    let new = game.create_with((Health(3), Score(6))).id();
    let mut mirror = Mirror::of(&copy);
    assert_eq!((mirror.len(), mirror.local(ended)), (3, Some(ended)));
    let outside = mirror.local(outside).unwrap();
    mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
    assert_eq!(
        (mirror.local(moved), mirror.local(ended)),
        (Some(moved), None)
    );
    let here = copy.entity(mirror.local(moved).unwrap());
    assert!(here.position() == &Position(2) && here.is_socket());
    assert!(!copy.contains(outside), "it is not in the feed");
    let local = mirror.local(new).unwrap();
    assert_eq!(copy.entity(local).score(), &Score(6));
    game.entity_mut(moved).remove_health();
    mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
    assert!(!copy.entity(mirror.local(moved).unwrap()).has_health());
}

#[test]
fn observers_of_a_loaded_save_are_notified_of_later_changes_only() {
    let ([mut game, mut copy], [moved, ..]) = twins();
    let feed = game.feed::<(Position, Health, Score)>();
    let [healthy, moving] = [Game::all_of::<Health>(), Game::all_of::<Position>()];
    let healthy = copy.collector(healthy.any_change());
    let moving = copy.collector(moving.any_change());
    game.entity_mut(moved).replace_position(2);
    let mut mirror = Mirror::of(&copy);
    mirror.apply(&mut copy, &feed.everything(&game)).unwrap();
    assert!(healthy.is_empty(&copy));
    assert_eq!(moving.drain(&mut copy), [moved]);
}

#[test]
fn a_mirror_of_a_loaded_save_begins_with_everything_in_its_context() {
    let ([mut game, mut copy], [moved, ..]) = twins();
    let feed = game.feed::<Position>();
    feed.take(&mut game);
    game.entity_mut(moved).replace_position(2);
    let delta = feed.take(&mut game);
    let mut mirror = Mirror::of(&copy);
    let (expected, found) = (1, 2);
    let missing = ApplyError::Missing { expected, found };
    assert_eq!(mirror.apply(&mut copy, &delta), Err(missing));
    assert_eq!(copy.len(), 3);
    let everything = feed.everything(&game);
    let text = panic_of(|| _ = mirror.apply(&mut Game::new(), &everything));
    assert!(
        text.contains("this mirror belongs to another `Game`"),
        "{text}"
    );
}
