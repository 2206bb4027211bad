//! The context: its entities, their count, its name, and its components.

use std::any::{TypeId, type_name};

use ecs::prelude::*;

use super::world::{
    A, D, Log, Opaque, Other, OtherEntity, Path, Shared, Test, TestEntity, TestEntityMut, listed,
    text,
};

/// CTX-001.
#[test]
fn fresh_entities_are_numbered_in_order_of_creation() {
    let mut game = Test::new();
    let ids: Vec<_> = (0..3).map(|_| game.create_entity().id()).collect();
    assert_eq!(format!("{ids:?}"), "[0v1, 1v1, 2v1]");
}

/// CTX-003, CTX-004.
#[test]
fn a_new_context_has_no_entities() {
    let game = Test::new();
    assert_eq!((game.len(), game.storage().reusable_entities()), (0, 0));
    assert!(game.is_empty() && listed(&game).is_empty());
}

/// CTX-005, INI-002.
#[test]
fn created_entities_are_alive_and_of_the_type_of_their_context() {
    let mut game = Test::new();
    let entity: TestEntityMut<'_> = game.create_entity();
    let id: EntityId<Test> = entity.id();
    assert!(entity.is_alive());
    assert_eq!(entity.context().components().len(), 7);

    let entity: TestEntity<'_> = game.entity(id);
    assert_eq!(entity.context().components().len(), 7);
}

/// ACE-001, CTX-005.
#[test]
fn each_context_has_an_entity_type_and_an_id_type_of_its_own() {
    let handles = (
        TypeId::of::<TestEntity<'static>>(),
        TypeId::of::<OtherEntity<'static>>(),
    );
    let ids = (
        TypeId::of::<EntityId<Test>>(),
        TypeId::of::<EntityId<Other>>(),
    );
    assert!(handles.0 != handles.1 && ids.0 != ids.1);

    let mut other = Other::new();
    let entity: super::world::OtherEntityMut<'_> = other.create_entity();
    assert_eq!(entity.context().components().len(), 1);
}

/// CTX-006, CTX-009.
#[test]
fn names_come_from_the_types() {
    let game = Test::new();
    assert_eq!(game.to_string(), "Test");
    assert_eq!(Other::new().to_string(), "Other");
    let names: Vec<_> = game.components().iter().map(|info| info.name()).collect();
    assert_eq!(names, ["A", "B", "C", "D", "Opaque", "Path", "Shared"]);
}

/// CIN-001, CTX-010, ACI-001.
#[test]
fn a_context_knows_its_components() {
    let game = Test::new();
    let known = |at: usize| {
        let info = &game.components()[at];
        assert_eq!(info.index().get(), at);
        let kind = (info.type_id(), info.type_name());
        (
            info.name(),
            info.accessor(),
            kind,
            info.size(),
            info.is_flag(),
            info.is_pooled(),
        )
    };
    fn kind<T: 'static>() -> (TypeId, &'static str) {
        (TypeId::of::<T>(), type_name::<T>())
    }
    assert_eq!(known(0), ("A", "a", kind::<A>(), 4, false, false));
    assert_eq!(known(3), ("D", "d", kind::<D>(), 0, true, false));
    assert_eq!(
        known(4),
        ("Opaque", "opaque", kind::<Opaque>(), 1, false, false)
    );
    let size = size_of::<Path>();
    assert_eq!(
        known(5),
        ("Path", "path", kind::<Path>(), size, false, true)
    );
    assert_eq!(
        known(6),
        ("Shared", "shared", kind::<Shared>(), 8, false, false)
    );
}

/// CTX-011.
#[test]
fn entities_give_access_to_the_components_of_their_context() {
    let mut game = Test::new();
    let id = game.create_entity().id();
    let infos = game.components().as_ptr();
    assert!(std::ptr::eq(
        game.entity(id).context().components().as_ptr(),
        infos
    ));
    assert_eq!(game.entity(id).context().to_string(), "Test");
}

/// INI-001.
#[test]
fn contexts_are_created_without_preparation() {
    #[ecs::context]
    pub(crate) struct Fresh;

    let mut fresh = Fresh::default();
    let id = fresh.create_entity().id();
    assert!(fresh.contains(id) && fresh.components().is_empty());

    let (mut first, second) = (Test::new(), Test::new());
    first.create_entity().add_a(1);
    assert_eq!((first.len(), second.len()), (1, 0));
}

/// CTX-013, CTX-014, CTX-015, CTX-023.
#[test]
fn created_entities_are_counted_contained_and_listed() {
    let mut game = Test::new();
    let first = game.create_entity().id();
    assert_eq!((game.len(), listed(&game)), (1, vec![first]));
    let second = game.create_entity().id();
    assert_eq!((game.len(), listed(&game)), (2, vec![first, second]));
    assert!(game.contains(first) && game.contains(second) && !game.is_empty());
    assert_eq!(game.entities().len(), 2);
}

