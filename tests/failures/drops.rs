//! Drops that panic, and drops that are counted (F01, F08).

use ecs::prelude::*;
use proptest::prelude::*;

use super::game::{
    Alpha, Beta, Flag, Game, Gamma, Kept, Ledger, Log, Value, Wrap, assert_groups_agree,
    assert_sound, assert_values_agree,
};
use support::{attempt, panic_of};

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
            let told = panic_of(|| operation(&mut game, id, &ledger, new));
            assert!(told.ends_with("panics in its drop"), "{name}: {told}");
            assert_groups_agree(&game);
            assert_values_agree(&game);
            game.observers().clear();
            assert_sound(game, &ledger);
        }
    }
}

/// F01: the drop of the first, a middle or the last component panics, in every
/// operation that drops values: the others are dropped all the same, each once.
#[test]
fn a_drop_that_panics_disturbs_nothing_else() {
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

/// F01: several values panic in one destroy: the second while the first unwinds.
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

/// F01: entities of several signatures end at once, and a drop of the first one panics.
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

/// F01: values on a pool stack whose drop panics.
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

/// F01: what a closure owns panics in its drop when the observer is ended, from
/// outside and by itself.
#[test]
fn an_observer_whose_drop_panics_is_ended() {
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

/// F01: a bundle is refused because of a double component: what it had put already
/// and what it had not is dropped once, and nobody hears of the entity.
#[test]
fn a_refused_bundle_drops_its_values_once() {
    let ledger = Ledger::default();
    let (mut game, log) = (Game::new(), Log::default());
    let heard = log.clone();
    game.observers()
        .on_created(move |_, _| heard.note("created"));
    let token = || ledger.token();
    let told = panic_of(|| {
        game.create_with((
            Alpha(token()),
            (Beta(token()), Alpha(token())),
            Gamma(token()),
        ));
    });
    assert!(told.contains("`Alpha`") && told.contains("twice"), "{told}");
    assert_eq!((game.len(), ledger.alive(), log.len()), (0, 0, 0));
    game.observers().clear();
    assert_sound(game, &ledger);
}

/// One step of a random program: what to do, with which entity and component.
type Step = (u8, u8, u8);

fn on_component<T: Wrap>(game: &mut Game, id: EntityId<Game>, ledger: &Ledger, what: u8) {
    let mut entity = game.entity_mut(id);
    let token = ledger.token();
    match what % 6 {
        0 => _ = entity.try_add(T::wrap(token)).is_ok(),
        1 => _ = entity.replace(T::wrap(token)),
        2 => _ = entity.try_remove::<T>().is_ok(),
        3 => _ = entity.take::<T>(),
        4 => {
            _ = entity
                .try_update(|value: &mut T| *value = T::wrap(token))
                .is_ok()
        }
        _ => _ = entity.remove_all(),
    }
}

fn run(game: &mut Game, ledger: &Ledger, ids: &mut Vec<EntityId<Game>>, (what, at, of): Step) {
    let token = || ledger.token();
    ids.retain(|id| game.contains(*id));
    let Some(&id) = ids.get(usize::from(at) % ids.len().max(1)) else {
        return ids.push(game.create_with((Beta(token()), Kept(Some(token())))).id());
    };
    match what {
        0..6 if of % 3 == 0 => on_component::<Alpha>(game, id, ledger, what),
        0..6 if of % 3 == 1 => on_component::<Beta>(game, id, ledger, what),
        0..6 => on_component::<Gamma>(game, id, ledger, what),
        6 => {
            _ = game
                .entity_mut(id)
                .replace_kept_with(|kept| kept.0 = Some(token()))
        }
        7 => _ = game.entity_mut(id).try_remove::<Kept>().is_ok(),
        8 => game.destroy(id),
        9 => game.storage_mut().clear_pools(),
        10 if of == 0 => game.reset(),
        11 if of == 0 => _ = attempt(|| _ = game.create_with((Alpha(token()), Alpha(token())))),
        _ => ids.push(game.create_with((Gamma(token()), Alpha(token()))).id()),
    }
}

/// Observers that keep changing what they hear of, so that values wait in the queue.
fn stir(game: &mut Game, ledger: &Ledger) {
    let group = game.group(Game::all_of::<Alpha>());
    let (entering, leaving) = (ledger.clone(), ledger.clone());
    group.on_entered(game, move |game, change| {
        if let Some(mut entity) = game.get_entity_mut(change.entity()) {
            entity.replace(Gamma(entering.token())).replace_value(1);
        }
    });
    group.on_left(game, move |game, change| {
        let _kept = change.previous::<Alpha>().cloned();
        if let Some(mut entity) = game.get_entity_mut(change.entity()) {
            entity.replace(Beta(leaving.token()));
            entity.take::<Gamma>();
        }
    });
    game.observers()
        .on_destroyed(|game, _| _ = game.create_entity().add(Value(2)));
    game.observers()
        .on_will_be_destroyed(|game, id| _ = game.entity_mut(id).take::<Beta>());
}

proptest! {
    /// F08: whatever is done, every value is dropped exactly once.
    #[test]
    fn every_value_is_dropped_once(
        observed in any::<bool>(),
        program in prop::collection::vec((0u8..16, any::<u8>(), 0u8..6), 1..80),
    ) {
        let ledger = Ledger::default();
        let (mut game, mut ids) = (Game::new(), Vec::new());
        if observed {
            stir(&mut game, &ledger);
        }
        for step in program {
            run(&mut game, &ledger, &mut ids, step);
        }
        game.observers().clear();
        assert_sound(game, &ledger);
    }
}
