//! The notifications of changes of an entity, and the removed values.

use std::sync::{Arc, Mutex};

use ecs::Operation;
use ecs::prelude::*;

use super::world::{A, B, C, D, Log, Opaque, Path, Test, text};

/// ENT-029, ENT-032.
#[test]
fn an_empty_pool_returns_a_default_value() {
    let mut game = Test::new();
    assert_eq!(game.storage().pooled::<Path>(), 0);

    let mut entity = game.create_entity();
    let mut found = None;
    entity.add_path_with(|path| {
        found = Some(path.0.clone());
        path.0.push(1);
    });
    assert_eq!(found, Some(vec![]));
    assert_eq!(entity.path(), &Path(vec![1]));
    assert_eq!(game.storage().pooled::<Path>(), 0);
}

/// ENT-031.
#[test]
fn removed_values_of_pooled_components_are_kept_and_others_are_not() {
    let mut game = Test::new();
    let id = game.create_entity().add_path(vec![1]).add_a(1).id();
    game.entity_mut(id).remove_path().remove_a();
    assert_eq!(game.storage().pooled::<Path>(), 1);
    assert_eq!(game.storage().pooled::<A>(), 0);

    game.entity_mut(id).add_path(vec![2]).replace_path(vec![3]);
    assert_eq!(game.storage().pooled::<Path>(), 2);
    game.destroy(id);
    assert_eq!(game.storage().pooled::<Path>(), 3);

    game.create_entity().add_path(vec![4]).take_path();
    assert_eq!(game.storage().pooled::<Path>(), 3);
}

/// ENT-033.
#[test]
fn a_removed_value_is_reused_with_its_capacity() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_path((0..100).collect());
    let place = entity.path().0.as_ptr();
    entity.remove_path();

    entity.add_path_with(|path| {
        assert!(path.0.is_empty() && path.0.capacity() >= 100);
        path.0.push(0);
    });
    assert_eq!(entity.path(), &Path(vec![0]));
    assert_eq!(entity.path().0.as_ptr(), place);
    assert_eq!(game.storage().pooled::<Path>(), 0);
}

/// ENT-034.
#[test]
fn an_add_is_notified_once_with_entity_kind_and_value() {
    let (mut game, log) = (Test::new(), Log::new());
    log.group(&mut game, Test::all_of::<A>(), "a");
    game.create_entity();
    game.create_entity().add_b(2).add_a(1);
    log.notified(&["a Entered 1v1 by A: - to 1"]);
}

/// ENT-035.
#[test]
fn a_remove_is_notified_once_with_entity_kind_and_the_value_that_went_away() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_b(2).id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    game.entity_mut(id).remove_b().remove_a();
    log.notified(&["a Left 0v1 by A: 1 to -"]);
}

/// ENT-036.
#[test]
fn a_removed_value_is_not_reused_before_every_observer_has_seen_it() {
    let (mut game, log) = (Test::new(), Log::new());
    let paths = game.group(Test::all_of::<Path>());
    for _ in 0..2 {
        let log = log.clone();
        paths.on_left(&mut game, move |game, change| {
            let waiting = game.storage().pooled::<Path>();
            let removed = change.previous::<Path>().unwrap();
            let mut other = game.create_entity();
            other.add_path_with(|path| path.0.push(9));
            log.push(format!("{waiting} {removed:?} {:?}", other.path()));
        });
    }
    game.create_entity().add_path(vec![1, 2]).remove_path();
    log.notified(&["0 Path([1, 2]) Path([9])", "0 Path([1, 2]) Path([9])"]);
    assert_eq!(game.storage().pooled::<Path>(), 1);
}

/// ENT-037.
#[test]
fn a_replace_is_notified_once_with_the_previous_and_the_new_value() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    game.entity_mut(id).replace_a(2);
    log.notified(&["a Updated 0v1 by A: 1 to 2"]);
}

/// ENT-038.
#[test]
fn the_previous_and_the_new_value_are_there_at_the_same_time() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = game.group(Test::all_of::<Opaque>());
    let notified = log.clone();
    group.on_updated(&mut game, move |game, change| {
        let previous = change.previous::<Opaque>().unwrap();
        let present = game.entity(change.entity()).opaque();
        assert!(!std::ptr::eq(previous, present));
        notified.push(format!("{} {}", previous.0, present.0));
    });
    game.create_entity().add_opaque(1).replace_opaque(2);
    log.notified(&["1 2"]);
}

/// ENT-039.
#[test]
fn a_replace_by_an_equal_value_is_notified_like_any_other() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    game.entity_mut(id).replace_a(1);
    log.notified(&["a Updated 0v1 by A: 1 to 1"]);
}

