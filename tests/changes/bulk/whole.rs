//! Creating and destroying many entities: all of them or none.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs::prelude::*;

use super::{Game, Health, Id, Name, Watched};
use support::panic_of;

fn name(at: usize) -> Name {
    Name(at.to_string())
}

#[test]
fn an_entity_that_cannot_be_destroyed_is_named_and_all_survive() {
    for observed in [false, true] {
        let mut all = Watched::new(observed);
        let ids = all.ids.clone();
        let dead = all.game.create_entity().id();
        all.game.destroy(dead);
        let before = all.picture();
        let rejected = all
            .game
            .many(&[ids[0], ids[4], dead, ids[1]])
            .try_destroy()
            .unwrap_err();
        assert_eq!(rejected.entity(), Some(dead.raw()));
        let rejected = all
            .game
            .many(&[ids[0], ids[8], ids[0]])
            .try_destroy()
            .unwrap_err();
        assert_eq!(rejected.entity(), Some(ids[0].raw()));
        assert_eq!(all.picture(), before);
        assert_eq!(all.game.create_entity().id().index(), dead.index());
    }
}

#[test]
fn lists_of_unequal_length_are_rejected() {
    let mut all = Watched::new(false);
    let before = all.picture();
    let rejected = all
        .game
        .try_create_columns((vec![name(1)], vec![Health(1), Health(2)]));
    let text = "cannot create entities of context `Game`: there are 1 values of `Name`, but 2 of \
                `Health`; give each list as many values";
    assert_eq!(rejected.unwrap_err().to_string(), text);
    let columns = (vec![name(1)], vec![Health(1), Health(2)]);
    assert_eq!(panic_of(|| all.game.create_columns(columns)), text);
    assert_eq!(all.picture(), before);
}

#[test]
#[should_panic(expected = "its bundle has component `Health` twice")]
fn a_component_given_twice_is_rejected() {
    let _ = Game::new().create_columns((vec![Health(1)], vec![Health(2)]));
}

#[test]
fn observers_are_notified_of_each_entity_created_from_columns_in_order() {
    let mut game = Game::new();
    let heard = Arc::new(AtomicUsize::new(0));
    let count = heard.clone();
    let healthy = game.group(Game::all_of::<(Name, Health)>());
    healthy.on_entered(&mut game, move |game: &mut Game, change| {
        let at = count.fetch_add(1, Relaxed);
        assert_eq!(game.len(), 70, "all exist before the first notification");
        assert_eq!(game.entity(change.entity()).name(), &name(at));
    });
    let names = (0..70).map(name).collect::<Vec<_>>();
    game.create_columns((names, vec![Health(0); 70]));
    assert_eq!(heard.load(Relaxed), 70);
}

/// Counts its living instances.
#[derive(Component)]
#[component(context = support::game::Game, extension)]
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Relaxed);
        Self(alive.clone())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[test]
fn every_value_is_dropped_once() {
    let alive = Arc::new(AtomicUsize::new(0));
    let list = |count| (0..count).map(|_| Alive::new(&alive)).collect::<Vec<_>>();
    let mut game = Game::new();
    let mut ids = game.create_columns(list(100));
    game.many(&ids.split_off(30)).destroy();
    assert_eq!(alive.load(Relaxed), 30);
    // 70 of these use free slots, the others new ones.
    let more = game.create_columns((list(200), vec![Health(1); 200]));
    assert_eq!(alive.load(Relaxed), 230);
    assert!(
        game.try_create_columns((list(3), vec![Health(1); 2]))
            .is_err()
    );
    assert_eq!(alive.load(Relaxed), 230);
    game.many(&more[..100]).remove::<Alive>();
    assert!(game.many(&[ids[0], ids[0]]).try_destroy().is_err());
    assert_eq!(alive.load(Relaxed), 130);
    drop(game);
    assert_eq!(alive.load(Relaxed), 0);
}

#[test]
fn a_panic_among_bundles_leaves_those_before_it_complete() {
    let mut all = Watched::new(false);
    let before = all.groups[1].len(&all.game);
    let bundles = (0..100).map(|at| {
        if at == 90 {
            panic!("no")
        } else {
            (name(at), Health(1))
        }
    });
    let panics = std::panic::AssertUnwindSafe(|| all.game.create_many(bundles));
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(all.groups[1].len(&all.game), before + 90);
    assert_eq!(all.collectors[1].len(&all.game), before + 90);
}

/// Entities are moved in the order in which their signatures first occurred.
#[test]
fn entities_created_in_bulk_are_moved_like_those_created_one_by_one() {
    let order = |create: fn(&mut Game)| {
        let mut game = Game::new();
        create(&mut game);
        game.create_with(Name("alone".into()));
        game.defragment();
        let walked: Vec<_> = game.query::<Id>().iter().collect();
        walked
    };
    let single = order(|game| (0..20).for_each(|at| _ = game.create_with((name(at), Health(1)))));
    assert_eq!(
        order(|game| _ = game.create_many((0..20).map(|at| (name(at), Health(1))))),
        single
    );
    let columns = |game: &mut Game| {
        let (names, healths) = (0..20)
            .map(|at| (name(at), Health(1)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        game.create_columns((names, healths));
    };
    assert_eq!(order(columns), single);
}

#[test]
fn an_observer_is_notified_of_each_destroy_after_all_of_them() {
    let (mut game, notified) = (Game::new(), support::Notes::default());
    let ids = game.create_many((0..3).map(|at| (name(at), Health(1))));
    let notes = notified.clone();
    game.observers()
        .on_destroyed(move |game, id| notes.push((id, game.len())));
    game.many(&[ids[2], ids[0], ids[1]]).destroy();
    assert_eq!(notified.take(), [(ids[2], 0), (ids[0], 0), (ids[1], 0)]);
}

#[test]
fn all_members_have_lost_the_component_before_the_first_observer_runs() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    let group = game.group(Game::all_of::<Health>());
    let (first, last) = (ids[0], ids[2]);
    group.on_left(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            assert!(change.entity() != first || group.is_empty(game));
            game.entity_mut(last).replace_health(9);
        },
    );
    assert_eq!(group.remove_from_all::<Health>(&mut game), 3);
    assert_eq!(group.ids(&game), [last]);
}

#[test]
fn destroyed_entities_collected_in_bulk_are_drained_like_single_ones() {
    for together in [false, true] {
        let mut game = Game::new();
        let ids = game.create_many((0..5).map(Health));
        let collector = game.collector(Game::all_of::<Health>().updated());
        game.query_mut::<&mut Health>()
            .for_each(|health| health.0 += 1);
        match together {
            true => game.many(&ids[1..3]).destroy(),
            false => ids[1..3].iter().for_each(|&id| game.destroy(id)),
        }
        game.create_many([Health(8), Health(9)]);
        assert_eq!(collector.drain(&mut game), ids);
    }
}
