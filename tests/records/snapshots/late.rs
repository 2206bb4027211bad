//! A component that is numbered after a context or snapshot was created.

use ecs::__private::entities_with;
use ecs::Snapshot;
use ecs::prelude::*;
use support::game::{Game, Health};

#[derive(Clone)]
struct Late(u8);

indexed_by_hand!(Late of Game);

#[derive(Clone)]
struct Excluded(u8);

by_hand!(Excluded of Game);

#[test]
fn snapshots_from_before_and_after_a_late_component_are_restored() {
    let (mut game, mut older) = (Game::new(), Game::new());
    let id = game.create_with(Health(1)).id();
    let before = game.snapshot();
    game.entity_mut(id).add(Late(3));
    let after = game.snapshot();
    game.restore(&before);
    assert!(game.entity(id).get::<Late>().is_none());
    game.entity_mut(id).add(Late(4));
    assert_eq!(game.entity(id).get::<Late>().map(|late| late.0), Some(4));
    game.storage().check_invariants();
    older.restore(&after);
    assert_eq!(older.entity(id).get::<Late>().map(|late| late.0), Some(3));
    assert_eq!(
        entities_with::<Game, Late, _, 0>(&older, &3).ids(),
        [id],
        "an index that the context did not have"
    );
    older.storage().check_invariants();
}

#[test]
fn a_late_component_excluded_from_a_snapshot_stays_with_surviving_entities() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let snapshot = Snapshot::builder()
        .without::<Excluded>()
        .snapshot(&mut game);
    game.entity_mut(id).add(Excluded(3)).replace_health(2);
    game.restore(&snapshot);
    assert_eq!(game.entity(id).health().0, 1);
    assert_eq!(game.entity(id).get::<Excluded>().map(|it| it.0), Some(3));
    game.storage().check_invariants();
}
