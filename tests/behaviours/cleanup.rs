//! The cleanup of components at the end of a frame.

use ecs::prelude::*;

use super::world::{Game, GameEntity, GameEntityMut, Plain, PlainEntity, PlainEntityMut};

#[derive(Component)]
#[component(context = Game, cleanup(remove))]
struct Touched;

#[derive(Component)]
#[component(context = Game, cleanup(destroy))]
struct Gone(u8);

#[derive(Component)]
#[component(context(Game, Plain))]
struct Lasting(u8);

/// CLN-001, GEN-018, GEN-019.
#[test]
fn cleanup_removes_the_component_from_all_entities() {
    let mut frame = Game::new();
    let mut cleanup = CleanupSystems::new(&mut frame);
    let ids = [
        frame.create_with((Touched, Lasting(1))).id(),
        frame.create_with(Touched).id(),
        frame.create_with(Lasting(2)).id(),
    ];
    cleanup.run(&mut frame);
    assert!(ids.iter().all(|&id| frame.contains(id)));
    assert!(ids.iter().all(|&id| !frame.entity(id).has_touched()));
    let lasting = ids.map(|id| frame.entity(id).has_lasting());
    assert_eq!(lasting, [true, false, true]);
}

/// CLN-002, GEN-020, GEN-021.
#[test]
fn cleanup_destroys_all_entities_with_the_component() {
    let mut frame = Game::new();
    let mut cleanup = CleanupSystems::new(&mut frame);
    let gone = [
        frame.create_with((Gone(1), Lasting(1))).id(),
        frame.create_with(Gone(2)).id(),
    ];
    let stays = frame.create_with(Lasting(2)).id();
    cleanup.run(&mut frame);
    assert!(gone.iter().all(|&id| !frame.contains(id)));
    assert!(frame.contains(stays));
}

/// CLS-001, GEN-022.
#[test]
fn a_context_has_one_container_of_all_its_cleanup_in_order_of_name() {
    let mut frame = Game::new();
    let mut cleanup = CleanupSystems::new(&mut frame);
    assert_eq!(cleanup.len(), 2);
    assert_eq!(format!("{cleanup:?}"), "{Gone: Destroy, Touched: Remove}");
    frame.create_with((Touched, Gone(1)));
    let touched = frame.create_with(Touched).id();
    cleanup.run(&mut frame);
    assert!(frame.len() == 1 && frame.entity(touched).is_empty());
}

/// CLS-002, GEN-023.
#[test]
fn a_context_without_cleanup_has_an_empty_container() {
    let mut bare = Plain::new();
    let mut cleanup = CleanupSystems::new(&mut bare);
    assert!(cleanup.is_empty());
    bare.create_with(Lasting(1));
    cleanup.run(&mut bare);
    assert_eq!(bare.len(), 1);
}
