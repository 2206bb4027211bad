//! Rejected changes leave no trace in a history or in later ids.

use ecs::prelude::*;

use support::game::{ChildOf, Game, GameEntity, GameEntityMut, Health, Id, Seat, Targets, Touchy};
use support::panic_of;

/// A relation to an entity, dead or alive; adding one to a dead target is rejected.
#[derive(Component, Clone, Hash)]
#[component(context = Game, extension, transient)]
struct LastSeen(#[component(relation(on_target_destroyed = keep))] Id);

/// A ship with a sail that cannot be copied, and a free slot.
fn ship(game: &mut Game) -> Id {
    let ship = game.create_with(Seat(1)).id();
    let gone = game.create_entity().id();
    game.create_with((ChildOf { parent: ship }, LastSeen(gone)));
    game.destroy(gone);
    ship
}

fn ids_to_come(game: &mut Game) -> Vec<Id> {
    (0..4)
        .map(|nth| game.create_with(Health(nth)).id())
        .collect()
}

/// A rejected change in a game with a ship.
type Rejection = fn(&mut Game, Id);

fn rejections() -> [(&'static str, Rejection); 4] {
    [
        ("a copy of a tree", |game, ship| {
            let tree = CloneOptions::all()
                .without::<Seat>()
                .with_descendants::<ChildOf>();
            assert!(tree.try_clone_entity(game, ship).is_err());
        }),
        ("a copy of a tree by a panic", |game, ship| {
            game.create_with((ChildOf { parent: ship }, Touchy(true)));
            let tree = CloneOptions::all().without::<(LastSeen, Seat)>();
            let tree = tree.with_descendants::<ChildOf>();
            panic_of(|| _ = tree.try_clone_entity(game, ship));
        }),
        ("a bundle", |game, _| {
            game.create_entity(); // so that no slot is free
            assert!(game.try_create_with((Health(1), Seat(1))).is_err());
        }),
        ("bundles", |game, _| {
            assert!(game.try_create_many([(Health(1), Seat(1))]).is_err());
        }),
    ]
}

#[test]
fn later_ids_are_the_same_after_a_rewind_past_a_rejection() {
    for (what, reject) in rejections() {
        let mut expected = Game::new();
        ship(&mut expected);
        let expected = ids_to_come(&mut expected);
        let mut game = Game::new();
        let ship = ship(&mut game);
        let history = game.record();
        let start = history.mark(&mut game);
        reject(&mut game, ship);
        let later = history.mark(&mut game);
        history.rewind(&mut game, start);
        game.storage().check_invariants();
        history.forward(&mut game, later);
        history.rewind(&mut game, start);
        let ids = ids_to_come(&mut game);
        assert!(
            ids.iter()
                .zip(&expected)
                .all(|(a, b)| a.to_bits() == b.to_bits()),
            "{what}"
        );
        game.storage().check_invariants();
    }
}

#[test]
fn later_ids_are_the_same_after_a_redo_past_a_rejection() {
    for (what, reject) in rejections() {
        let mut game = Game::new();
        let ship = ship(&mut game);
        let history = game.record();
        let start = history.mark(&mut game);
        reject(&mut game, ship);
        let later = history.mark(&mut game);
        let ids = ids_to_come(&mut game);
        history.rewind(&mut game, start);
        history.forward(&mut game, later);
        assert_eq!(ids_to_come(&mut game), ids, "{what}");
        game.storage().check_invariants();
    }
}

#[test]
fn a_rejection_after_a_rewind_keeps_redo() {
    let mut game = Game::new();
    let target = game.create_with(Seat(1)).id();
    let history = game.record();
    let start = history.mark(&mut game);
    game.create_with(Targets(target));
    let end = history.mark(&mut game);
    history.rewind(&mut game, start);
    assert!(game.try_create_with((Health(1), Seat(1))).is_err());
    history.forward(&mut game, end);
    assert_eq!(game.entity(target).targeted_by().len(), 1);
}
