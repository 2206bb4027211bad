//! Unique components: one owner at a time, however the component is added, also as seen in the
//! middle of a change.

mod accessors;
mod observers;

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Health, Id, Position, Score};
use support::panic_of;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, extension, unique)]
struct Paused;

#[derive(Component, Clone, Default)]
#[component(context = Game, extension, unique, pooled)]
struct Route(Vec<u32>);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, extension, unique)]
struct Leader(#[component(index)] String);

/// A game in which entity 0v1 has the score and 1v1 has nothing, with a collector of all later
/// changes.
fn with_score() -> (Game, Id, Id, Collector<Game>) {
    let mut game = Game::new();
    let owner = game.set_score(1).id();
    let other = game.create_entity().id();
    let any = Game::any_of::<(Score, Paused, Route, Health)>();
    let collector = game.collector(any.any_change());
    (game, owner, other, collector)
}

/// Asserts that nothing has changed since `with_score`.
#[track_caller]
fn assert_untouched(game: &mut Game, owner: Id, collector: &Collector<Game>) {
    assert!(collector.drain(game).is_empty());
    assert_eq!(game.score(), &Score(1));
    assert_eq!(game.score_entity().unwrap().id(), owner);
    assert_eq!(game.len(), 2);
}

const REJECTED: &str = "cannot add component `Score` to entity 1v1 of context `Game`: it is unique, \
                       and entity 0v1 has it; on the context, check `has_score` first or use \
                       `set_score`";

const REJECTED_NEW: &str = "cannot add component `Score` to a new entity of context `Game`: it is \
                           unique, and entity 0v1 has it; on the context, check `has_score` first \
                           or use `set_score`";

#[test]
fn the_owner_can_be_accessed_mutably() {
    let (mut game, owner, _, collector) = with_score();
    if let Some(mut entity) = game.score_entity_mut() {
        assert_eq!(entity.id(), owner);
        entity.replace_score(2).add_health(3);
    }
    assert_eq!(collector.drain(&mut game), [owner]);
    assert_eq!((game.score().0, game.entity(owner).health().0), (2, 3));
    assert!(game.paused_entity_mut().is_none());
    game.set_paused(true);
    game.paused_entity_mut().unwrap().destroy();
    assert!(!game.is_paused());
    game.destroy_score_entity();
    assert!(game.score_entity_mut().is_none());
}

#[test]
fn a_second_owner_is_rejected_by_add_and_replace() {
    let (mut game, owner, other, collector) = with_score();
    let error = game.entity_mut(other).try_add_score(2).unwrap_err();
    assert_eq!(error.to_string(), REJECTED);
    assert_eq!(error.kind(), ErrorKind::UniqueAlreadySet);
    assert_eq!(error.operation(), ecs::Operation::Add);
    assert_eq!(error.owner(), Some(owner.raw()));
    assert_eq!(error.component().unwrap().component, "Score");
    assert_eq!(
        (error.entity(), error.context()),
        (Some(other.raw()), "Game")
    );
    assert_eq!(error.component().unwrap().accessor, "score");

    let replaced = game.entity_mut(other).try_replace(Score(2)).err().unwrap();
    assert_eq!(replaced.to_string(), REJECTED);
    assert_eq!(
        panic_of(|| _ = game.entity_mut(other).add_score(2)),
        REJECTED
    );
    assert_eq!(
        panic_of(|| _ = game.entity_mut(other).replace_score(2)),
        REJECTED
    );
    assert_untouched(&mut game, owner, &collector);
}

#[test]
fn the_owner_itself_has_it_already() {
    let (mut game, owner, _, collector) = with_score();
    let error = game.entity_mut(owner).try_add_score(2).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));
    assert_untouched(&mut game, owner, &collector);
    game.entity_mut(owner).replace_score(2);
    assert_eq!(game.score(), &Score(2));
}

#[test]
fn a_dead_entity_is_reported_before_a_second_owner() {
    let (mut game, owner, other, _) = with_score();
    let mut entity = game.entity_mut(other);
    entity.context_mut().destroy(other);
    assert!(matches!(
        entity.try_add_score(2),
        Err(error) if error.kind() == ErrorKind::NotAlive
    ));
    assert!(matches!(
        entity.try_replace(Score(2)),
        Err(error) if error.kind() == ErrorKind::NotAlive
    ));
    assert_eq!(game.score_entity().unwrap().id(), owner);
}

