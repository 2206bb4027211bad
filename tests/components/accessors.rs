//! Accessors that are named otherwise or omitted, components of other crates' types, and default values by index.

use std::time::Duration;

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut};

#[derive(Component)]
#[component(context = Game, flag_prefix = "can")]
struct Fly;

#[derive(Component)]
#[component(context = Game, unique, flag_prefix = "was")]
struct Won;

#[derive(Component, Default, Debug, PartialEq)]
#[component(context = Game, no_accessors, hidden)]
struct Secret {
    value: u32,
}

/// A component of a context in another crate needs no traits without accessors.
#[derive(Component)]
#[component(context = support::game::Game, no_accessors)]
struct Plain(u8);

#[derive(Component, Default)]
#[component(context = Game, pooled(keep = 3))]
struct Route(Vec<u32>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Part(#[component(relation(reverse = parts, acyclic))] EntityId<Game>);

ecs::foreign!(pub(crate) Game: Duration as lifetime, Option<EntityId<Game>> as aim, [u8; 2] as bytes);

#[test]
fn flag_prefix_names_the_reader_of_a_flag() {
    let mut game = Game::new();
    let id = game.create_entity().set_fly(true).id();
    assert!(game.entity(id).can_fly() && game.entity(id).has_fly());
    assert!(game.entity_mut(id).set_fly(false).has_fly() == game.entity(id).can_fly());
    game.set_won(true);
    assert!(game.was_won() && game.entities().any(|entity| entity.was_won()));
}

#[test]
fn without_accessors_a_component_is_used_by_its_type() {
    let mut game = Game::new();
    let mut entity = game.create_with(Secret { value: 3 });
    entity.update(|secret: &mut Secret| secret.value += 1);
    let id = entity.id();
    assert_eq!(game.entity(id).get::<Secret>(), Some(&Secret { value: 4 }));
    assert_eq!(game.group(Game::all_of::<Secret>()).len(&game), 1);
    let mut other = support::game::Game::new();
    assert_eq!(other.create_with(Plain(7)).component::<Plain>().0, 7);
}

#[test]
fn a_component_says_whether_it_is_hidden() {
    let game = Game::new();
    let is_hidden = |name| game.components().find(name).unwrap().is_hidden();
    assert!(is_hidden("Secret") && !is_hidden("Fly"));
}

#[test]
fn a_pool_keeps_as_many_values_as_its_attribute_says() {
    let mut game = Game::new();
    let ids = game.create_many((0..9).map(|n| Route(vec![n])));
    game.many(&ids).remove::<Route>();
    assert_eq!(game.storage().pooled::<Route>(), 3);
    game.many(&ids[..2]).add_with(|_| Route::default());
    game.entity_mut(ids[8])
        .add_route_with(|route| assert!(route.0.is_empty()));
    assert_eq!(game.storage().pooled::<Route>(), 2);
}

#[test]
fn types_of_other_crates_are_components() {
    let mut game = Game::new();
    let hero = game
        .create_entity()
        .add_lifetime(Duration::from_secs(2))
        .id();
    let mut foe = game.create_with(([1_u8, 2], Some(hero)));
    foe.update_bytes(|bytes| bytes.swap(0, 1));
    assert_eq!((foe.bytes(), foe.aim()), (&[2, 1], &Some(hero)));
    assert_eq!(game.entity(hero).lifetime().as_secs(), 2);
    assert_eq!(format!("{:?}", game.entity(hero)), "0v1(2s)");
    let info = game.components().find("Duration").unwrap();
    assert_eq!((info.accessor(), info.is_clone()), ("lifetime", true));
    assert_eq!(
        game.query::<(&[u8; 2], &Option<EntityId<Game>>)>()
            .iter()
            .count(),
        1
    );
}

#[test]
fn ids_in_a_component_of_another_crate_are_mapped() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    game.entity_mut(id).add_aim(Some(id)); // at itself
    let copy = game.clone_tree::<Part>(id).id();
    assert_eq!(game.entity(copy).aim(), &Some(copy));
}

#[test]
fn a_default_value_is_created_by_index_or_name() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    for name in ["Secret", "Fly", "Duration"] {
        let index = game.components().find(name).unwrap().index();
        let value = game.components().create_default(index).unwrap();
        game.entity_mut(id).dynamic().try_add(index, value).unwrap();
    }
    let entity = game.entity(id);
    assert_eq!(entity.component::<Secret>(), &Secret::default());
    assert!(entity.can_fly() && entity.lifetime().is_zero());
    let without = game.components().find("Position").unwrap().index();
    assert!(game.components().create_default(without).is_none());
}