/// CTX-016, CTX-024.
#[test]
fn a_destroyed_entity_is_neither_counted_nor_contained_nor_listed() {
    let mut game = Test::new();
    let ids: Vec<_> = (0..3).map(|_| game.create_entity().id()).collect();
    assert_eq!(listed(&game), ids);
    game.destroy(ids[1]);

    assert_eq!((game.len(), listed(&game)), (2, vec![ids[0], ids[2]]));
    assert!(game.contains(ids[0]) && !game.contains(ids[1]) && game.contains(ids[2]));
}

/// CTX-017.
#[test]
fn a_destroyed_entity_has_no_components() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    entity.add_a(1).add_path(vec![1]);
    let id = entity.id();
    super::world::kill(&mut entity);

    assert!(!entity.is_alive() && entity.is_empty() && !entity.has_a());
    assert_eq!((entity.get_a(), entity.get_path()), (None, None));
    assert!(entity.component_indices().is_empty());
    assert!(game.get_entity(id).is_none());
    assert_eq!(game.storage().pooled::<Path>(), 1);
}

/// CTX-019.
#[test]
fn destroying_all_leaves_the_context_empty() {
    let (mut game, log) = (Test::new(), Log::new());
    let ids: Vec<_> = (0..3)
        .map(|at| game.create_entity().add_a(at).id())
        .collect();
    log.watch_lives(&mut game);
    let group = game.group(Test::all_of::<A>());

    game.destroy_all();
    assert_eq!(
        (game.len(), listed(&game), group.ids(&game)),
        (0, vec![], vec![])
    );
    assert!(ids.iter().all(|id| game.get_entity(*id).is_none()));
    log.notified(&[
        "will be destroyed 0v1",
        "will be destroyed 1v1",
        "will be destroyed 2v1",
        "destroyed 0v1",
        "destroyed 1v1",
        "destroyed 2v1",
    ]);
}

/// Creates and destroys some entities; returns the remaining ones, in order.
fn come_and_go(game: &mut Test) -> Vec<EntityId<Test>> {
    let group = game.group(Test::all_of::<A>());
    let ids = game.create_many((0..6).map(A));
    game.destroy(ids[1]);
    game.destroy(ids[4]);
    game.create_entity().add_a(7);
    game.entity_mut(ids[0]).remove_a();
    assert_eq!(group.len(game), 4);
    let mut left = listed(game);
    left.extend(group.ids(game));
    left
}

/// CTX-020.
#[test]
fn the_same_operations_give_the_same_order_in_every_context_and_after_a_reset() {
    let (mut first, mut second) = (Test::new(), Test::new());
    let order = come_and_go(&mut first);
    assert_eq!(come_and_go(&mut second), order);
    assert_eq!(
        format!("{order:?}"),
        "[0v1, 2v1, 3v1, 4v2, 5v1, 2v1, 3v1, 4v2, 5v1]"
    );

    first.reset();
    let again: Vec<_> = come_and_go(&mut first)
        .iter()
        .map(|id| id.index())
        .collect();
    assert_eq!(again, [0, 2, 3, 4, 5, 2, 3, 4, 5]);
}

/// CTX-059.
#[test]
fn a_reset_starts_the_slots_over_but_never_the_generations() {
    let mut game = Test::new();
    let before = [0; 3].map(|_| game.create_entity().add_a(1).id());
    game.destroy(before[1]);
    game.reset();
    assert!(game.is_empty());

    let after = [0; 3].map(|_| game.create_entity().id());
    assert_eq!(format!("{after:?}"), "[0v2, 1v2, 2v2]");
    assert!(before.iter().all(|id| !game.contains(*id)));
    assert!(after.iter().all(|id| game.entity(*id).is_empty()));
}

/// CTX-021.
#[test]
fn destroying_all_succeeds_despite_live_ids_and_a_reset_clears_collectors() {
    let mut game = Test::new();
    let collector = game.collector(Test::all_of::<A>().entered_or_updated());
    let id = game.create_entity().add_a(1).id();
    game.destroy_all();
    assert!(game.is_empty() && !game.contains(id));
    assert_eq!(collector.ids(&game), [id]);

    game.reset();
    assert!(collector.is_empty(&game));
    let next = game.create_entity().add_a(2).id();
    assert_eq!(collector.drain(&mut game), [next]);
}

/// CTX-014.
#[test]
fn an_id_of_another_context_is_of_another_type_even_if_its_bits_are_the_same() {
    let (mut game, mut other) = (Test::new(), Other::new());
    let ours = game.create_entity().add_shared(1, 2).id();
    let theirs = other.create_entity().add_shared(3, 4).id();
    assert_eq!(ours.to_bits(), theirs.to_bits());
    assert_eq!(game.entity(ours).shared(), &Shared { x: 1, y: 2 });
    assert_eq!(other.entity(theirs).shared(), &Shared { x: 3, y: 4 });
    assert_eq!(text(&game, ours), "0v1(Shared { x: 1, y: 2 })");
}