#[test]
fn a_second_owner_is_rejected_in_bundles() {
    let (mut game, owner, _, collector) = with_score();
    assert_eq!(panic_of(|| game.create_with(Score(2)).id()), REJECTED_NEW);
    assert_eq!(
        panic_of(|| game.create_with((Health(1), Score(2))).id()),
        REJECTED_NEW
    );
    assert_untouched(&mut game, owner, &collector);
    assert_eq!(game.storage().reusable_entities(), 0);
    assert!(game.query::<&Health>().iter().next().is_none());
}

#[test]
fn a_bundle_with_a_duplicate_component_is_rejected() {
    let mut game = Game::new();
    let text = panic_of(|| game.create_with((Score(1), Score(2))).id());
    assert!(
        text.contains("its bundle has component `Score` twice"),
        "{text}"
    );
    assert!(!game.has_score() && game.is_empty());
    game.set_score(3);
}

#[test]
fn the_second_of_many_new_entities_is_rejected_and_the_first_stays() {
    let mut game = Game::new();
    let scored = game.group(Game::all_of::<Score>());
    let healthy = game.group(Game::all_of::<Health>());
    let text = panic_of(|| game.create_many([1, 2, 3].map(|n| (Health(n), Score(n)))));
    assert_eq!(text, REJECTED_NEW);
    assert_eq!((game.len(), game.score()), (1, &Score(1)));
    assert_eq!((scored.len(&game), healthy.len(&game)), (1, 1));
}

#[test]
fn the_second_row_of_columns_is_rejected_and_the_first_stays() {
    for recycled in [false, true] {
        let mut game = Game::new();
        if recycled {
            let ids = game.create_many([Health(1), Health(2)]);
            game.many(&ids).destroy();
        }
        let columns = (&[Position(7); 3][..], vec![Score(1), Score(2), Score(3)]);
        let text = panic_of(|| game.create_columns(columns));
        assert!(text.contains("it is unique, and entity"), "{text}");
        assert_eq!((game.len(), game.score()), (1, &Score(1)));
        assert_eq!(game.query::<&Position>().iter().count(), 1);
        let columns = (&[Position(7); 2][..], vec![Score(2), Score(3)]);
        let rejected = game.try_create_columns(columns).unwrap_err();
        assert_eq!(rejected.kind(), ecs::ErrorKind::UniqueAlreadySet);
        assert_eq!((game.len(), game.score()), (1, &Score(1)));
    }
}

#[test]
fn columns_of_one_row_may_have_a_unique_component() {
    let mut game = Game::new();
    let ids = game.create_columns((vec![Health(7)], vec![Score(1)]));
    assert_eq!(game.score_entity().unwrap().id(), ids[0]);
}

#[test]
fn adding_to_many_adds_to_one_or_to_none() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    let collector = game.collector(Game::all_of::<Score>().any_change());
    game.many(&[]).add_with(|_| Score(0));

    let never = |_| -> Score { unreachable!("no value is made for a change that is rejected") };
    let error = game.many(&ids).try_add_with(never).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UniqueAlreadySet));
    assert_eq!(error.entity(), Some(ids[1].raw()));
    let error = game
        .many(&[ids[0], ids[0]])
        .try_add_with(never)
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));
    assert!(!game.has_score() && collector.drain(&mut game).is_empty());

    game.many(&ids[1..2]).add_with(|_| Score(4));
    assert_eq!(game.score_entity().unwrap().id(), ids[1]);
    assert_eq!(collector.drain(&mut game), [ids[1]]);
    let error = game.many(&ids[..1]).try_add_with(never).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UniqueAlreadySet));
    let error = game.many(&ids[1..2]).try_add_with(never).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));

    game.destroy(ids[2]);
    let error = game.many(&ids[2..]).try_add_with(never).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotAlive));
    game.many(&ids[1..2]).remove::<Score>();
    let error = game
        .many(&[ids[0], ids[2]])
        .try_add_with(never)
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotAlive));
    assert!(!game.has_score());
}

