//! The values that a history keeps are dropped when no rewind can reach them.

use std::sync::Arc;

use ecs::History;
use ecs::prelude::*;

use super::{Counted, Game, Health, Key, Keyed, KeyedIndexExt as _, KeyedMutExt as _, Large, Team};

/// A game with one entity that has a counted value, and the counter.
fn game_of_one() -> (Game, EntityId<Game>, Arc<()>) {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let id = game.create_with(Counted(count.clone())).id();
    (game, id, count)
}

#[test]
fn old_values_are_dropped_when_they_are_forgotten() {
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
fn redo_values_are_dropped_by_another_change() {
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
fn a_new_history_drops_the_values_of_a_dropped_one() {
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

#[test]
fn cut_off_values_are_dropped_by_forgetting() {
    let (mut game, id, count) = game_of_one();
    let history = game.record();
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    history.rewind(&mut game, start);
    game.entity_mut(id).add_health(1);
    history.forget_before(&mut game, start);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
}

/// A game with one entity that had three keys, the last two of them recorded, and the counter of
/// keys and values.
fn game_of_keys() -> (Game, History<Game>, Arc<()>) {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let id = game.create_with(Keyed(Key(0, count.clone()))).id();
    assert_eq!(game.entities_with_keyed(&Key(0, count.clone())).count(), 1);
    let history = game.record();
    for number in 1..3 {
        let key = Key(number, count.clone());
        game.entity_mut(id).replace_keyed(Keyed(key.clone()));
        assert_eq!(game.entities_with_keyed(&key).count(), 1);
    }
    (game, history, count)
}

/// The count of [`game_of_keys`] if no old values are kept: the test, the value, and its key in the
/// index.
const LEAST: usize = 3;

#[test]
fn old_keys_are_not_kept_and_old_values_until_they_are_forgotten() {
    let (mut game, history, count) = game_of_keys();
    assert_eq!(Arc::strong_count(&count), LEAST + 2);
    let now = history.mark(&mut game);
    history.forget_before(&mut game, now);
    assert_eq!(Arc::strong_count(&count), LEAST);
}

#[test]
fn old_keys_are_dropped_with_the_history() {
    let (mut game, history, count) = game_of_keys();
    history.release(&mut game);
    assert_eq!(Arc::strong_count(&count), LEAST);
}

#[test]
fn old_keys_and_values_are_dropped_by_a_reset() {
    let (mut game, history, count) = game_of_keys();
    game.reset();
    assert_eq!(Arc::strong_count(&count), 1);
    history.release(&mut game);
}

#[test]
fn no_key_is_kept_when_nothing_is_recorded_any_more() {
    let (mut game, history, count) = game_of_keys();
    history.release(&mut game);
    let id = game.entities().next().unwrap().id();
    game.entity_mut(id)
        .replace_keyed(Keyed(Key(7, count.clone())));
    assert_eq!(game.entities_with_keyed(&Key(7, count.clone())).count(), 1);
    assert_eq!(Arc::strong_count(&count), LEAST);
}

/// The memory of a context after `shrink_to_fit`, in bytes.
fn least(game: &mut Game) -> usize {
    game.storage_mut().shrink_to_fit();
    game.storage().memory().total()
}

#[test]
fn steps_of_indexes_and_links_are_forgotten_and_later_ones_kept() {
    let mut game = Game::new();
    let ids = game.create_many([Team("red"), Team("red"), Team("red")]);
    let targets = [0; 2].map(|_| game.create_entity().id());
    game.entity_mut(ids[0]).add_targets(targets[0]);
    let empty = least(&mut game);
    let history = game.record();
    for nth in 0..1_000 {
        let mut entity = game.entity_mut(ids[0]);
        entity.replace_team(["blue", "red"][nth % 2]);
        entity.replace_targets(targets[nth % 2]);
    }
    let see = |game: &Game| {
        let red: Vec<_> = game.entities_with_team(&"red").map(|it| it.id()).collect();
        (
            red,
            targets.map(|target| game.entity(target).targeted_by().to_vec()),
        )
    };
    let (middle, in_the_middle) = (history.mark(&mut game), see(&game));
    game.entity_mut(ids[1])
        .replace_team("blue")
        .add_targets(targets[0]);
    let (end, at_the_end) = (history.mark(&mut game), see(&game));
    let before = least(&mut game) - empty;
    history.forget_before(&mut game, middle);
    let after = least(&mut game) - empty;
    assert!(
        before > 50_000 && after < 4_000,
        "{before} bytes, then {after}"
    );
    for _ in 0..2 {
        history.rewind(&mut game, middle);
        assert_eq!(see(&game), in_the_middle);
        history.forward(&mut game, end);
        assert_eq!(see(&game), at_the_end);
        game.storage().check_invariants();
    }
}

#[test]
fn a_history_that_forgets_or_rewinds_repeatedly_takes_no_more_memory() {
    let mut game = Game::new();
    let id = game.create_with((Health(0), Team("red"))).id();
    let unrecorded = game.storage().memory().total();
    let history = game.record();
    let round = |game: &mut Game| {
        for nth in 0..10_000 {
            let start = history.mark(game);
            game.entity_mut(id).replace_health(nth).replace_team("blue");
            history.rewind(game, start);
            game.entity_mut(id)
                .replace_health(nth)
                .replace_team("green");
            let end = history.mark(game);
            history.forget_before(game, end);
        }
        game.storage().memory().total()
    };
    let first = round(&mut game);
    assert_eq!(round(&mut game), first);
    let taken = first - unrecorded;
    assert!(taken < 5_500, "{taken} bytes");
}

#[test]
fn a_history_of_an_idle_game_takes_no_more_memory() {
    let mut game = Game::new();
    let history = game.record();
    let changed = game.collector(Game::all_of::<Health>().entered());
    game.create_many((0..100).map(Health));
    let frames = |game: &mut Game| {
        for _ in 0..1_000 {
            let now = history.mark(game);
            history.forget_before(game, now);
        }
        game.storage().memory().total()
    };
    let first = frames(&mut game);
    assert_eq!(frames(&mut game), first);
    assert_eq!(changed.len(&game), 100);
}

#[test]
fn an_observer_that_resets_still_has_the_value_before() {
    let (mut game, id, count) = game_of_one();
    let group = game.group(Game::all_of::<Counted>());
    let seen = count.clone();
    let look = move |game: &mut Game, change: &Change<'_, Game>| {
        game.reset();
        let before = change.previous::<Counted>().unwrap();
        assert!(Arc::ptr_eq(&before.0, &seen), "the value before is whole");
    };
    group.on_updated(&mut game, look);
    let history = game.record();
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    assert!(game.is_empty() && history.is_empty(&game));
}

#[test]
fn a_history_keeps_only_written_values_of_a_query() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let ids = game.create_many([(); 3].map(|()| Counted(count.clone())));
    let history = game.record();
    let mut place = 0..;
    game.query_mut::<Mut<'_, Counted>>().for_each(|mut it| {
        if place.next() == Some(1) {
            it.0 = count.clone();
        }
    });
    assert_eq!(Arc::strong_count(&count), 1 + ids.len() + 1);
    drop(history);
}

