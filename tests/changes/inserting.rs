//! Bundles for living entities, and large ones for new entities: a rejected bundle changes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs::prelude::*;
use support::game::{Counted, Game, GameEntity, GameEntityMut, Health, Score, Seat};
use support::panic_of;
use wide::{Picked, Wide, part};

/// Panics in its drop.
#[derive(Component)]
#[component(context = Game, extension)]
struct Bomb;

#[derive(Component)]
#[component(context = Game, extension)]
struct Fuse(bool);

impl Drop for Fuse {
    fn drop(&mut self) {
        assert!(!self.0, "on purpose");
    }
}

#[test]
fn a_taken_key_is_rejected_and_nothing_changes() {
    let mut game = Game::new();
    let changed = game.collector(Game::any_of::<(Health, Seat, Counted)>().any_change());
    let ids = game.create_many([(Seat(1), Health(1)), (Seat(2), Health(2))]);
    changed.clear(&mut game);
    let text = Arc::new(());
    let bundle = (Counted(text.clone()), Health(9), Seat(1));
    let error = game.entity_mut(ids[1]).try_insert(bundle).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DuplicateKey));
    assert_eq!(error.entity(), Some(ids[1].raw()));
    assert_eq!(Arc::strong_count(&text), 1);
    let entity = game.entity(ids[1]);
    assert_eq!((entity.health(), entity.seat()), (&Health(2), &Seat(2)));
    assert!(!entity.has_counted() && changed.is_empty(&game));
    game.entity_mut(ids[1]).insert((Seat(2), Health(3))); // its own key
    game.entity_mut(ids[0]).insert((Seat(5), Counted(text)));
    game.entity_mut(ids[1]).insert(Seat(1)); // now free
    assert_eq!(game.entity_with_seat(&1).map(|e| e.id()), Some(ids[1]));
    assert_eq!(game.entity_with_seat(&5).map(|e| e.id()), Some(ids[0]));
    assert!(game.entity_with_seat(&2).is_none());
}

#[test]
fn a_second_owner_is_rejected_and_the_owner_may_replace() {
    let mut game = Game::new();
    let owner = game.create_with((Score(1), Health(1))).id();
    let other = game.create_with(Health(2)).id();
    let mut entity = game.entity_mut(other);
    let rejected = entity.try_insert((Health(9), Score(2)));
    assert!(matches!(
        rejected.unwrap_err().kind(),
        ErrorKind::UniqueAlreadySet
    ));
    assert_eq!(game.entity(other).health(), &Health(2));
    game.entity_mut(owner).insert((Score(3), Health(5)));
    assert_eq!(
        (game.score(), game.entity(owner).health()),
        (&Score(3), &Health(5))
    );
    assert_eq!(game.score_entity().map(|e| e.id()), Some(owner));
    game.remove_score();
    game.entity_mut(other).insert((Score(4), Health(6)));
    assert_eq!(game.score_entity().map(|e| e.id()), Some(other));
    assert_eq!(
        game.create_entity()
            .try_add(Score(5))
            .unwrap_err()
            .context(),
        "Game"
    );
}

#[test]
fn an_index_by_function_is_updated() {
    let mut game = Game::new();
    let sums = game.entity_index(Game::any_of::<(Health, Seat)>(), |e| {
        e.get_health().map_or(0, |h| h.0) + e.get_seat().map_or(0, |s| s.0)
    });
    let id = game.create_with(Health(1)).id();
    game.entity_mut(id).insert((Seat(10), Health(2)));
    assert_eq!(sums.single(&game, &12).map(|e| e.id()), Some(id));
    assert!(!sums.contains(&game, &1));
}

#[test]
fn a_panic_in_a_replaced_value_keeps_the_change() {
    let mut game = Game::new();
    let entered = game.collector(Game::all_of::<Bomb>().entered());
    let id = game.create_with((Fuse(true), Health(1))).id();
    let inserted = catch_unwind(AssertUnwindSafe(|| {
        game.entity_mut(id).insert((Fuse(false), Bomb, Health(2)));
    }));
    assert!(inserted.is_err());
    let entity = game.entity(id);
    assert!(!entity.fuse().0 && entity.has_bomb());
    assert_eq!(entity.health(), &Health(2));
    assert_eq!(entered.drain(&mut game), [id]);
    let ids = game.create_many((0..100).map(|n| (Health(n), Fuse(false), Bomb)));
    assert!(
        ids.iter()
            .zip(0..)
            .all(|(&id, n)| game.entity(id).health().0 == n)
    );
}

