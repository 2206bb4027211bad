//! Dropping the handle ends a history, even before the context notices; marks keep nothing for a
//! dropped inbox.

use std::sync::Arc;

use ecs::prelude::*;

use super::{Counted, Game, Health, Team};

/// Changes the counted value of an entity to a clone of this one.
type Change = fn(&mut Game, EntityId<Game>, &Arc<()>);

const CHANGES: [Change; 3] = [
    |game, id, count| {
        game.entity_mut(id).replace_counted(Counted(count.clone()));
    },
    |game, id, count| {
        game.entity_mut(id)
            .update_counted(|counted| counted.0 = count.clone());
    },
    |game, id, count| {
        game.many(&[id])
            .update::<Counted>(|_, counted| counted.0 = count.clone());
    },
];

#[test]
fn marks_of_a_dropped_history_are_invalid() {
    let mut game = Game::new();
    let history = game.record();
    history.mark(&mut game);
    game.create_many([(); 3]);
    history.mark(&mut game);
    drop(history);
    for _ in 0..9 {
        game.create_entity();
        game.storage().check_invariants();
    }
}

#[test]
fn a_dropped_history_has_no_checksums() {
    let mut game = Game::new();
    let history = game.record();
    history.checksum(&mut game);
    game.create_many([(); 3]);
    history.checksum(&mut game);
    drop(history);
    for _ in 0..9 {
        game.create_entity();
        game.storage().check_invariants();
    }
}

#[test]
fn a_reset_drops_the_values_that_a_dropped_history_kept() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let id = game.create_with(Counted(count.clone())).id();
    let history = game.record();
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    drop(history);
    game.reset();
    assert_eq!(Arc::strong_count(&count), 1);
}

#[test]
fn changes_that_observers_see_leave_no_value_to_a_dropped_history() {
    for change in CHANGES {
        let (mut game, count) = (Game::new(), Arc::new(()));
        let id = game.create_with(Counted(count.clone())).id();
        let counted = game.group(Game::all_of::<Counted>());
        counted.on_updated(&mut game, |_, changed| {
            assert!(changed.previous::<Counted>().is_some());
        });
        drop(game.record());
        (0..100).for_each(|_| change(&mut game, id, &count));
        assert_eq!(Arc::strong_count(&count), 1 + 1);
        game.storage().check_invariants();
    }
}

#[test]
fn a_dropped_history_that_can_go_forward_ends_at_the_next_change() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let id = game.create_with(Counted(count.clone())).id();
    let history = game.record();
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_counted(Counted(count.clone()));
    history.rewind(&mut game, start);
    drop(history);
    game.entity_mut(id).add_team("red").add_health(1);
    game.storage().check_invariants();
    game.storage_mut().shrink_to_fit();
    assert_eq!(Arc::strong_count(&count), 1 + 1);
    assert_eq!(game.entities_with_team(&"red").count(), 1);
}

#[test]
fn a_reset_after_a_dropped_history_records_nothing() {
    let mut game = Game::new();
    drop(game.record());
    game.reset();
    let id = game.create_with((Health(0), Team("red"))).id();
    let round = |game: &mut Game| {
        for nth in 0..1_000 {
            let team = ["red", "blue"][nth % 2];
            game.entity_mut(id).replace_team(team);
        }
        game.storage().memory().total()
    };
    let first = round(&mut game);
    assert_eq!(round(&mut game), first);
}

#[test]
fn marks_keep_no_message_for_an_inbox_that_was_dropped() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let history = game.record();
    drop(game.inbox::<Arc<()>>());
    for _ in 0..100 {
        game.send(count.clone());
        let now = history.mark(&mut game);
        history.forget_before(&mut game, now);
    }
    assert_eq!(Arc::strong_count(&count), 1);
}
