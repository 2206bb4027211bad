//! Applying deltas: unique components, keys, required components, resync, entities that the mirror
//! did not create.

use ecs::ApplyError;

use super::*;

#[test]
fn unique_components_change_owners() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many([Position(1), Position(2)]);
    pair.game.entity_mut(ids[0]).add_score(1);
    pair.follow();
    pair.game.entity_mut(ids[0]).remove_score();
    pair.game.entity_mut(ids[1]).add_score(2);
    pair.follow();
    assert_eq!(pair.local(ids[1]).score(), &Score(2));
    pair.game.destroy(ids[1]);
    pair.game.create_with(Score(3));
    pair.follow();
    assert_eq!(pair.other.score(), &Score(3));
}

#[test]
fn keys_can_be_swapped_between_entities() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many([Seat(1), Seat(2), Seat(3)]);
    pair.follow();
    pair.game.entity_mut(ids[0]).replace_seat(9);
    pair.game.entity_mut(ids[1]).replace_seat(1);
    pair.game.entity_mut(ids[0]).replace_seat(2);
    pair.follow();
    let first = pair.other.entity_with_seat(&1).map(|entity| entity.id());
    assert_eq!(first, pair.mirror.local(ids[1]));
    pair.game.destroy(ids[2]);
    pair.game.create_with((Seat(3), Position(1)));
    pair.follow();
}

#[test]
fn required_components_missing_at_the_origin_are_removed() {
    let mut pair = Pair::new();
    let id = pair.game.create_with(Armed(1)).remove_health().id();
    let other = pair.game.create_with(Position(1)).id();
    pair.follow();
    assert!(!pair.local(id).has_health());
    pair.game.entity_mut(other).add_armed(2).remove_health();
    pair.follow();
    pair.game.entity_mut(other).replace_health(4);
    pair.game.entity_mut(id).remove_armed().add_armed(3);
    pair.follow();
}

#[test]
fn removed_required_components_are_not_added_again() {
    let mut pair = Pair::new();
    let id = pair.game.create_with(Health(1)).id();
    pair.follow();
    pair.game.entity_mut(id).add_armed(1).remove_health();
    pair.follow();
    assert!(!pair.local(id).has_health());
}

#[test]
fn entities_are_created_with_all_their_components() {
    use std::sync::{Arc, Mutex};
    let mut pair = Pair::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let recorded = seen.clone();
    let partial = pair
        .other
        .group(Game::all_of::<Position>().none_of::<Health>());
    partial.on_entered(&mut pair.other, move |_, change| {
        recorded.lock().unwrap().push(change.entity());
    });
    pair.game.create_with((Position(1), Health(2)));
    pair.follow();
    assert!(seen.lock().unwrap().is_empty());
}

#[test]
fn observers_find_all_state_final() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many([Position(1), Position(1)]);
    pair.follow();
    let group = pair.other.group(Game::all_of::<Position>());
    group.on_updated(&mut pair.other, |game, _| {
        let positions: Vec<_> = game.query::<&Position>().iter().map(|it| it.0).collect();
        assert_eq!(positions, [2, 2]);
        assert_eq!(game.group(Game::all_of::<Health>()).len(game), 1);
    });
    pair.game.many(&ids).replace_with(|_| Position(2));
    pair.game.entity_mut(ids[0]).add_health(1);
    pair.follow();
}

#[test]
fn sending_everything_again_destroys_missing_entities() {
    let mut pair = Pair::new();
    let ids = pair
        .game
        .create_many((0..4).map(|n| (Position(n), Health(1))));
    pair.follow();
    pair.game.destroy(ids[0]);
    pair.game.entity_mut(ids[1]).remove_health();
    pair.game.create_with(Health(9));
    drop(pair.feed.take(&mut pair.game)); // lost
    pair.game.entity_mut(ids[2]).replace_position(7);
    let next = pair.feed.take(&mut pair.game);
    let missing = ApplyError::Missing {
        expected: 3,
        found: 4,
    };
    assert_eq!(pair.mirror.apply(&mut pair.other, &next), Err(missing));
    assert_eq!(pair.local(ids[2]).position(), &Position(2));
    let everything = pair.feed.take_all(&mut pair.game);
    pair.mirror.apply(&mut pair.other, &everything).unwrap();
    pair.check();
    let late = pair.mirror.apply(&mut pair.other, &next);
    assert_eq!(late, Err(ApplyError::Repeated { number: 4 }));
    assert!(pair.follow().is_empty());
}

#[test]
fn a_mirror_begins_with_everything_and_keeps_to_its_feed() {
    let mut pair = Pair::new();
    pair.game.create_with(Position(1));
    let second = pair.feed.take(&mut pair.game);
    let mut late = Mirror::new();
    let rejected = late.apply(&mut Game::new(), &second);
    let missing = ApplyError::Missing {
        expected: 1,
        found: 2,
    };
    assert_eq!(rejected, Err(missing));
    let other_feed = pair.game.feed::<Position>().take(&mut pair.game);
    let rejected = pair.mirror.apply(&mut pair.other, &other_feed);
    assert_eq!(rejected, Err(ApplyError::OtherFeed));
    pair.mirror.apply(&mut pair.other, &second).unwrap();
    pair.check();
}