#[test]
fn an_existing_component_rejects_the_whole_addition() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let text = Arc::new(());
    let mut entity = game.entity_mut(id);
    let rejected = entity.try_add_all((Counted(text.clone()), Health(2)));
    assert!(matches!(
        rejected.unwrap_err().kind(),
        ErrorKind::AlreadyHasComponent
    ));
    assert_eq!(Arc::strong_count(&text), 1);
    assert!(!game.entity(id).has_counted());
    game.entity_mut(id).add_all((Counted(text), Some(Seat(7))));
    assert_eq!(game.entity(id).seat(), &Seat(7));
    assert_eq!(Arc::strong_count(&game.entity(id).counted().0), 1);
    game.destroy(id);
    let dead = game.try_entity_mut(id).map(|_| ()).unwrap_err();
    assert!(matches!(dead.kind(), ErrorKind::NotAlive));
}

#[test]
fn observers_are_notified_of_each_added_and_replaced_value() {
    let mut game = Game::new();
    let notified = support::Notes::default();
    for (name, group) in [
        ("health", game.group(Game::all_of::<Health>())),
        ("both", game.group(Game::all_of::<(Health, Seat)>())),
    ] {
        let (entered, updated) = (notified.clone(), notified.clone());
        group.on_entered(&mut game, move |_, _| {
            entered.push(format!("{name} entered"));
        });
        group.on_updated(&mut game, move |game, change| {
            let (before, now) = (change.previous::<Health>(), game.entity(change.entity()));
            updated.push(format!("{name} {before:?} to {:?}", now.get_health()));
        });
    }
    let id = game.create_with(Health(1)).id();
    notified.take();
    game.entity_mut(id).insert((Health(2), Seat(1)));
    let expected = ["both entered", "health Some(Health(1)) to Some(Health(2))"];
    assert_eq!(notified.take(), expected);
    game.entity_mut(id).insert((Health(3), Seat(2)));
    let expected = [
        "health Some(Health(2)) to Some(Health(3))",
        "both Some(Health(2)) to Some(Health(3))",
        "both None to Some(Health(3))", // through the seat
    ];
    assert_eq!(notified.take(), expected);
}

#[test]
fn late_observers_of_a_group_are_notified_of_known_bundles() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(Health));
    let bundle = |seat| (Seat(seat), Counted(Arc::default()), Health(9));
    game.entity_mut(ids[0]).insert(bundle(0));
    let notified = support::Notes::default();
    let note = |what: &'static str| {
        let notified = notified.clone();
        move |_: &mut Game, change: &Change<'_, Game>| notified.push((what, change.entity()))
    };
    let seated = game.group(Game::all_of::<(Health, Seat)>());
    seated.on_entered(&mut game, note("entered"));
    game.entity_mut(ids[1]).insert(bundle(1));
    assert_eq!(notified.take(), [("entered", ids[1])]);
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_updated(&mut game, note("updated"));
    game.entity_mut(ids[2]).insert(bundle(2));
    assert_eq!(notified.take(), [("entered", ids[2]), ("updated", ids[2])]);
    assert_eq!(seated.ids(&game), ids);
}

/// The bundle has more components than a word has bits for steps.
#[test]
fn a_rejected_large_bundle_does_not_affect_the_next_one() {
    let mut wide = Wide::new();
    let rejected = (0..15).chain([3]).collect();
    let notified = panic_of(|| wide.create_with(Picked(rejected)));
    assert!(notified.contains("twice"), "{notified}");
    wide.storage().check_invariants();
    let id = wide.create_with(Picked((20..35).collect())).id();
    wide.storage().check_invariants();
    let indices = wide.entity(id).component_indices();
    assert_eq!(indices.len(), 15);
    assert!((20..35).all(|number| indices.contains(&(part(number).index)())));
}

#[test]
fn a_duplicate_component_is_rejected_without_mentioning_create() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    let notified = panic_of(|| game.entity_mut(id).insert((Health(1), Health(2))).id());
    assert!(
        notified.contains("has component `Health` twice") && !notified.contains("create"),
        "{notified}"
    );
    assert!(game.entity(id).is_empty());
    game.storage().check_invariants();
}