#[test]
fn nothing_is_kept_of_an_excluded_component_that_is_swapped() {
    let mut game = Game::new();
    let ids = game.create_many([Large([1; 8]), Large([2; 8])]);
    let large = game.group(Game::all_of::<Large>());
    large.on_updated(&mut game, |_, _| {}); // receives previous values
    let history = History::builder().without::<Large>().record(&mut game);
    let held = |game: &Game| game.storage().memory().total();
    game.entity_mut(ids[0]).swap::<Large>(ids[1]);
    let before = held(&game);
    for _ in 0..1_000 {
        game.entity_mut(ids[0]).swap::<Large>(ids[1]);
    }
    assert_eq!(held(&game), before);
    assert_eq!(history.len(&game), 0);
}

#[test]
fn cut_off_values_are_dropped_by_a_rewind() {
    let (mut game, id, count) = game_of_one();
    let history = game.record();
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    history.rewind(&mut game, start);
    game.entity_mut(id).add_health(1);
    assert_eq!(history.rewind(&mut game, start), 1);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
}

#[test]
fn an_excluded_value_is_dropped_when_a_rewind_removes_its_entity() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let history = History::builder().without::<Counted>().record(&mut game);
    let start = history.mark(&mut game);
    game.create_with(Counted(count.clone()));
    history.rewind(&mut game, start);
    assert_eq!(Arc::strong_count(&count), 1);
}