#[test]
fn a_mirror_distinguishes_first_feeds_of_two_contexts() {
    let mut pair = Pair::new();
    pair.follow();
    let mut game = Game::new();
    let feed = game.feed::<Position>();
    for delta in [feed.take(&mut game), feed.take(&mut game)] {
        let rejected = pair.mirror.apply(&mut pair.other, &delta);
        assert_eq!(rejected, Err(ApplyError::OtherFeed));
    }
    pair.follow();
}

/// F42.
#[test]
fn a_mirror_distinguishes_runs_of_a_program_by_number() {
    let (mut game, mut client, mut mirror) = (Game::new(), Game::new(), Mirror::new());
    let feed = game.feed::<Health>().of_run(1);
    mirror.apply(&mut client, &feed.take(&mut game)).unwrap();
    let feed = feed.of_run(2);
    let rejected = mirror.apply(&mut client, &feed.take_all(&mut game));
    assert_eq!(rejected, Err(ApplyError::OtherFeed));
    let feed = feed.of_run(1);
    let accepted = mirror.apply(&mut client, &feed.take_all(&mut game));
    assert_eq!(accepted, Ok(()));
}

#[test]
fn a_mirror_belongs_to_one_context() {
    let mut pair = Pair::new();
    let delta = pair.feed.take(&mut pair.game);
    let text = support::panic_of(|| _ = pair.mirror.apply(&mut Game::new(), &delta));
    assert!(
        text.contains("this mirror belongs to another `Game`"),
        "{text}"
    );
}

#[test]
fn entities_of_other_code_are_not_touched() {
    let mut pair = Pair::new();
    pair.other.create_with((Score(1), Seat(5)));
    pair.game.create_with((Position(1), Score(2)));
    let delta = pair.feed.take(&mut pair.game);
    for _ in 0..2 {
        let rejected = pair.mirror.apply(&mut pair.other, &delta).unwrap_err();
        let ApplyError::Rejected(error) = &rejected else {
            panic!("{rejected}");
        };
        assert_eq!(error.kind(), ErrorKind::UniqueAlreadySet);
        assert_eq!(error.entity(), None, "a new one");
        assert_eq!((pair.other.len(), pair.mirror.len()), (2, 0));
    }
    pair.other.destroy_score_entity();
    pair.mirror.apply(&mut pair.other, &delta).unwrap();
    assert_eq!(pair.other.score(), &Score(2));

    pair.other.create_with(Seat(5));
    pair.game.create_with(Seat(5));
    let delta = pair.feed.take(&mut pair.game);
    let rejected = pair.mirror.apply(&mut pair.other, &delta).unwrap_err();
    let notified = "an entity that is not the mirror's is in the way: cannot add component `Seat` to a new \
                entity of context `Game`: entity 2v1 has the `value` 5 already, and a primary index \
                allows one; check `entity_with_seat` first, or use `swap` to exchange two";
    assert_eq!(rejected.to_string(), notified);
    assert_eq!(pair.mirror.len(), 1);
}

#[test]
fn the_reason_for_a_rejected_delta_is_the_source_of_the_error() {
    let mut pair = Pair::new();
    pair.other.create_with(Score(1));
    pair.game.create_with(Score(2));
    let delta = pair.feed.take(&mut pair.game);
    let rejected = pair.mirror.apply(&mut pair.other, &delta).unwrap_err();
    let source = std::error::Error::source(&rejected).unwrap();
    let source = source.downcast_ref::<Error>().unwrap();
    assert_eq!(source.kind(), ErrorKind::UniqueAlreadySet);
    assert!(std::error::Error::source(&ApplyError::OtherFeed).is_none());
}

#[test]
fn an_error_names_an_entity_destroyed_by_other_code() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many([Position(1), Position(2)]);
    pair.follow();
    let local = pair.mirror.local(ids[0]).unwrap();
    pair.other.destroy(local);
    pair.game.many(&ids).replace_with(|_| Position(3));
    let delta = pair.feed.take(&mut pair.game);
    let rejected = pair.mirror.apply(&mut pair.other, &delta);
    let entity = ids[0].raw();
    assert_eq!(rejected, Err(ApplyError::Destroyed { entity }));
    assert_eq!(pair.local(ids[1]).position(), &Position(2));
    let everything = pair.feed.take_all(&mut pair.game);
    pair.mirror.apply(&mut pair.other, &everything).unwrap();
    pair.check();
}

#[test]
fn other_components_and_entities_stay() {
    let mut pair = Pair::new();
    let id = pair.game.create_with(Position(1)).id();
    pair.follow();
    let local = pair.mirror.local(id).unwrap();
    pair.other.entity_mut(local).add_socket();
    pair.game.entity_mut(id).replace_position(2);
    pair.follow();
    assert!(pair.other.entity(local).is_socket());
}
