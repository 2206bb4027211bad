//! Panicking and counted drops (F01, F08).

mod held;
mod lists;
mod many;
mod messages;
mod recorded;
mod related;

use super::game::{
    Alpha, Beta, Flag, Game, Gamma, Kept, Ledger, Log, Wrap, assert_groups_agree, assert_sound,
    assert_values_agree,
};
use ecs::prelude::*;
use support::panic_of;

/// Three entities with all three components; the drop of the middle one's `T` panics.
fn three_entities<T: Wrap>(ledger: &Ledger, observed: bool) -> (Game, EntityId<Game>) {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<T>());
    if observed {
        group.on_left(&mut game, |_, _| {});
        group.on_updated(&mut game, |_, _| {});
    }
    let whole = |game: &mut Game| {
        let (a, b, c) = (ledger.token(), ledger.token(), ledger.token());
        game.create_with((Alpha(a), Beta(b), Gamma(c))).id()
    };
    let ids = [(); 3].map(|()| whole(&mut game));
    game.entity_mut(ids[1]).replace(T::wrap(ledger.bomb()));
    (game, ids[1])
}

type Operation<T> = (&'static str, fn(&mut Game, EntityId<Game>, &Ledger, T));

fn operations<T: Wrap>() -> Vec<Operation<T>> {
    vec![
        ("replace", |game, id, _, new| {
            game.entity_mut(id).replace(new);
        }),
        ("update by assignment", |game, id, _, new| {
            game.entity_mut(id).update(|value: &mut T| *value = new);
        }),
        ("remove", |game, id, _, _| {
            game.entity_mut(id).remove::<T>();
        }),
        ("take", |game, id, _, _| {
            _ = game.entity_mut(id).take::<T>();
        }),
        ("remove_all", |game, id, _, _| {
            game.entity_mut(id).remove_all();
        }),
        ("destroy", |game, id, _, _| game.destroy(id)),
        ("destroy_all", |game, _, _, _| game.destroy_all()),
        ("reset", |game, _, _, _| game.reset()),
        ("inside an observer", |game, id, ledger, _| {
            let group = game.group(Game::all_of::<Flag>());
            let seen = ledger.token();
            group.on_entered(game, move |game, _| {
                let _seen = &seen;
                game.entity_mut(id).remove::<T>();
                game.destroy(id);
            });
            game.create_entity().add_flag();
        }),
        ("assignment of a new context", |game, _, _, _| {
            *game = Game::new();
        }),
    ]
}

fn try_all<T: Wrap>() {
    for observed in [false, true] {
        for (name, operation) in operations::<T>() {
            let ledger = Ledger::default();
            let (mut game, id) = three_entities::<T>(&ledger, observed);
            let new = T::wrap(ledger.token());
            let notified = panic_of(|| operation(&mut game, id, &ledger, new));
            assert!(
                notified.ends_with("panics in its drop"),
                "{name}: {notified}"
            );
            assert_groups_agree(&game);
            assert_values_agree(&game);
            game.observers().clear();
            assert_sound(game, &ledger);
        }
    }
}

/// F01: the drop of the first, a middle or the last component panics, in every operation that drops
/// values: the others are still dropped, each once.
#[test]
fn a_drop_that_panics_affects_nothing_else() {
    try_all::<Alpha>();
    try_all::<Beta>();
    try_all::<Gamma>();
}

/// F01: the drop of a value panics while the context is dropped.
#[test]
fn a_drop_that_panics_with_the_context_leaks_nothing() {
    let try_one = |observed, make: fn(&Ledger, bool) -> (Game, EntityId<Game>)| {
        let ledger = Ledger::default();
        let (game, _) = make(&ledger, observed);
        panic_of(|| drop(game));
        ledger.assert_all_dropped_once();
    };
    for observed in [false, true] {
        try_one(observed, three_entities::<Alpha>);
        try_one(observed, three_entities::<Beta>);
        try_one(observed, three_entities::<Gamma>);
    }
}

/// F01: several values panic in one destroy, the second during the unwinding of the first.
#[test]
fn several_drops_that_would_panic_are_all_run() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let bombs = |ledger: &Ledger| {
        let (a, b, c) = (ledger.bomb(), ledger.bomb(), ledger.bomb());
        (Alpha(a), Beta(b), Gamma(c))
    };
    let ids = game.create_many([(); 3].map(|()| bombs(&ledger)));
    panic_of(|| game.destroy(ids[1]));
    assert!(!game.contains(ids[1]));
    assert_eq!(ledger.alive(), 6);
    panic_of(|| drop(game));
    ledger.assert_all_dropped_once();
}