/// ENT-039.
#[test]
fn a_change_in_place_is_notified_with_the_previous_value_if_it_is_clone() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_opaque(1).id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    let opaque = game.group(Test::all_of::<Opaque>());
    let notified = log.clone();
    opaque.on_updated(&mut game, move |_, change| {
        notified.push(format!("copied: {}", change.previous::<Opaque>().is_some()));
    });

    let mut entity = game.entity_mut(id);
    entity.update_a(|a| a.0 = 5);
    entity.update_opaque(|o| o.0 = 5);
    log.notified(&["a Updated 0v1 by A: 1 to 5", "copied: false"]);
    game.entity_mut(id).a_mut_untracked().0 = 7;
    log.notified(&[]);
}

/// ENT-040.
#[test]
fn taking_a_missing_component_does_and_notifies_nothing() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_b(2).id();
    log.group(&mut game, Test::any_of::<(A, B)>(), "ab");
    log.group(&mut game, Test::none_of::<A>(), "not a");

    let mut entity = game.entity_mut(id);
    assert_eq!(entity.take_a(), None);
    let error = entity.try_remove_a().map(drop).unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::DoesNotHaveComponent, Operation::Remove)
    );
    entity.set_d(false);
    assert_eq!(text(&game, id), "0v1(B(2))");
    log.notified(&[]);
}

/// ENT-041.
#[test]
fn a_replace_of_a_missing_component_is_notified_as_an_add() {
    let (mut game, log) = (Test::new(), Log::new());
    log.group(&mut game, Test::all_of::<A>(), "a");
    game.create_entity().replace_a(1);
    log.notified(&["a Entered 0v1 by A: - to 1"]);
}

/// ENT-042.
#[test]
fn taking_a_value_is_notified_as_a_remove_alone() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_d().id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    log.group(&mut game, Test::all_of::<D>(), "d");

    let taken = game.entity_mut(id).take_a();
    assert_eq!(taken, Some(A(1)));
    log.notified(&["a Left 0v1 by A: 1 to -"]);
    game.entity_mut(id).set_d(false);
    log.notified(&["d Left 0v1 by D: - to -"]);
}

/// ENT-043.
#[test]
fn removing_all_components_is_notified_once_for_each_in_ascending_order() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_c(3).add_a(1).add_b(2).id();
    log.group(&mut game, Test::all_of::<C>(), "c");
    log.group(&mut game, Test::all_of::<A>(), "a");
    log.group(&mut game, Test::all_of::<B>(), "b");

    game.entity_mut(id).remove_all();
    log.notified(&[
        "a Left 0v1 by A: 1 to -",
        "b Left 0v1 by B: 2 to -",
        "c Left 0v1 by C: 3 to -",
    ]);
    game.entity_mut(id).remove_all();
    log.notified(&[]);
}

/// ENT-044.
#[test]
fn a_destroy_is_notified_once() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    let bystander = game.create_entity().id();
    log.watch_lives(&mut game);

    game.entity_mut(id).destroy();
    log.notified(&["will be destroyed 0v1", "destroyed 0v1"]);
    assert!(game.contains(bystander));
}

/// ENT-052, CTX-033.
#[test]
fn destroying_an_entity_frees_its_slot_once() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    let notified = log.clone();
    game.observers().on_destroyed(move |game, dead| {
        let (alive, free) = (game.contains(dead), game.storage().reusable_entities());
        notified.push(format!("{dead:?} {alive} {free}"));
    });
    let order = log.clone();
    game.observers().on_will_be_destroyed(move |game, dying| {
        order.push(format!("{dying:?} {}", game.contains(dying)));
    });

    game.destroy(id);
    log.notified(&["0v1 true", "0v1 false 1"]);
    assert!(game.try_destroy(id).is_err());
    log.notified(&[]);
}

/// ENT-036, ENT-037.
#[test]
fn a_passed_value_stays_valid_when_an_observer_changes_the_component() {
    let mut game = Test::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let group = game.group(Test::all_of::<Path>());
    let notified = seen.clone();
    group.on_updated(&mut game, move |game, change| {
        if game.entity(change.entity()).path().0.len() < 3 {
            game.entity_mut(change.entity())
                .update_path(|path| path.0.push(0));
            game.entity_mut(change.entity()).replace_path(vec![8; 3]);
        }
        let previous = change.previous::<Path>().map(|path| path.0.clone());
        notified.lock().unwrap().push(previous);
    });
    game.create_entity().add_path(vec![1]).replace_path(vec![2]);
    assert_eq!(
        *seen.lock().unwrap(),
        [Some(vec![1]), None, Some(vec![2, 0])]
    );
}
