//! Components that a history excludes: a rewind does not touch their values, and indexes and links
//! agree with the values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::prelude::*;
use ecs::{History, HistoryBuilder};

use super::{Frozen, Game, Health, Key, Keyed, Seat, Team};
use crate::snapshots::Keeps;
use support::game::{ChildOf, Id, Tags, Targets};

/// A history that excludes indexed components and relations.
fn builder() -> HistoryBuilder<Game> {
    let builder = History::builder().without::<Seat>().without::<Team>();
    let builder = builder.without::<Tags>().without::<ChildOf>();
    let builder = builder.without::<Keeps>().without::<Targets>();
    builder.without::<Frozen>()
}

fn seated(game: &Game, seat: u32) -> Option<EntityId<Game>> {
    game.entity_with_seat(&seat).map(|entity| entity.id())
}

fn of_team(game: &Game, team: &'static str) -> Vec<EntityId<Game>> {
    let found = game.entities_with_team(&team);
    found.map(|entity| entity.id()).collect()
}

fn tagged(game: &Game, tag: u8) -> Vec<EntityId<Game>> {
    let found = game.entities_with_tags(&tag);
    found.map(|entity| entity.id()).collect()
}

#[test]
fn an_index_of_an_excluded_component_has_the_current_values() {
    let mut game = Game::new();
    let a = game.create_with((Seat(1), Team("red"), Tags(vec![1]))).id();
    let b = game
        .create_with((Health(1), Seat(5), Team("red"), Tags(vec![1, 2])))
        .id();
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    game.entity_mut(a).replace_seat(2).replace_team("blue");
    game.entity_mut(b)
        .replace_health(2)
        .replace_tags(vec![2, 3]);
    game.entity_mut(b).remove_seat();
    let end = history.mark(&mut game);
    for forward in [false, true] {
        match forward {
            false => history.rewind(&mut game, start),
            true => history.forward(&mut game, end),
        };
        assert_eq!([1, 2, 5].map(|n| seated(&game, n)), [None, Some(a), None]);
        assert_eq!(of_team(&game, "red"), [b]);
        assert_eq!(of_team(&game, "blue"), [a]);
        let tags = [1, 2, 3].map(|tag| tagged(&game, tag));
        assert_eq!(tags, [vec![a], vec![b], vec![b]]);
        game.storage().check_invariants();
    }
    assert!(game.try_create_with(Seat(2)).is_err());
}

#[test]
fn an_index_of_an_excluded_component_follows_the_entities_of_a_rewind() {
    let mut game = Game::new();
    let old = game.create_with(Seat(1)).id();
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    game.destroy(old);
    let new = game.create_with((Health(1), Seat(2))).id();
    let next = game.create_with((Health(1), Seat(3))).id();
    let end = history.mark(&mut game);
    history.rewind(&mut game, start);
    assert!(game.contains(old) && !game.contains(new) && !game.contains(next));
    assert_eq!([1, 2, 3].map(|n| seated(&game, n)), [None; 3]);
    game.storage().check_invariants();
    history.forward(&mut game, end);
    assert_eq!([1, 2, 3].map(|n| seated(&game, n)), [None; 3]);
    game.entity_mut(new).add_seat(3);
    assert_eq!(seated(&game, 3), Some(new));
    game.storage().check_invariants();
}

#[test]
fn a_key_function_is_called_again_for_entities_changed_by_a_rewind() {
    let mut game = Game::new();
    let both = Game::all_of::<(Health, Team)>().none_of::<Frozen>();
    let index = game.entity_index(both, |entity| (entity.health().0, entity.team().0));
    let ids = game.create_many([(); 3].map(|()| (Health(1), Team("red"))));
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    game.entity_mut(ids[0])
        .replace_health(2)
        .replace_team("blue");
    game.entity_mut(ids[1]).remove_health();
    game.entity_mut(ids[2]).set_frozen(true);
    game.create_with((Health(1), Team("red")));
    let end = history.mark(&mut game);
    let found = |game: &Game, health, team| index.get(game, &(health, team)).ids();
    history.rewind(&mut game, start);
    assert_eq!(found(&game, 1, "blue"), [ids[0]]);
    assert_eq!(found(&game, 1, "red"), [ids[1]]);
    assert_eq!(index.len(&game), 2);
    game.storage().check_invariants();
    history.forward(&mut game, end);
    assert_eq!(found(&game, 2, "blue"), [ids[0]]);
    assert_eq!(index.len(&game), 1);
    game.storage().check_invariants();
}