/// F01: entities of several signatures are destroyed at once, and a drop of the first one panics.
#[test]
fn a_drop_that_panics_in_a_bulk_destroy_leaves_no_value_behind() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let first = game.create_with(Alpha(ledger.bomb())).id();
    let second = game
        .create_with((Alpha(ledger.token()), Beta(ledger.token())))
        .id();
    panic_of(|| game.many(&[first, second]).destroy());
    assert_eq!((game.len(), ledger.alive()), (0, 0));
    assert_eq!(game.query::<&Alpha>().iter().count(), 0);
    game.create_with((Alpha(ledger.token()), Beta(ledger.token())));
    assert_sound(game, &ledger);
}

/// F01: the drop of pooled values panics.
#[test]
fn a_pool_whose_values_panic_is_emptied() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let fill = |game: &mut Game| {
        let kept = [ledger.token(), ledger.bomb(), ledger.token()].map(|t| Kept(Some(t)));
        for id in game.create_many(kept) {
            game.destroy(id);
        }
        assert_eq!(game.storage().pooled::<Kept>(), 3);
    };
    fill(&mut game);
    panic_of(|| game.storage_mut().clear_pool::<Kept>());
    assert_eq!(game.storage().pooled::<Kept>(), 0);
    fill(&mut game);
    panic_of(|| game.storage_mut().clear_pools());
    assert_eq!(game.storage().pooled::<Kept>(), 0);
    assert_sound(game, &ledger);
}

/// F01: a value owned by the closure of an observer panics in its drop when the observer is
/// unsubscribed, from outside and by itself.
#[test]
fn an_observer_whose_drop_panics_is_removed() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let (bomb, log) = (ledger.bomb(), Log::default());
    let subscription = game.observers().on_created(move |_, _| _ = &bomb);
    panic_of(|| _ = game.unsubscribe(subscription));
    assert!(!game.unsubscribe(subscription));

    let (bomb, heard) = (ledger.bomb(), log.clone());
    game.observers().on_created(move |game, _| {
        heard.note("last");
        let _owned = &bomb;
        game.observers().clear();
    });
    panic_of(|| _ = game.create_entity());
    game.create_entity();
    assert_eq!(log.take(), ["last"]);
    assert_sound(game, &ledger);
}

/// F01: a value owned by one of several observers panics in its drop when all observers of a group
/// are removed.
#[test]
fn all_observers_of_a_group_are_removed_even_if_a_drop_panics() {
    let ledger = Ledger::default();
    let (mut game, log) = (Game::new(), Log::default());
    let group = game.group(Game::all_of::<Flag>());
    let (bomb, heard) = (ledger.bomb(), log.clone());
    group.on_entered(&mut game, move |_, _| _ = &bomb);
    group.on_left(&mut game, move |_, _| heard.note("left"));
    panic_of(|| group.clear_observers(&mut game));
    game.create_entity().add_flag().remove_flag();
    assert_eq!(log.len(), 0);
    assert_sound(game, &ledger);
}

/// F01: a bundle is rejected because of a duplicate component: values already written and values
/// not yet written are dropped once, and no observer is notified of the entity.
#[test]
fn a_rejected_bundle_drops_its_values_once() {
    let ledger = Ledger::default();
    let (mut game, log) = (Game::new(), Log::default());
    let heard = log.clone();
    game.observers()
        .on_created(move |_, _| heard.note("created"));
    let token = || ledger.token();
    let notified = panic_of(|| {
        game.create_with((
            Alpha(token()),
            (Beta(token()), Alpha(token())),
            Gamma(token()),
        ));
    });
    assert!(
        notified.contains("`Alpha`") && notified.contains("twice"),
        "{notified}"
    );
    assert_eq!((game.len(), ledger.alive(), log.len()), (0, 0, 0));
    game.observers().clear();
    assert_sound(game, &ledger);
}

/// F01: the drop of the first replaced value panics in a bulk replace: all entities have their new
/// values, and the old ones are dropped once.
#[test]
fn a_drop_that_panics_among_many_replaced_leaves_all_replaced() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let ids = [(); 3].map(|()| game.create_entity().id());
    game.many(&ids[..1]).add_with(|_| Alpha(ledger.bomb()));
    game.many(&ids[1..]).add_with(|_| Alpha(ledger.token()));
    panic_of(|| game.many(&ids).replace_with(|_| Alpha(ledger.token())));
    assert_eq!(ledger.drops(), [1, 1, 1, 0, 0, 0]);
    assert_sound(game, &ledger);
}
