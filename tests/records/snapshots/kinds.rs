//! Snapshots of every kind of component.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use super::{Frozen, Game, Health, Score, Seat, Tags, Team, change, ids_of, seen, world};

#[test]
fn a_world_of_every_kind_can_be_restored_repeatedly() {
    let (mut game, _) = world();
    let (snapshot, before) = (game.snapshot(), seen(&game));
    for _ in 0..3 {
        change(&mut game);
        assert_ne!(seen(&game), before);
        game.restore(&snapshot);
        assert_eq!(seen(&game), before);
    }
}

#[test]
fn the_same_changes_after_a_restore_have_the_same_result() {
    let (mut game, _) = world();
    let snapshot = game.snapshot();
    change(&mut game);
    game.defragment();
    let after = seen(&game);
    for _ in 0..2 {
        game.restore(&snapshot);
        change(&mut game);
        game.defragment();
        assert_eq!(seen(&game), after);
    }
}

#[test]
fn another_context_becomes_equal_and_continues_identically() {
    let (mut game, _) = world();
    let snapshot = game.snapshot();
    let mut other = Game::new();
    let gone = other.create_many((0..500).map(|n| (Health(n), Team("red"))));
    let everyone = other.group(Game::all_of::<Health>());
    other.restore(&snapshot);
    assert_eq!(seen(&other), seen(&game));
    assert_eq!(everyone.len(&other), game.query::<&Health>().iter().count());
    assert!(other.len() < gone.len());
    change(&mut game);
    change(&mut other);
    game.defragment();
    other.defragment();
    assert_eq!(seen(&other), seen(&game));
}

#[test]
fn a_snapshot_is_independent_of_its_context() {
    let (mut game, ids) = world();
    let before = seen(&game);
    let snapshot = game.snapshot();
    assert_eq!(snapshot.len(), game.len());
    game.destroy_all();
    drop(game);
    let mut other = Game::new();
    other.restore(&snapshot);
    assert_eq!(seen(&other), before);
    assert!(ids.iter().all(|&id| other.contains(id)));
}

#[test]
fn ids_that_are_created_next_are_the_same() {
    let mut game = Game::new();
    let ids = game.create_many((0..5).map(Health));
    for at in [1, 4, 2] {
        game.destroy(ids[at]);
    }
    let snapshot = game.snapshot();
    let next = |game: &mut Game| [0; 5].map(|_| game.create_entity().id());
    let first = next(&mut game);
    game.reset();
    game.restore(&snapshot);
    assert_eq!(next(&mut game), first);
    assert!(!game.contains(ids[1]));
}

#[test]
fn unique_owners_and_primary_keys_are_taken_and_free_as_before() {
    let mut game = Game::new();
    let owner = game.create_with((Score(1), Seat(1))).id();
    let snapshot = game.snapshot();
    game.destroy(owner);
    game.create_with((Score(2), Seat(2)));
    game.restore(&snapshot);
    assert_eq!(game.score_entity().map(|entity| entity.id()), Some(owner));
    assert!(game.try_create_with(Score(3)).is_err());
    assert!(game.try_create_with(Seat(1)).is_err());
    assert!(game.try_create_with(Seat(2)).is_ok());
}

#[test]
fn keys_are_iterated_in_the_same_order_and_new_ones_get_the_same_place() {
    let mut game = Game::new();
    let ids = game.create_many((0..6).map(Health));
    let by_health = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    game.entity_mut(ids[1]).replace_health(0);
    game.entity_mut(ids[3]).replace_health(0);
    game.entity_mut(ids[0]).replace_health(5);
    let snapshot = game.snapshot();
    let see = |game: &Game| {
        let keys: Vec<_> = by_health.keys(game).copied().collect();
        let ids = keys.iter().map(|key| ids_of(by_health.get(game, key)));
        (ids.collect::<Vec<_>>(), keys)
    };
    let before = see(&game);
    let more = |game: &mut Game| {
        game.create_with(Health(77));
        game.create_with(Health(78));
        game.create_with(Health(79));
    };
    more(&mut game);
    let after = see(&game);
    game.destroy_all();
    game.restore(&snapshot);
    assert_eq!(see(&game), before);
    more(&mut game);
    assert_eq!(see(&game), after);
}

