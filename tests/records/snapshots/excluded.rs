//! Excluded components stay with surviving entities.

use ecs::Snapshot;
use ecs::prelude::*;
use support::game::Targets;

use super::{ChildOf, Game, Health, Keeps, Large, Score, Team, ids_of, seen};

#[test]
fn surviving_entities_keep_excluded_components() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(|n| (Health(n), Large([u64::from(n); 8]))));
    let large = game.group(Game::all_of::<Large>());
    let snapshot = Snapshot::builder().without::<Large>();
    let snapshot = snapshot.snapshot(&mut game);

    game.destroy(ids[1]);
    game.entity_mut(ids[2]).remove_large();
    game.entity_mut(ids[3])
        .replace_large([99; 8])
        .replace_health(0);
    game.entity_mut(ids[4]).remove_health();
    let new = game.create_with(Large([5; 8])).id();
    game.create_many((0..100).map(|n| Large([n; 8])));
    game.defragment();
    game.restore(&snapshot);
    let large_of = |id| game.entity(id).get_large().map(|large| large.0[0]);
    let found = [0, 1, 2, 3, 4].map(|at| large_of(ids[at]));
    assert_eq!(found, [Some(0), None, None, Some(99), Some(4)]);
    assert_eq!(game.query::<&Health>().iter().count(), 100);
    assert_eq!(
        (large.len(&game), large.contains(&game, ids[1])),
        (98, false)
    );
    assert!(!game.contains(new));
    assert_eq!(game.query::<&Large>().iter().count(), 98);
}

#[test]
fn excluded_components_added_since_stay() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let snapshot = Snapshot::builder().without::<Large>();
    let snapshot = snapshot.snapshot(&mut game);
    let both = game.group(Game::all_of::<(Health, Large)>());
    game.entity_mut(id).add_large([3; 8]).remove_health();
    game.restore(&snapshot);
    assert_eq!(
        (game.entity(id).health().0, game.entity(id).large().0[0]),
        (1, 3)
    );
    assert_eq!(both.ids(&game), [id]);
}

#[test]
fn excluded_sources_keep_their_order() {
    let mut game = Game::new();
    let ids = game.create_many((0..5).map(Health));
    let snapshot = Snapshot::builder().without::<Team>();
    let snapshot = snapshot.without::<ChildOf>().snapshot(&mut game);
    for nth in [3, 1, 4, 2] {
        game.entity_mut(ids[nth])
            .add_child_of(ids[0])
            .add_team("red");
    }
    game.create_with((ChildOf { parent: ids[0] }, Team("red")));
    game.restore(&snapshot);
    let expected = [3, 1, 4, 2].map(|nth| ids[nth]);
    assert_eq!(game.entity(ids[0]).children(), expected);
    assert_eq!(ids_of(game.entities_with_team(&"red")), ids[1..]);
    game.storage().check_invariants();
}

#[test]
fn an_entity_of_a_fork_is_not_that_of_the_original_with_the_same_id() {
    let mut game = Game::new();
    let mut fork = game.fork();
    let [of_game, of_fork] = [&mut game, &mut fork].map(|game| {
        game.create_with(Health(1));
        let snapshot = Snapshot::builder().without::<Team>();
        snapshot.snapshot(game)
    });
    fork.restore(&of_game);
    let id = fork.entities().next().unwrap().id();
    fork.entity_mut(id).add_team("red");
    fork.restore(&of_fork);
    assert!(fork.contains(id) && !fork.entity(id).has_team());
    fork.entity_mut(id).add_team("blue");
    fork.restore(&of_fork);
    assert_eq!(fork.entity(id).team().0, "blue");
}

#[test]
fn an_entity_of_a_context_that_took_others_over_is_not_theirs() {
    let (mut game, mut other) = (Game::new(), Game::new());
    other.restore(&game.snapshot());
    let id = game.create_with((Health(1), Team("red"))).id();
    other.create_with(Health(2));
    let snapshot = Snapshot::builder().without::<Team>().snapshot(&mut other);
    game.restore(&snapshot);
    let entity = game.entities().next().unwrap();
    assert_eq!((entity.id().raw(), entity.health().0), (id.raw(), 2));
    assert!(!entity.has_team());
}

#[test]
fn unique_indexed_and_relation_components_can_be_excluded() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    game.entity_mut(ids[0]).add_team("red").add_score(1);
    game.entity_mut(ids[1]).add_child_of(ids[0]);
    game.entity_mut(ids[2]).add_child_of(ids[0]);
    let snapshot = Snapshot::builder().without::<Team>().without::<Score>();
    let snapshot = snapshot.without::<ChildOf>().snapshot(&mut game);
    game.entity_mut(ids[0]).replace_team("blue").remove_score();
    game.entity_mut(ids[1]).add_score(2).add_team("blue");
    game.entity_mut(ids[2]).replace_child_of(ids[1]);
    game.destroy(ids[3]);
    game.restore(&snapshot);
    assert_eq!(game.score_entity().map(|entity| entity.id()), Some(ids[1]));
    assert!(ids_of(game.entities_with_team(&"blue")) == [ids[0], ids[1]]);
    assert_eq!(game.entities_with_team(&"red").count(), 0);
    assert_eq!(game.entity(ids[0]).children(), [ids[1]]);
    assert_eq!(game.entity(ids[1]).children(), [ids[2]]);
    assert!(game.entity(ids[3]).health().0 == 3);

    let mut other = Game::new();
    other.restore(&snapshot);
    assert_eq!((other.len(), other.get_score()), (4, None));
    assert!(other.entity(ids[0]).children().is_empty());
    assert_eq!(other.entities_with_team(&"blue").count(), 0);
    other.entity_mut(ids[3]).add_score(5);
    assert_eq!(seen(&other).len(), seen(&game).len());
}

