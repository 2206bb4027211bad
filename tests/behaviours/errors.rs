//! Error messages.

use ecs::prelude::*;

use super::world::{A, Test, TestEntityMut, kill, text};
use support::panic_of;

const DEAD: &str =
    "it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`";

/// The message of the error from the `try_` form; the plain form must panic with it.
#[track_caller]
fn said<R>(error: Error, plain: impl FnOnce() -> R) -> String {
    let text = error.to_string();
    assert_eq!(panic_of(plain), text);
    text
}

/// A dead entity that had components.
fn with_dead(test: impl FnOnce(&mut TestEntityMut<'_>)) {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_a(1);
    kill(&mut entity);
    test(&mut entity);
}

/// ERR-001.
#[test]
fn adding_to_a_dead_entity_says_component_entity_and_that_it_is_dead() {
    with_dead(|entity| {
        let error = entity.try_add_a(2).unwrap_err();
        assert_eq!(
            said(error, || entity.add_a(2)),
            format!("cannot add component `A` to entity 0v1 of context `Test`: {DEAD}")
        );
    });
}

/// ERR-002.
#[test]
fn removing_from_a_dead_entity_says_component_entity_and_that_it_is_dead() {
    with_dead(|entity| {
        let error = entity.try_remove_a().unwrap_err();
        assert_eq!(
            said(error, || entity.remove_a()),
            format!("cannot remove component `A` from entity 0v1 of context `Test`: {DEAD}")
        );
    });
}

/// ERR-003.
#[test]
fn replacing_on_a_dead_entity_says_component_entity_and_that_it_is_dead() {
    with_dead(|entity| {
        let error = entity.try_replace(A(2)).unwrap_err();
        assert_eq!(
            said(error, || entity.replace_a(2)),
            format!("cannot replace component `A` of entity 0v1 of context `Test`: {DEAD}")
        );
    });
}

/// ERR-004.
#[test]
fn adding_twice_names_component_entity_and_remedy() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_a(1).add_b(2);
    let error = entity.try_add_a(3).unwrap_err();
    assert_eq!(
        said(error, || entity.add_a(3)),
        "cannot add component `A` to entity 0v1 of context `Test`: it already has one; \
         check `has_a` first or use `replace_a`"
    );
    assert_eq!(format!("{entity:?}"), "0v1(A(1), B(2))");
}

/// ERR-005.
#[test]
fn removing_a_missing_component_names_component_entity_and_remedy() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_b(2);
    let error = entity.try_remove_a().unwrap_err();
    assert_eq!(
        said(error, || entity.remove_a()),
        "cannot remove component `A` from entity 0v1 of context `Test`: it has none; \
         check `has_a` first or use `try_remove_a`"
    );
    assert_eq!(format!("{entity:?}"), "0v1(B(2))");
}

/// ERR-006.
#[test]
fn reading_a_missing_component_names_component_entity_and_remedy() {
    let mut game = Test::new();
    let id = game.create_entity().add_b(2).id();
    let text = panic_of(|| game.entity(id).a().clone());
    assert_eq!(
        text,
        "cannot read component `A` of entity 0v1 of context `Test`: it has none; \
         check `has_a` first or use `get_a`"
    );
    let exclusive = panic_of(|| game.entity_mut(id).a().clone());
    assert_eq!(exclusive, text);
}

/// ERR-001, ERR-004, ERR-005.
#[test]
fn errors_carry_their_details() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    let id = entity.id();
    let error = entity.try_remove_a().unwrap_err();
    assert_eq!((error.entity(), error.context()), (Some(id.raw()), "Test"));
    assert_eq!(error.component().map(|names| names.component), Some("A"));

    kill(&mut entity);
    let error = entity.try_add_b(1).unwrap_err();
    assert_eq!((error.entity(), error.context()), (Some(id.raw()), "Test"));
    assert_eq!(error.component().map(|names| names.component), Some("B"));
    let error = game.try_destroy(id).unwrap_err();
    assert_eq!((error.entity(), error.component()), (Some(id.raw()), None));
}

/// ERR-009.
#[test]
fn asking_for_one_of_several_names_the_group_count_and_members() {
    let mut game = Test::new();
    let group = game.group(Test::all_of::<A>());
    let ids = game.create_many([A(1), A(2)]);
    game.entity_mut(ids[1]).add_d();
    let said = panic_of(|| group.single(&game).is_none());
    assert!(
        said.contains("group AllOf(A) of context `Test` has 2 entities"),
        "{said}"
    );
    for id in ids {
        assert!(said.contains(&text(&game, id)), "{said}");
    }
}

/// ERR-012.
#[test]
fn destroying_all_never_fails_and_collectors_keep_their_entities() {
    let mut game = Test::new();
    let collector = game.collector(Test::all_of::<A>().entered());
    game.create_many([A(1), A(2)]);
    game.destroy_all();
    assert_eq!(
        collector.display(&game).to_string(),
        "Collector(AllOf(A) {Entered}, entities: 2)"
    );
    assert!(collector.ids(&game).iter().all(|id| !game.contains(*id)));
}

/// EXC-001.
#[test]
fn an_error_names_operation_reason_and_remedy() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_a(1);
    let rejected = [
        entity.try_add_a(2).map(drop).unwrap_err(),
        entity.try_remove_b().map(drop).unwrap_err(),
        entity.try_update_b(|_| ()).map(drop).unwrap_err(),
    ];
    let id = entity.id();
    game.destroy(id);
    let dead = [
        game.try_destroy(id).unwrap_err(),
        game.try_entity(id).map(drop).unwrap_err(),
    ];
    for error in rejected.into_iter().chain(dead) {
        let text = error.to_string();
        let (rejected, rest) = text.split_once(": ").unwrap();
        assert!(rejected.starts_with("cannot ") && rejected.ends_with("of context `Test`"));
        let (why, remedy) = rest.split_once("; ").unwrap();
        assert!(!why.is_empty() && !remedy.is_empty(), "{text}");
    }
}
