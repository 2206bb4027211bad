//! A single entity: its components, queries, and text.

use ecs::Operation;
use ecs::prelude::*;

use super::world::{A, B, C, D, Log, Opaque, Test, kinds, text};
use support::panic_of;

/// ENT-002, ENT-005.
#[test]
fn a_new_entity_is_alive_and_its_context_knows_the_kinds_it_could_have() {
    let mut game = Test::new();
    let id = game.create_entity().id();

    assert!(game.contains(id));
    let entity = game.entity(id);
    assert_eq!((entity.id(), entity.component_indices().len()), (id, 0));
    let known: Vec<_> = entity
        .context()
        .components()
        .iter()
        .map(|info| info.name())
        .collect();
    assert_eq!(known, ["A", "B", "C", "D", "Opaque", "Path", "Shared"]);
}

/// ENT-003.
#[test]
fn a_slot_is_used_again_by_another_entity_and_the_old_id_stays_dead() {
    let mut game = Test::new();
    let old = game.create_entity().add_a(1).id();
    game.destroy(old);
    let new = game.create_entity().id();

    assert_eq!(new.index(), old.index());
    assert_eq!((old.generation(), new.generation()), (1, 2));
    assert!(game.contains(new) && !game.contains(old));
    assert!(game.get_entity(old).is_none() && game.get_entity_mut(old).is_none());
    assert_eq!(game.entity(new).context().to_string(), "Test");

    game.destroy(new);
    assert!(!game.contains(old));
}

/// ENT-004.
#[test]
fn reading_a_component_that_is_not_there_is_an_error() {
    let mut game = Test::new();
    let id = game.create_entity().add_b(2).id();

    assert_eq!(game.entity(id).get_a(), None);
    let text = panic_of(|| game.entity(id).a().clone());
    assert!(
        text.starts_with("cannot read component `A` of entity 0v1"),
        "{text}"
    );
    let text = panic_of(|| game.entity_mut(id).a().clone());
    assert!(
        text.starts_with("cannot read component `A` of entity 0v1"),
        "{text}"
    );
}

/// ENT-006, ENT-007, ENT-008, ENT-009, ENT-010, ENT-019.
#[test]
fn an_empty_entity_has_and_lists_nothing() {
    let mut game = Test::new();
    let id = game.create_entity().id();
    let entity = game.entity(id);

    assert!(entity.is_empty());
    assert_eq!(text(&game, id), "0v1");
    assert!(entity.component_indices().is_empty());
    assert!(!entity.has::<A>() && !entity.has_a());
    assert!(!entity.has_all::<(A, B)>() && !entity.has_all::<A>());
    assert!(!entity.has_any::<(A, B)>() && !entity.has_any::<A>());
}

/// ENT-011, ENT-020.
#[test]
fn an_added_component_reads_back_and_is_listed() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).id();
    let entity = game.entity(id);

    assert_eq!((entity.a(), entity.get::<A>()), (&A(1), Some(&A(1))));
    assert_eq!(
        (kinds(&game, id), text(&game, id)),
        (vec!["A"], "0v1(A(1))".to_string())
    );
    assert!(entity.has_a() && entity.has_all::<A>() && entity.has_any::<A>());
    assert!(!entity.is_empty());
}

/// ENT-012.
#[test]
fn removing_a_component_that_is_not_there_is_an_error() {
    let mut game = Test::new();
    let log = Log::new();
    log.group(&mut game, Test::any_of::<(A, B)>(), "ab");
    let id = game.create_entity().add_b(2).id();
    log.notified(&["ab Entered 0v1 by B: - to 2"]);

    let mut entity = game.entity_mut(id);
    let error = entity.try_remove_a().unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::DoesNotHaveComponent, Operation::Remove)
    );
    assert!(panic_of(|| entity.remove_a()).contains(&error.to_string()));
    assert_eq!(text(&game, id), "0v1(B(2))");
    log.notified(&[]);
}

/// ENT-013.
#[test]
fn replacing_a_component_that_is_not_there_adds_it() {
    let mut game = Test::new();
    let id = game.create_entity().replace_a(1).id();
    assert_eq!(text(&game, id), "0v1(A(1))");
}

/// ENT-014.
#[test]
fn adding_a_component_that_is_there_is_an_error_and_changes_nothing() {
    let mut game = Test::new();
    let log = Log::new();
    log.group(&mut game, Test::all_of::<A>(), "a");
    let added = game.collector(Test::all_of::<A>().entered_or_updated());
    let id = game.create_entity().add_a(1).id();
    log.notified(&["a Entered 0v1 by A: - to 1"]);
    added.clear(&mut game);

    let mut entity = game.entity_mut(id);
    let error = entity.try_add_a(2).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));
    assert!(panic_of(|| entity.add_a(3)).contains(&error.to_string()));
    assert_eq!(text(&game, id), "0v1(A(1))");
    assert!(added.is_empty(&game));
    log.notified(&[]);
}