#[test]
fn entities_are_found_by_their_current_keys() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    let (halves, all) = (
        Arc::new(AtomicBool::new(true)),
        Arc::new(AtomicBool::new(false)),
    );
    let (by_halves, found) = (halves.clone(), all.clone());
    let numbers = game.entity_index(Game::all_of::<Health>(), move |entity| {
        match by_halves.load(Ordering::Relaxed) {
            true => entity.health().0 / 2,
            false => entity.health().0 % 2,
        }
    });
    let some = EntityIndex::with_keys(&mut game, Game::all_of::<Health>(), move |entity| {
        (entity.health().0 == 0 || found.load(Ordering::Relaxed)).then_some(7)
    });
    let snapshot = game.snapshot();
    halves.store(false, Ordering::Relaxed);
    all.store(true, Ordering::Relaxed);
    game.restore(&snapshot);
    assert_eq!(ids_of(numbers.get(&game, &0)), [ids[0], ids[2]]);
    assert_eq!(ids_of(numbers.get(&game, &1)), [ids[1], ids[3]]);
    assert_eq!(ids_of(some.get(&game, &7)), ids);
    game.storage().check_invariants();
}

#[test]
fn entities_of_several_keys_keep_their_order_in_each() {
    let mut game = Game::new();
    let ids = game.create_many([vec![1, 2], vec![2, 1], vec![1, 3], vec![2, 3]].map(Tags));
    game.entity_mut(ids[0]).replace_tags(vec![2]);
    game.entity_mut(ids[1]).replace_tags(vec![3, 1, 2]);
    game.entity_mut(ids[0]).replace_tags(vec![1, 3, 2]);
    let (snapshot, before) = (game.snapshot(), seen(&game));
    game.destroy(ids[1]);
    game.entity_mut(ids[2]).replace_tags(vec![2]);
    game.restore(&snapshot);
    assert_eq!(seen(&game), before);
}

#[test]
fn an_empty_snapshot_empties_a_world() {
    let mut game = Game::new();
    let empty = game.snapshot();
    assert!(empty.is_empty());
    let (mut game, _) = world();
    game.restore(&empty);
    assert!(game.is_empty());
    assert_eq!(game.query::<&Health>().iter().count(), 0);
    assert_eq!(game.create_entity().id().to_string(), "0v1");
}

#[test]
fn groups_that_another_game_made_in_another_order_have_their_members() {
    let mut game = Game::new();
    let [healthy, frozen] = [Game::all_of::<Health>(), Game::all_of::<Frozen>()];
    for matcher in [&healthy, &frozen] {
        game.group(matcher.clone());
    }
    game.create_many((0..3).map(Health));
    game.create_with(Frozen);
    let snapshot = game.snapshot();
    let mut other = Game::new();
    let [frozen, healthy] = [frozen, healthy].map(|matcher| other.group(matcher));
    other.restore(&snapshot);
    assert_eq!((healthy.len(&other), frozen.len(&other)), (3, 1));
    other.storage().check_invariants();
}

#[test]
fn moving_entities_together_begins_again() {
    let mut game = Game::new();
    game.create_many((0..3).map(Health));
    let (snapshot, reported) = (game.snapshot(), game.storage().memory().other);
    for n in 0..300 {
        game.create_with(Health(n)).set_frozen(n % 2 == 0);
    }
    assert!(game.storage_mut().defragment_for(20), "there is more to do");
    assert!(game.storage().memory().other > reported);
    game.restore(&snapshot);
    assert_eq!(
        game.storage().memory().other,
        reported,
        "nothing is half moved"
    );
    while game.storage_mut().defragment_for(1) {}
    assert_eq!(game.storage().fragmentation().breaks, 0);
    game.storage().check_invariants();
}
