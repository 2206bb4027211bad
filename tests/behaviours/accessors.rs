//! The generated accessors of components, and the typed index of a component.

use ecs::prelude::*;

use super::world::{D, Log, Shared, Test, text};

/// ACC-001, ACC-002, ACC-003, ACC-007.
#[test]
fn a_flag_is_added_asked_for_and_removed() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    assert!(!entity.has_d() && !entity.is_d());
    entity.add_d();
    assert!(entity.has_d() && entity.is_d());
    assert_eq!(format!("{entity:?}"), "0v1(D)");
    entity.remove_d();
    assert!(!entity.has_d() && !entity.is_d());
    assert_eq!(format!("{entity:?}"), "0v1");
}

/// ACC-004.
#[test]
fn the_value_of_a_flag_can_be_read() {
    let mut game = Test::new();
    let id = game.create_entity().add_d().id();
    assert_eq!(
        (game.entity(id).get::<D>(), game.entity(id).component::<D>()),
        (Some(&D), &D)
    );
    game.entity_mut(id).remove_d();
    assert_eq!(game.entity(id).get::<D>(), None);
}

/// ACC-005.
#[test]
fn a_flag_takes_no_storage() {
    let mut game = Test::new();
    let flags: Vec<_> = game
        .components()
        .iter()
        .filter(|info| info.is_flag())
        .map(|info| (info.name(), info.size()))
        .collect();
    assert_eq!(flags, [("D", 0)]);
    let ids = game.create_many((0..100).map(|_| D));
    assert!(ids.iter().all(|id| game.entity(*id).is_d()));
    game.entity_mut(ids[70]).remove_d();
    assert_eq!(ids.iter().filter(|id| game.entity(**id).is_d()).count(), 99);
}

/// ACC-006.
#[test]
fn replacing_a_flag_notifies_an_update() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_d().id();
    let group = log.group(&mut game, Test::all_of::<D>(), "d");
    let collector = game.collector(Test::all_of::<D>().entered_or_updated());
    let notified = log.clone();
    group.on_updated(&mut game, move |_, change| {
        notified.push(format!("was {:?}", change.previous::<D>()));
    });

    game.entity_mut(id).replace_d();
    log.notified(&["d Updated 0v1 by D: - to -", "was Some(D)"]);
    assert_eq!(collector.drain(&mut game), [id]);
    game.entity_mut(id).set_d(true);
    log.notified(&[]);
}

/// ACC-008, ACC-009, ACC-010, ACC-011, ACC-015.
#[test]
fn a_value_is_added_by_its_fields_asked_for_read_and_removed() {
    let mut game = Test::new();
    let mut entity = game.create_entity();
    assert!(!entity.has_shared());
    assert_eq!(entity.get_shared(), None);

    entity.add_shared(1, 2);
    assert!(entity.has_shared());
    assert_eq!((entity.shared().x, entity.shared().y), (1, 2));
    assert_eq!(entity.get_shared(), Some(&Shared { x: 1, y: 2 }));

    entity.remove_shared();
    assert!(!entity.has_shared());
    entity.add(Shared { x: 3, y: 4 });
    assert_eq!(entity.shared(), &Shared { x: 3, y: 4 });
}

/// ACC-012.
#[test]
fn a_value_is_replaced_by_its_fields_and_calls_are_chained() {
    let mut game = Test::new();
    let id = game
        .create_entity()
        .add_shared(1, 2)
        .replace_shared(3, 4)
        .add_d()
        .replace_a(5)
        .id();
    assert_eq!(text(&game, id), "0v1(A(5), D, Shared { x: 3, y: 4 })");
}

/// ACI-001, ACI-002, ACI-003.
#[test]
fn the_indices_of_components_are_equal_where_the_components_are() {
    let mut game = Test::new();
    let both = game.create_entity().add_b(2).add_a(1).id();
    let one = game.create_entity().add_a(1).id();
    let (both, one) = (
        game.entity(both).component_indices(),
        game.entity(one).component_indices(),
    );
    assert_eq!((both[0], both[0].get()), (one[0], 0));
    assert_ne!(both[1], one[0]);
    assert!(both[0] < both[1]);
    assert_eq!(game.components()[one[0].get()].index(), one[0]);
}