/// ENT-015, ENT-055.
#[test]
fn a_removed_component_is_neither_had_nor_listed() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).add_b(2).id();
    assert_eq!(kinds(&game, id), ["A", "B"]);
    game.entity_mut(id).remove_a();

    let entity = game.entity(id);
    assert!(!entity.has_a() && !entity.has_all::<A>() && !entity.has_any::<A>());
    assert_eq!((entity.get_a(), entity.get_b()), (None, Some(&B(2))));
    assert_eq!(
        (kinds(&game, id), text(&game, id)),
        (vec!["B"], "0v1(B(2))".to_string())
    );
}

/// ENT-016, ENT-056.
#[test]
fn a_replaced_component_has_the_new_value_and_stays_the_one_of_its_kind() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).add_b(2).id();
    let before = game.entity(id).component_indices();
    game.entity_mut(id).replace_a(3);

    assert_eq!(game.entity(id).a(), &A(3));
    assert_eq!(game.entity(id).component_indices(), before);
    assert_eq!(text(&game, id), "0v1(A(3), B(2))");
}

/// ENT-009, ENT-010, ENT-017, ENT-018, ENT-023, ENT-024.
#[test]
fn several_components_are_asked_for_at_once() {
    let mut game = Test::new();
    let id = game.create_entity().add_b(2).add_a(1).id();
    let entity = game.entity(id);

    assert!(entity.has_a() && entity.has_b() && !entity.has_c());
    assert!(entity.has_all::<(A, B)>() && !entity.has_all::<(A, B, C)>());
    assert!(entity.has_any::<(B, C)>() && !entity.has_any::<(C, D)>());

    let entity = game.entity_mut(id);
    assert!(entity.has_all::<(A, B)>() && !entity.has_all::<(A, C)>());
    assert!(entity.has_any::<(C, A)>() && !entity.has_any::<C>());
}

/// ENT-021, ENT-022, ENT-054, ENT-057.
#[test]
fn the_listings_hold_exactly_the_added_components() {
    let mut game = Test::new();
    let id = game.create_entity().add_b(2).id();
    assert_eq!(
        (kinds(&game, id), text(&game, id)),
        (vec!["B"], "0v1(B(2))".to_string())
    );

    game.entity_mut(id).add_a(1);
    assert_eq!(kinds(&game, id), ["A", "B"]);
    assert_eq!(text(&game, id), "0v1(A(1), B(2))");

    game.entity_mut(id).replace_c(3);
    assert_eq!(kinds(&game, id), ["A", "B", "C"]);
    assert_eq!(text(&game, id), "0v1(A(1), B(2), C(3))");
}

/// ENT-025, ENT-059.
#[test]
fn removing_all_components_leaves_the_listings_empty() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).add_b(2).add_d().id();
    game.entity_mut(id).remove_all();

    let entity = game.entity(id);
    assert!(entity.is_empty() && !entity.has_a() && !entity.has_b() && !entity.has_d());
    assert!(entity.component_indices().is_empty());
    assert_eq!(text(&game, id), "0v1");
    assert!(game.contains(id));

    game.entity_mut(id).remove_all();
    assert!(game.entity(id).is_empty());
}

/// ENT-026, ENT-027.
#[test]
fn an_entity_as_text_is_its_id_and_the_text_of_its_components() {
    let mut game = Test::new();
    game.create_entity();
    let id = game.create_entity().add_a(1).add_d().add_path(vec![4]).id();

    assert_eq!(text(&game, id), "1v1(A(1), D, Path([4]))");
    assert_eq!(
        format!("{:?}", game.entity_mut(id)),
        "1v1(A(1), D, Path([4]))"
    );
    game.destroy(id);
    let again = game.create_entity().id();
    assert_eq!(text(&game, again), "1v2");
}

/// ENT-028.
#[test]
fn a_component_without_debug_shows_its_full_type_name() {
    let mut game = Test::new();
    let id = game.create_entity().add_opaque(7).id();
    assert_eq!(
        text(&game, id),
        format!("0v1({})", std::any::type_name::<Opaque>())
    );
}

/// ENT-061, ENT-062, ENT-063, ENT-064.
#[test]
fn the_text_follows_every_change() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    let mut texts = vec![format!("{entity:?}")];
    entity.add_a(1).add_b(2);
    texts.push(format!("{entity:?}"));
    entity.replace_a(3);
    texts.push(format!("{entity:?}"));
    entity.update_b(|b| b.0 += 2);
    texts.push(format!("{entity:?}"));
    entity.remove_a();
    texts.push(format!("{entity:?}"));
    entity.remove_all();
    texts.push(format!("{entity:?}"));

    assert_eq!(
        texts,
        [
            "0v1",
            "0v1(A(1), B(2))",
            "0v1(A(3), B(2))",
            "0v1(A(3), B(4))",
            "0v1(B(4))",
            "0v1"
        ]
    );
}

/// ENT-045, ENT-046.
#[test]
fn holding_an_id_keeps_nothing_alive_and_dropping_it_destroys_nothing() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).id();
    let mut held = vec![id; 3];
    held.clear();
    assert!(game.contains(id));
    assert_eq!(game.entity(id).a(), &A(1));

    held.push(id);
    game.destroy(id);
    assert_eq!((game.len(), game.storage().reusable_entities()), (0, 1));
    assert!(!game.contains(held[0]));
    let next = game.create_entity().id();
    assert!(next != held[0] && !game.contains(held[0]));
}