/// The keys depend on recorded components, membership on excluded ones.
#[test]
fn an_index_whose_members_depend_on_an_excluded_component_has_the_current_members() {
    let mut game = Game::new();
    let matchers = [
        Game::all_of::<Health>().none_of::<Frozen>(),
        Game::all_of::<Health>().any_of::<(Seat, Frozen)>(),
    ];
    let [thawed, frozen] =
        matchers.map(|matcher| game.entity_index(matcher, |entity| entity.health().0));
    let id = game.create_with(Health(1)).id();
    let history = History::builder().without::<Frozen>().record(&mut game);
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_health(2).set_frozen(true);
    history.rewind(&mut game, start);
    assert!(thawed.is_empty(&game) && frozen.len(&game) == 1);
    assert_eq!(frozen.get(&game, &1).ids(), [id]);
    game.storage().check_invariants();
}

#[test]
fn excluded_links_keep_their_order() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    let history = builder().record(&mut game);
    game.entity_mut(ids[3]).add_child_of(ids[0]);
    game.entity_mut(ids[1]).add_child_of(ids[0]);
    let start = history.mark(&mut game);
    game.many(&ids).update::<Health>(|_, health| health.0 += 1);
    game.entity_mut(ids[2]).add_child_of(ids[0]);
    history.rewind(&mut game, start);
    assert_eq!(game.entity(ids[0]).children(), [ids[3], ids[1], ids[2]]);
    assert_eq!(game.entity(ids[2]).child_of().parent, ids[0]);
    game.storage().check_invariants();
}

#[test]
fn excluded_relations_to_an_undone_entity_are_removed() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    let leading = game.group(Game::any_of::<(ChildOf, Keeps, Targets)>());
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    let target = game.create_entity().id();
    game.entity_mut(ids[0]).add_child_of(target);
    game.entity_mut(ids[1]).add(Keeps(target));
    game.entity_mut(ids[2]).add_targets(target);
    game.entity_mut(ids[3]).add_child_of(ids[0]);
    history.rewind(&mut game, start);
    assert_eq!(leading.ids(&game), [ids[3]]);
    game.storage().check_invariants();

    assert_eq!(game.create_entity().id(), target);
    game.entity_mut(target).add_child_of(ids[3]);
    assert!(game.entity_mut(ids[0]).try_add_child_of(target).is_err());
    game.storage().check_invariants();
}

#[test]
fn a_kept_relation_has_its_target_again_once_it_is_alive() {
    let mut game = Game::new();
    let ids = game.create_many([(), ()]);
    let (target, source) = (ids[0], ids[1]);
    game.entity_mut(source).add(Keeps(target));
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    game.destroy(target);
    let end = history.mark(&mut game);
    history.rewind(&mut game, start);
    let sources = game.entity(target).related::<Keeps>().sources();
    assert_eq!(sources, [source]);
    game.storage().check_invariants();
    history.forward(&mut game, end);
    assert_eq!(game.entity(source).get::<Keeps>().unwrap().0, target);
    game.storage().check_invariants();
}

#[test]
fn nothing_is_kept_of_an_index_of_an_excluded_component() {
    let mut game = Game::new();
    let ids = game.create_many([Team("red"), Team("blue")]);
    let history = builder().record(&mut game);
    let round = |game: &mut Game| {
        for nth in 0..1_000 {
            let team = ["red", "blue"][nth % 2];
            game.entity_mut(ids[0]).replace_team(team);
        }
        game.storage().memory().total()
    };
    let first = round(&mut game);
    assert_eq!(round(&mut game), first);
    assert!(history.is_empty(&game));
}

#[test]
fn undone_entities_have_no_target() {
    let mut game = Game::new();
    let parent = game.create_entity().id();
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    game.create_with((ChildOf { parent }, Targets(parent), Keeps(parent)));
    history.rewind(&mut game, start);
    let parent = game.entity(parent);
    assert!(parent.children().is_empty() && parent.targeted_by().is_empty());
    assert!(parent.related::<Keeps>().sources().is_empty());
    game.storage().check_invariants();
}

#[test]
fn an_entity_that_loses_a_relation_by_a_rewind_leaves_its_indexes() {
    let mut game = Game::new();
    let by_parent = game.entity_index(Game::all_of::<ChildOf>(), |child| child.child_of().parent);
    let source = game.create_entity().id();
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    let parent = game.create_entity().id();
    game.entity_mut(source).add_child_of(parent);
    assert_eq!(by_parent.get(&game, &parent).ids(), [source]);
    history.rewind(&mut game, start);
    assert_eq!(by_parent.len(&game), 0);
    game.storage().check_invariants();
}