#[test]
fn an_excluded_relation_refers_to_no_missing_entity() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(Health));
    let builder = Snapshot::builder().without::<ChildOf>();
    let snapshot = builder.without::<Keeps>().snapshot(&mut game);
    let leading = game.group(Game::all_of::<ChildOf>());
    let parent = game.create_entity().id();
    game.entity_mut(ids[0]).add_child_of(parent);
    game.entity_mut(ids[1]).add_child_of(ids[0]);
    game.entity_mut(ids[2]).add(Keeps(parent));
    game.restore(&snapshot);
    assert_eq!(leading.ids(&game), [ids[1]]);
    assert_eq!(game.entity(ids[0]).children(), [ids[1]]);
    assert!(!game.entity(ids[2]).has::<Keeps>());
    game.storage().check_invariants();

    let again = game.create_entity().id();
    assert_eq!(again, parent); // it has no sources
    game.entity_mut(again).add_child_of(ids[1]);
    assert!(game.entity_mut(ids[0]).try_add_child_of(again).is_err());
    game.storage().check_invariants();
}

#[test]
fn an_excluded_kept_relation_finds_its_target_again() {
    let mut game = Game::new();
    let ids = game.create_many((0..2).map(Health));
    let targets = game.create_many([(), ()]);
    game.entity_mut(ids[0]).add(Keeps(targets[0]));
    game.entity_mut(ids[1]).add(Keeps(targets[1]));
    game.destroy(targets[0]);
    let builder = Snapshot::builder().without::<Keeps>();
    let snapshot = builder.snapshot(&mut game);
    game.destroy(targets[1]);
    game.restore(&snapshot);
    let kept = [ids[0], ids[1]].map(|id| game.entity(id).get::<Keeps>().map(|it| it.0));
    assert_eq!(kept, [Some(targets[0]), Some(targets[1])]);
    let sources = game.entity(targets[1]).related::<Keeps>().sources();
    assert_eq!(sources, [ids[1]]);
    game.storage().check_invariants();
}

#[test]
fn an_excluded_relation_whose_new_target_is_missing_is_removed() {
    let mut game = Game::new();
    let ids = game.create_many([(), ()]);
    game.entity_mut(ids[0]).add_targets(ids[1]);
    let leading = game.group(Game::all_of::<Targets>());
    let builder = Snapshot::builder().without::<Targets>();
    let snapshot = builder.snapshot(&mut game);
    let late = game.create_entity().id();
    game.entity_mut(ids[0]).replace_targets(late);
    game.restore(&snapshot);
    assert!(leading.is_empty(&game) && !game.entity(ids[0]).has_targets());
    game.storage().check_invariants();
}

/// Restores a state before the destroy of the target, then one after it.
#[test]
fn a_relation_to_a_dead_target_is_removed_unless_it_is_kept() {
    let mut game = Game::new();
    let ids = game.create_many([(), ()]);
    let (source, target) = (ids[0], ids[1]);
    let take = |game: &mut Game| {
        let builder = Snapshot::builder().without::<Targets>();
        builder.without::<Keeps>().snapshot(game)
    };
    let before = take(&mut game);
    game.destroy(target);
    let behind = take(&mut game);
    game.restore(&before);
    game.entity_mut(source)
        .add_targets(target)
        .add(Keeps(target));
    game.restore(&behind);
    let source = game.entity(source);
    assert!(!source.has_targets() && source.has::<Keeps>());
    game.storage().check_invariants();
}

/// F28: meanwhile, the same ids belong to other entities.
#[test]
fn excluded_components_do_not_stay_if_the_snapshot_is_of_another_context() {
    let mut other = Game::new();
    let theirs = other.create_many([(), ()]);
    other.entity_mut(theirs[0]).add_targets(theirs[1]);
    let foreign = other.snapshot();

    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let take = |game: &mut Game| {
        let builder = Snapshot::builder().without::<Targets>();
        builder.snapshot(game)
    };
    let own = take(&mut game);
    let bare = take(&mut other);
    game.entity_mut(ids[1]).add_targets(ids[0]);
    game.restore(&bare);
    assert!(!game.entity(theirs[1]).has_targets());
    game.restore(&foreign);
    assert!(game.entity(theirs[0]).has_targets());
    game.restore(&own);
    assert!(!game.entity(ids[0]).has_targets());
    game.storage().check_invariants();
}

#[test]
fn excluded_components_of_a_fork_do_not_stay_if_the_snapshot_is_of_its_origin() {
    let mut game = Game::new();
    let ids = game.create_many([(), ()]);
    let builder = Snapshot::builder().without::<Targets>();
    let snapshot = builder.snapshot(&mut game);
    let mut fork = game.fork();
    for context in [&mut game, &mut fork] {
        context.entity_mut(ids[0]).add_targets(ids[1]);
        context.restore(&snapshot);
        context.storage().check_invariants();
    }
    assert!(game.entity(ids[0]).has_targets());
    assert!(!fork.entity(ids[0]).has_targets());
}