#[test]
fn a_rejected_pooled_value_is_not_touched() {
    let mut game = Game::new();
    let owner = game.create_entity().add_route(vec![1]).id();
    let other = game.create_entity().add_health(1).id();
    game.entity_mut(owner).replace_route(vec![2]);
    assert_eq!(game.storage().pooled::<Route>(), 1);

    let fill = |_: &mut Route| unreachable!("nothing is filled for a change that is rejected");
    let added = panic_of(|| _ = game.entity_mut(other).add_route_with(fill));
    let replaced = panic_of(|| _ = game.entity_mut(other).replace_route_with(fill));
    assert!(added.contains("it is unique, and entity 0v1 has it"));
    assert_eq!(added, replaced);
    assert_eq!(game.storage().pooled::<Route>(), 1);
    game.entity_mut(owner)
        .replace_route_with(|route| route.0.push(3));
    assert_eq!(game.route().0, [3]);
}

#[test]
fn every_way_to_lose_it_allows_a_new_owner() {
    type Way = fn(&mut Game, Id);
    let ways: [Way; 11] = [
        |game, owner| _ = game.entity_mut(owner).remove_score(),
        |game, owner| _ = game.entity_mut(owner).take_score(),
        |game, owner| _ = game.entity_mut(owner).remove_all(),
        |game, owner| game.destroy(owner),
        |game, _| game.remove_score(),
        |game, _| game.destroy_score_entity(),
        |game, _| game.destroy_all(),
        |game, _| game.reset(),
        |game, owner| game.many(&[owner]).remove::<Score>(),
        |game, owner| game.many(&[owner]).destroy(),
        |game, _| _ = game.group(Game::all_of::<Score>()).destroy_all(game),
    ];
    for observed in [false, true] {
        for way in ways {
            let mut game = Game::new();
            if observed {
                let scored = game.group(Game::all_of::<Score>());
                scored.on_left(&mut game, |_, _| ());
            }
            let owner = game.set_score(1).id();
            way(&mut game, owner);
            assert!(!game.has_score() && game.score_entity().is_none());
            let next = game.create_entity().add_score(2).id();
            assert_eq!(game.score_entity().unwrap().id(), next);
        }
    }
}

#[test]
fn a_new_entity_in_the_owners_slot_is_not_the_owner() {
    let mut game = Game::new();
    let owner = game.set_score(1).id();
    game.destroy(owner);
    let next = game.create_with(Health(1)).id();
    assert_eq!(next.index(), owner.index());
    assert!(!game.has_score() && game.get_score().is_none());
}

#[test]
fn the_owner_is_found_after_entities_have_been_moved() {
    let mut game = Game::new();
    let ids = game.create_many((0..200).map(Health));
    game.entity_mut(ids[150]).add_score(7);
    game.entity_mut(ids[3]).remove_health();
    game.defragment();
    assert_eq!(game.score_entity().unwrap().id(), ids[150]);
    assert_eq!(game.score(), &Score(7));
    assert!(game.entity_mut(ids[3]).try_add_score(1).is_err());
}

#[test]
fn each_context_has_its_own_owner() {
    let (mut first, mut second) = (Game::new(), Game::new());
    first.set_score(1);
    assert!(!second.has_score());
    second.create_entity();
    second.set_score(2);
    assert_eq!((first.score().0, second.score().0), (1, 2));
}

#[test]
fn a_context_lists_its_unique_components() {
    let game = Game::new();
    let names = ["Health", "Leader", "Paused", "Position", "Route", "Score"];
    let unique: Vec<_> = game
        .components()
        .iter()
        .filter(|info| names.contains(&info.name()) && info.is_unique())
        .map(|info| info.name())
        .collect();
    assert_eq!(unique, ["Leader", "Paused", "Route", "Score"]);
}

#[test]
fn an_indexed_unique_component_is_not_passed_for_untracked_writes() {
    let mut game = Game::new();
    game.set_leader("Ada".into());
    let text = panic_of(|| game.unique_mut::<Leader>().mut_untracked().0.clear());
    assert!(
        text.contains("`Leader` of context `Game` cannot be written to untracked"),
        "{text}"
    );
    game.update_leader(|leader| leader.0 = "Bea".into());
    assert_eq!(game.entities_with_leader("Bea").len(), 1);
    assert_eq!(game.entities_with_leader("Ada").len(), 0);
}

/// A separate context, without another unique component.
#[ecs::context]
struct Lone;

#[derive(Component)]
#[component(context = Lone, unique)]
struct Only(u32);

#[test]
fn the_only_unique_component_of_a_context_is_rejected_to_many() {
    let mut lone = Lone::new();
    let columns = (vec![Only(1), Only(2)],);
    let rejected = lone.try_create_columns(columns).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::UniqueAlreadySet);
    assert!(lone.get_only().is_none_or(|only| only.0 == 1));
}