#[test]
fn an_excluded_key_is_dropped_with_its_last_entity() {
    let mut game = Game::new();
    let count = Arc::new(());
    let history = History::builder().without::<Keyed>().record(&mut game);
    let start = history.mark(&mut game);
    game.create_with(Keyed(Key(1, count.clone())));
    history.rewind(&mut game, start);
    assert_eq!(Arc::strong_count(&count), 1);
}

/// The number of entities that are changed or destroyed in some order.
const COUNT: usize = 5;

/// Ascending, descending and mixed orders.
const ORDERS: [[usize; COUNT]; 3] = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]];

/// Asserts that the state after a rewind is the same for all orders.
#[track_caller]
fn assert_same_in_all_orders<T: PartialEq + std::fmt::Debug>(seen: fn(&[usize]) -> T) {
    let [first, second, third] = ORDERS.map(|order| seen(&order));
    assert_eq!(first, second);
    assert_eq!(first, third);
}

#[test]
fn the_order_of_sources_does_not_depend_on_destroyed_ones() {
    assert_same_in_all_orders(|order| {
        let mut game = Game::new();
        let target = game.create_entity().id();
        let history = builder().record(&mut game);
        let ids = game.create_many([(); 2 * COUNT]);
        let alive = history.mark(&mut game);
        order.iter().for_each(|&at| game.destroy(ids[at]));
        let end = history.mark(&mut game);
        history.rewind(&mut game, alive);
        for &id in &ids {
            game.entity_mut(id).add_targets(target);
        }
        history.forward(&mut game, end);
        let left = game.entity(target).targeted_by().to_vec();
        game.storage().check_invariants();
        left.iter().map(|id| id.index()).collect::<Vec<_>>()
    });
}

#[test]
fn the_entities_of_a_key_have_the_same_order_after_any_changes() {
    assert_same_in_all_orders(|order| {
        let mut game = Game::new();
        let index = game.entity_index(Game::all_of::<(Health, Team)>(), |it| it.health().0);
        let ids = game.create_many([(); COUNT].map(|()| (Health(1), Team("red"))));
        let history = builder().record(&mut game);
        let start = history.mark(&mut game);
        for &at in order {
            game.entity_mut(ids[at]).replace_health(2);
        }
        history.rewind(&mut game, start);
        let found = index.get(&game, &1).ids();
        found.iter().map(|id| id.index()).collect::<Vec<_>>()
    });
}

/// Two entities get a key by a rewind: one by an old value, the other by losing a relation.
#[test]
fn an_entity_that_loses_a_relation_is_in_order_among_those_of_a_key() {
    let mut game = Game::new();
    let free = Game::all_of::<(Health, Team)>().none_of::<ChildOf>();
    let index = game.entity_index(free, |entity| entity.health().0);
    let ids = game.create_many([(); 2].map(|()| (Health(1), Team("red"))));
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    let parent = game.create_entity().id();
    game.entity_mut(ids[0]).add_child_of(parent);
    game.entity_mut(ids[1]).replace_health(2);
    history.rewind(&mut game, start);
    assert_eq!(index.get(&game, &1).ids(), ids);
}

/// The number of calls of the key function by a rewind over this many changes of one entity, which
/// loses a relation.
fn asked(changes: u32) -> usize {
    let (mut game, asked) = (Game::new(), Arc::new(AtomicUsize::new(0)));
    let free = Game::all_of::<(Health, Team)>().none_of::<ChildOf>();
    let counted = asked.clone();
    let _index = game.entity_index(free, move |entity| {
        counted.fetch_add(1, Ordering::Relaxed);
        entity.health().0
    });
    let id: Id = game.create_with((Health(0), Team("red"))).id();
    let history = builder().record(&mut game);
    let start = history.mark(&mut game);
    let parent = game.create_entity().id();
    game.entity_mut(id).add_child_of(parent);
    for n in 1..=changes {
        game.entity_mut(id).replace_health(n);
    }
    let before = asked.load(Ordering::Relaxed);
    history.rewind(&mut game, start);
    asked.load(Ordering::Relaxed) - before
}

#[test]
fn a_key_is_computed_as_often_after_many_changes_as_after_none() {
    assert_eq!(asked(0), asked(1));
    assert_eq!(asked(0), asked(100));
}
