//! Unique components through the accessors of the context.

use ecs::prelude::*;

use super::world::{Game, GameEntity, GameEntityMut};
use support::panic_of;

#[derive(Component)]
#[component(context = Game, unique)]
struct Loading;

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, unique)]
struct User {
    name: &'static str,
    age: u8,
}

#[derive(Component)]
#[component(context = Game)]
struct Tag(u8);

/// UNQ-001, UNQ-009.
#[test]
fn a_flag_is_not_set_at_first() {
    let game = Game::new();
    assert!(!game.is_loading() && !game.has_loading());
    assert!(game.loading_entity().is_none());
}

/// UNQ-002, UNQ-003, UNQ-008, GEN-016.
#[test]
fn setting_a_flag_creates_its_entity_and_returns_it() {
    let mut game = Game::new();
    let entity = game.set_loading(true).unwrap();
    assert!(entity.is_loading());
    let id = entity.id();
    assert!(game.is_loading() && game.has_loading());
    assert_eq!(game.loading_entity().map(|entity| entity.id()), Some(id));
    assert_eq!(game.len(), 1);
}

/// UNQ-004, UNQ-005.
#[test]
fn setting_a_flag_that_is_set_gives_the_same_entity() {
    let mut game = Game::new();
    let first = game.set_loading(true).unwrap().id();
    let second = game.set_loading(true).unwrap().id();
    assert_eq!((first, game.len()), (second, 1));
}

/// UNQ-006, for an entity without other components; otherwise use `destroy_loading_entity`.
#[test]
fn unsetting_a_flag_destroys_an_entity_without_other_components() {
    let mut game = Game::new();
    let id = game.set_loading(true).unwrap().id();
    assert!(game.set_loading(false).is_none());
    assert!(!game.contains(id) && !game.is_loading());
}

/// UNQ-006, the part that differs.
#[test]
fn unsetting_a_flag_leaves_an_entity_that_has_other_components() {
    let mut game = Game::new();
    let id = game.set_loading(true).unwrap().add_tag(1).id();
    assert!(game.set_loading(false).is_none());
    assert!(game.entity(id).has_tag() && !game.is_loading());
    game.entity_mut(id).add_loading();
    game.destroy_loading_entity();
    assert!(!game.contains(id) && !game.is_loading());
}

/// UNQ-007.
#[test]
fn unsetting_a_flag_that_is_not_set_does_nothing() {
    let mut game = Game::new();
    assert!(game.set_loading(false).is_none());
    assert!(game.is_empty());
}

/// UNQ-010, UNQ-020.
#[test]
fn a_value_is_not_set_at_first() {
    let game = Game::new();
    assert!(!game.has_user() && game.user_entity().is_none());
}

/// UNQ-011, UNQ-013, UNQ-014, GEN-017.
#[test]
fn setting_a_value_creates_an_entity_with_it() {
    let mut game = Game::new();
    let id = game.set_user("Ada", 36).id();
    let ada = User {
        name: "Ada",
        age: 36,
    };
    assert!(game.has_user());
    assert_eq!((game.user(), game.get_user()), (&ada, Some(&ada)));
    assert_eq!(game.entity(id).user(), &ada);
    assert_eq!(game.user_entity().map(|entity| entity.id()), Some(id));
}

/// UNQ-012: Entitas rejects a second set, which replaces the value here.
#[test]
fn creating_a_second_owner_is_rejected() {
    let mut game = Game::new();
    game.set_user("Ada", 36);
    let text = "cannot add component `User` to a new entity of context `Game`: it is unique, and \
                entity 0v1 has it; on the context, check `has_user` first or use `set_user`";
    let bea = || User {
        name: "Bea",
        age: 40,
    };
    assert_eq!(panic_of(|| game.create_with(bea()).id()), text);
    let error = game.try_create_with(bea()).err().unwrap();
    assert_eq!(error.to_string(), text);
    assert_eq!((game.user().name, game.len()), ("Ada", 1));
    game.set_user("Bea", 40);
    assert_eq!((game.user().name, game.len()), ("Bea", 1));
}

/// UNQ-015.
#[test]
fn reading_a_value_that_is_not_set_says_so() {
    let game = Game::new();
    assert!(game.get_user().is_none());
    assert_eq!(
        panic_of(|| game.user().age),
        "cannot read unique component `User` of context `Game`: no entity has it; check \
         `has_user` first or use `get_user`"
    );
}

/// UNQ-016.
#[test]
fn replacing_changes_the_value_on_the_same_entity() {
    let mut game = Game::new();
    let first = game.set_user("Ada", 36).id();
    let second = game.set_user("Bea", 40).id();
    assert_eq!((first, game.user().name), (second, "Bea"));
}

/// UNQ-017.
#[test]
fn replacing_an_unset_value_creates_the_entity() {
    let mut game = Game::new();
    let id = game.set_user("Ada", 36).id();
    assert_eq!(game.entity(id).user().age, 36);
}

/// UNQ-018; use `destroy_user_entity` if the entity has other components.
#[test]
fn removing_a_value_destroys_an_entity_without_other_components() {
    let mut game = Game::new();
    let nameless = game.set_user("Ada", 36).id();
    game.remove_user();
    assert!(!game.contains(nameless) && !game.has_user());

    let id = game.set_user("Ada", 36).add_tag(1).id();
    game.remove_user();
    assert!(game.entity(id).has_tag() && !game.has_user());
    game.entity_mut(id).add_user("Ada", 36);
    game.destroy_user_entity();
    assert!(!game.contains(id) && !game.has_user());
}

/// UNQ-019.
#[test]
fn removing_an_unset_value_or_flag_is_rejected() {
    let mut game = Game::new();
    assert_eq!(
        panic_of(|| game.remove_user()),
        "cannot remove unique component `User` of context `Game`: no entity has it; check \
         `has_user` first or use `try_remove_user`"
    );
    assert!(panic_of(|| game.remove_loading()).contains("no entity has it"));
    assert!(game.try_remove_user().is_err() && game.try_remove_loading().is_err());
}
