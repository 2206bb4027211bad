//! Handles that user code drops anywhere: while their collector is being filled, in a loop, in the
//! middle of a change (F20, F22). Other subscribers are not affected, and nothing is leaked.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use support::collectors;
use support::game::{Frozen, Game, Health, Id, Mood};

/// A handle of any kind.
type Handle = Box<dyn Send + Sync>;

/// Creates a handle.
type Make = fn(&mut Game) -> Handle;

/// A handle that can be dropped from anywhere.
type Laid = Arc<Mutex<Option<Handle>>>;

/// Creates the handle to drop, for each kind.
const HANDLES: [Make; 5] = [
    |game| Box::new(game.collector(Game::all_of::<Health>().any_change())),
    |game| Box::new(game.removed_values::<Health>()),
    |game| Box::new(game.inbox::<u8>()),
    |game| Box::new(game.feed::<(Health, Frozen)>()),
    |game| {
        let by_health = |it: support::game::GameEntity<'_>| it.health().0;
        Box::new(game.entity_index(Game::all_of::<Health>(), by_health))
    },
];

fn drop_it(laid: &Laid) {
    drop(laid.lock().unwrap().take());
}

/// The places where a handle is dropped: each prepares the game and triggers the drop.
const PLACES: [fn(&mut Game, Laid); 12] = [
    |game, laid| {
        let group = game.group(Game::all_of::<Health>());
        group.on_entered(game, move |_, _| drop_it(&laid));
        game.create_many([1, 2, 3].map(Health));
    },
    |game, laid| {
        let group = game.group(Game::all_of::<Health>());
        group.on_updated(game, move |_, _| drop_it(&laid));
        game.query_mut::<&mut Health>().for_each(|it| it.0 += 1);
    },
    |game, laid| {
        let group = game.group(Game::all_of::<Health>());
        group.on_left(game, move |_, _| drop_it(&laid));
        game.destroy_all();
    },
    |game, laid| {
        game.observers().on_created(move |_, _| drop_it(&laid));
        game.create_many([1, 2, 3].map(Health));
    },
    |game, laid| {
        let observers = game.observers();
        observers.on_will_be_destroyed(move |_, _| drop_it(&laid));
        first(game).destroy();
    },
    |game, laid| {
        game.events().on_set::<Mood>(move |_| drop_it(&laid));
        first(game).add_mood(1);
        game.events().deliver();
    },
    |game, laid| {
        first(game).update_health(|health| {
            health.0 += 1;
            drop_it(&laid);
        });
    },
    |game, laid| {
        let all = game.query_mut::<&mut Health>();
        all.for_each(|health| {
            health.0 += 1;
            drop_it(&laid);
        });
    },
    |game, laid| {
        let group = game.group(Game::all_of::<Health>());
        group.for_each(game, |mut entity| {
            entity.replace_health(5);
            drop_it(&laid);
            entity.replace_health(6);
        });
    },
    |game, laid| {
        let dropping = (0..3).map(|n| {
            drop_it(&laid);
            Health(n)
        });
        game.create_many(dropping);
    },
    |game, laid| {
        let changed = Game::all_of::<Health>().updated();
        let mut systems =
            Systems::new().for_each_changed(game, changed, move |game: &mut Game, id| {
                game.entity_mut(id).replace_health(9);
                drop_it(&laid);
                game.entity_mut(id).replace_health(8);
            });
        first(game).replace_health(1);
        systems.execute(game);
        systems.release(game);
    },
    |game, laid| {
        drop_it(&laid);
        game.reset();
    },
];

fn first(game: &mut Game) -> support::game::GameEntityMut<'_> {
    let id = game.entities().next().unwrap().id();
    game.entity_mut(id)
}

/// The state of a game after a handle was dropped, or not, in one of the places: its entities, and
/// what other handles have collected.
fn outcome(place: fn(&mut Game, Laid), handle: Option<Make>) -> String {
    let mut game = Game::new();
    let laid = Laid::default();
    *laid.lock().unwrap() = handle.map(|make| make(&mut game));
    let kept = game.collector(Game::all_of::<Health>().any_change());
    let lost = game.removed_values::<Health>();
    game.create_many((0..4).map(|n| (Health(n), Frozen)));
    kept.clear(&mut game);
    place(&mut game, laid.clone());
    assert!(laid.lock().unwrap().is_none(), "it was dropped");
    game.storage().check_invariants();
    let (kept_ids, lost_values) = (kept.drain(&mut game), lost.drain(&mut game));
    game.observers().clear();
    game.events().clear_listeners();
    leaves_nothing(&mut game, (kept, lost));
    let there: Vec<_> = game.entities().map(|it| format!("{it:?}")).collect();
    format!("{there:?} {kept_ids:?} {lost_values:?}")
}

/// Once the other handles are dropped, too, nothing is collected and changes have no subscribers.
fn leaves_nothing(game: &mut Game, others: (Collector<Game>, ecs::RemovedValues<Game, Health>)) {
    drop(others);
    game.storage_mut().shrink_to_fit();
    assert_eq!(collectors(game), 0);
    let before = game.storage().memory().collectors;
    let ids: Vec<Id> = game.create_many((0..200).map(Health));
    ids.iter()
        .for_each(|id| _ = game.entity_mut(*id).replace_health(7));
    game.send(7_u8);
    game.many(&ids).destroy();
    game.storage_mut().shrink_to_fit();
    assert_eq!(game.storage().memory().collectors, before);
    game.storage().check_invariants();
}

/// F20, F22: dropping any handle anywhere does not affect the others.
#[test]
fn a_handle_may_be_dropped_anywhere() {
    for place in PLACES {
        let expected = outcome(place, None);
        for handle in HANDLES {
            assert_eq!(outcome(place, Some(handle)), expected);
        }
    }
}

/// F20, F22: an observer drops a collector during the change that is being collected; a new
/// collector reuses its slot meanwhile, and receives nothing meant for the old one.
#[test]
fn a_collector_that_reuses_a_dropped_one_starts_empty() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Health>());
    let old = game.collector(Game::all_of::<Health>().entered());
    let (laid, new) = (Mutex::new(Some(old)), Arc::new(Mutex::new(None)));
    let made = new.clone();
    group.on_entered(&mut game, move |game, change| {
        if let Some(old) = laid.lock().unwrap().take() {
            assert_eq!(old.ids(game)[0], change.entity());
            drop(old);
            let entered = Game::all_of::<Health>().entered();
            *made.lock().unwrap() = Some(game.collector(entered));
        }
    });
    game.create_with(Health(1));
    let new = new.lock().unwrap().take().unwrap();
    assert!(new.is_empty(&game) && collectors(&game) == 1);
    let later = game.create_with(Health(2)).id();
    assert_eq!(new.drain(&mut game), [later]);
    game.storage().check_invariants();
}
