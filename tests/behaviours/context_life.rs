//! Creating and destroying entities: the notifications, and when a slot is reused.

use ecs::Operation;
use ecs::prelude::*;

use super::world::{A, B, Log, Test, kill, listed, text};
use support::panic_of;

/// CTX-025.
#[test]
fn a_create_is_notified_once_with_context_and_entity() {
    let (mut game, log) = (Test::new(), Log::new());
    let notified = log.clone();
    game.observers().on_created(move |game, id| {
        notified.push(format!(
            "{} {} {:?}",
            game.len(),
            game.contains(id),
            game.entity(id)
        ));
    });
    game.create_entity().add_a(1);
    log.notified(&["1 true 0v1"]);
    game.create_with((A(2), B(3)));
    log.notified(&["2 true 1v1(A(2), B(3))"]);
}

/// CTX-026.
#[test]
fn an_entity_that_will_be_destroyed_is_whole_and_in_its_groups() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = game.group(Test::all_of::<A>());
    let id = game.create_entity().add_a(1).add_b(2).id();
    let notified = log.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        let member = group.contains(game, id);
        notified.push(format!("{} {} {member}", game.len(), text(game, id)));
    });
    game.destroy(id);
    log.notified(&["1 0v1(A(1), B(2)) true"]);
    assert!(game.is_empty() && group.is_empty(&game));
}

/// CTX-027.
#[test]
fn a_destroyed_entity_is_notified_by_its_dead_id() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    let notified = log.clone();
    game.observers().on_destroyed(move |game, id| {
        let (known, found) = (game.contains(id), game.get_entity(id).is_some());
        notified.push(format!("{id:?} {known} {found} {}", game.len()));
    });
    game.destroy(id);
    log.notified(&["0v1 false false 0"]);
}

/// CTX-018.
#[test]
fn every_destroy_is_notified_once_also_in_a_slot_that_is_used_again() {
    let (mut game, log) = (Test::new(), Log::new());
    log.watch_lives(&mut game);
    for _ in 0..3 {
        let id = game.create_entity().id();
        game.destroy(id);
    }
    log.notified(&[
        "created 0v1",
        "will be destroyed 0v1",
        "destroyed 0v1",
        "created 0v2",
        "will be destroyed 0v2",
        "destroyed 0v2",
        "created 0v3",
        "will be destroyed 0v3",
        "destroyed 0v3",
    ]);
}

/// CTX-028.
#[test]
fn an_entity_created_while_another_ends_is_another_one() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    let notified = log.clone();
    game.observers().on_destroyed(move |game, dead| {
        let new = game.create_entity().add_b(2).id();
        notified.push(format!(
            "{} {} {}",
            new == dead,
            game.contains(dead),
            text(game, new)
        ));
    });
    game.destroy(id);
    log.notified(&["false false 0v2(B(2))"]);
    assert!(!game.contains(id));

    game.observers().clear();
    let second = listed(&game)[0];
    game.destroy(second);
    assert_eq!(game.create_entity().id().index(), second.index());
}

/// CTX-036.
#[test]
fn the_slot_of_a_destroyed_entity_is_used_by_the_next_one_which_starts_empty() {
    let mut game = Test::new();
    let old = game.create_entity().add_a(1).id();
    game.destroy(old);
    assert_eq!(game.storage().reusable_entities(), 1);

    let new = game.create_entity().id();
    assert_eq!(
        (new.index(), new.generation()),
        (old.index(), old.generation() + 1)
    );
    assert!(game.entity(new).is_empty() && !game.entity(new).has_a());
    assert!(game.get_entity(old).is_none());
    assert_eq!(game.storage().reusable_entities(), 0);
}

/// CTX-037.
#[test]
fn a_held_id_does_not_keep_its_slot_from_being_used() {
    let mut game = Test::new();
    let collector = game.collector(Test::all_of::<A>().entered_or_updated());
    let held = game.create_entity().add_a(1).id();
    game.destroy(held);
    let new = game.create_entity().add_a(2).id();

    assert_eq!((new.index(), new != held), (held.index(), true));
    assert!(!game.contains(held));
    assert_eq!(collector.drain(&mut game), [held, new]);
}

