//! `ComponentHandle`: what it refers to, and how it is stored, saved and copied.

use std::collections::HashSet;

use ecs::ComponentHandle;
use ecs::prelude::*;

use support::game::{ChildOf, Frozen, Game, GameEntity, GameEntityMut, Health, Id, Seat};
use support::panic_of;

type ToHealth = ComponentHandle<Game, Health>;

#[derive(Component, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[component(context = Game, extension)]
struct Aim(ComponentHandle<Game, Frozen>);

fn hero(game: &mut Game) -> (Id, ToHealth) {
    let id = game.create_with(Health(3)).id();
    (id, ComponentHandle::new(id))
}

#[test]
fn a_handle_is_alive_while_its_entity_has_the_component() {
    let mut game = Game::new();
    let (id, health) = hero(&mut game);
    assert_eq!((health.id(), health.get(&game)), (id, Some(&Health(3))));
    game.entity_mut(id).remove_health();
    assert!(!health.is_alive(&game) && health.get(&game).is_none());
    assert_eq!(health.update(&mut game, |_| panic!("not called")), None);
    game.entity_mut(id).add_health(4);
    assert_eq!(
        health.get(&game),
        Some(&Health(4)),
        "another value of the same entity"
    );
    game.destroy(id);
    game.create_with(Health(5)); // in the same slot
    assert!(!health.is_alive(&game));
}

#[test]
fn an_update_by_a_handle_is_an_update() {
    let mut game = Game::new();
    let (id, health) = hero(&mut game);
    let changed = game.collector(Game::all_of::<Health>().updated());
    assert_eq!(
        health.update(&mut game, |it| {
            it.0 += 1;
            it.0
        }),
        Some(4)
    );
    assert_eq!(changed.drain(&mut game), [id]);
    game.create_with(Seat(1));
    let seat = game.create_with(Seat(2)).id();
    let seat = ComponentHandle::<Game, Seat>::new(seat);
    let message = panic_of(|| seat.update(&mut game, |seat| seat.0 = 1));
    assert!(message.contains("Seat"), "{message}");
    assert_eq!(seat.get(&game), Some(&Seat(2)));
}

#[test]
fn handles_are_compared_hashed_and_printed() {
    let mut game = Game::new();
    let (id, health) = hero(&mut game);
    let other = ToHealth::new(game.create_entity().id());
    assert_eq!(HashSet::from([health, health, other]).len(), 2);
    assert_eq!(size_of::<ToHealth>(), size_of::<Id>());
    assert_eq!(format!("{health:?}"), format!("Health({id})"));
    let frozen = ComponentHandle::<Game, Frozen>::new(id);
    assert!(!frozen.is_alive(&game));
}

#[test]
fn a_stored_handle_is_saved_and_mapped_like_its_id() {
    let mut game = Game::new();
    let id = game.create_entity().add_frozen().id();
    game.entity_mut(id).add_aim(ComponentHandle::new(id)); // at itself
    let copied = game.clone_tree::<ChildOf>(id).id();
    assert_eq!(game.entity(copied).aim().0.id(), copied);
    let save = serde_json::to_string(&game.save().only([id])).unwrap();
    let merged = game
        .merge(&mut serde_json::Deserializer::from_str(&save))
        .unwrap();
    assert_eq!(game.entity(merged[0]).aim().0.id(), merged[0]);
    assert!(game.entity(merged[0]).aim().0.is_alive(&game));
    assert_eq!(game.entity(id).aim().0.id(), id);
}