/// CTX-038.
#[test]
fn without_a_free_slot_a_new_one_is_created() {
    let mut game = Test::new();
    let first = game.create_entity().id();
    let second = game.create_entity().id();
    game.destroy(first);
    game.destroy(second);

    let ids = [0; 3].map(|_| game.create_entity().id());
    assert_eq!(format!("{ids:?}"), "[1v2, 0v2, 2v1]");
}

/// CTX-039.
#[test]
fn an_entity_in_a_reused_slot_is_like_any_other() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = log.group(&mut game, Test::all_of::<A>(), "a");
    let first = game.create_entity().add_a(1).id();
    game.destroy(first);
    let next = game.create_entity().add_a(2).id();

    assert!(game.contains(next) && group.contains(&game, next));
    assert_eq!(group.ids(&game), [next]);
    log.notified(&[
        "a Entered 0v1 by A: - to 1",
        "a Left 0v1 by A: 1 to -",
        "a Entered 0v2 by A: - to 2",
    ]);
}

/// The operation that was rejected because the entity is dead.
#[track_caller]
fn rejected<T>(result: Result<T, Error>) -> Operation {
    let error = result.map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAlive);
    error.operation()
}

/// CTX-040, CTX-041, CTX-042.
#[test]
fn a_dead_entity_cannot_be_changed() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_a(1);
    kill(&mut entity);

    assert_eq!(rejected(entity.try_add_a(2)), Operation::Add);
    assert_eq!(rejected(entity.try_remove_a()), Operation::Remove);
    assert_eq!(rejected(entity.try_remove_b()), Operation::Remove);
    assert_eq!(rejected(entity.try_replace(A(2))), Operation::Replace);
    assert_eq!(
        rejected(entity.try_update::<A, _>(|a| a.0 = 2)),
        Operation::Update
    );
    for text in [
        panic_of(|| entity.add_a(2)),
        panic_of(|| entity.remove_b()),
        panic_of(|| entity.replace_a(2)),
        panic_of(|| entity.update_a(|a| a.0 = 2)),
        panic_of(|| entity.remove_all()),
    ] {
        assert!(text.contains("it is not alive"), "{text}");
    }
    assert!(game.is_empty());
}

/// CTX-043.
#[test]
fn taking_a_component_away_from_a_dead_entity_is_an_error_too() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    kill(&mut entity);

    let text = panic_of(|| entity.take_a());
    assert!(text.contains("it is not alive"), "{text}");
    let text = panic_of(|| entity.set_d(false));
    assert!(text.contains("it is not alive"), "{text}");
}

/// CTX-044.
#[test]
fn destroying_twice_is_an_error() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().id();
    log.watch_lives(&mut game);
    game.destroy(id);
    log.notified(&["will be destroyed 0v1", "destroyed 0v1"]);

    assert_eq!(rejected(game.try_destroy(id)), Operation::Destroy);
    let text = panic_of(|| game.destroy(id));
    assert!(text.contains("cannot destroy entity 0v1"), "{text}");
    let next = game.create_entity().id();
    assert_eq!(rejected(game.try_destroy(id)), Operation::Destroy);
    assert!(game.contains(next));
    log.notified(&["created 0v2"]);
}

/// CTX-060, CTX-061, CTX-062, CTX-063.
#[test]
fn a_context_without_its_observers_notifies_none() {
    let (mut game, log) = (Test::new(), Log::new());
    log.watch_lives(&mut game);
    let notified = log.clone();
    game.observers()
        .on_group_created(move |_, _| notified.push("group created"));
    let id = game.create_entity().id();
    game.group(Test::all_of::<A>());
    game.destroy(id);
    log.notified(&[
        "created 0v1",
        "group created",
        "will be destroyed 0v1",
        "destroyed 0v1",
    ]);

    game.observers().clear();
    let id = game.create_entity().id();
    game.group(Test::all_of::<B>());
    game.destroy(id);
    log.notified(&[]);
}
