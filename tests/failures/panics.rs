//! User code that panics: closures, clones, observers, iterators (F02, F03, F06).

mod copies;
mod listeners;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use super::game::{
    Alpha, Beta, Flag, Game, GameEntity, GameEntityMut, Kept, Ledger, Log, Other, Value,
    assert_sound, assert_usable,
};
use support::{attempt, panic_of};

fn log_everything(game: &mut Game, log: &Log) {
    let group = game.group(Game::any_of::<(Value, Kept, Alpha)>());
    let heard = [(); 6].map(|()| log.clone());
    let [entered, left, updated, created, destroyed, dying] = heard;
    group.on_entered(game, move |_, change| entered.note(format!("{change:?}")));
    group.on_left(game, move |_, change| left.note(format!("{change:?}")));
    group.on_updated(game, move |_, change| updated.note(format!("{change:?}")));
    game.observers()
        .on_created(move |_, id| created.note(format!("created {id}")));
    game.observers()
        .on_destroyed(move |_, id| destroyed.note(format!("destroyed {id}")));
    game.observers()
        .on_will_be_destroyed(move |_, id| dying.note(format!("will be destroyed {id}")));
}

/// F02: the closure of an update panics: the value stays as the closure left it and is collected,
/// and no observer is notified.
#[test]
fn a_closure_that_panics_keeps_the_value_and_notifies_no_observer() {
    let (ledger, log) = (Ledger::default(), Log::default());
    let mut game = Game::new();
    log_everything(&mut game, &log);
    let collector = game.collector(Game::all_of::<Value>().updated());
    let id = game.create_entity().add_value(1).id();
    log.take();
    panic_of(|| {
        game.entity_mut(id).update_value(|value| {
            value.0 = 2;
            panic!("half-way");
        });
    });
    game.storage().check_invariants();
    assert_eq!(game.entity(id).value(), &Value(2));
    assert!(log.take().is_empty());
    assert_eq!(collector.ids(&game), [id]);
    game.observers().clear();
    assert_sound(game, &ledger);
}

/// F02: the closure that fills a pooled component panics: nothing is added or replaced, the value
/// is dropped, and no observer is notified.
#[test]
fn a_filling_that_panics_adds_nothing() {
    let (ledger, log) = (Ledger::default(), Log::default());
    let mut game = Game::new();
    log_everything(&mut game, &log);
    let id = game.create_entity().id();
    log.take();
    let fill = |kept: &mut Kept| {
        kept.0 = Some(ledger.token());
        panic!("half-way");
    };
    panic_of(|| _ = game.entity_mut(id).add_kept_with(fill));
    game.storage().check_invariants();
    panic_of(|| _ = game.entity_mut(id).replace_kept_with(fill));
    game.storage().check_invariants();
    assert!(!game.entity(id).has_kept());
    game.entity_mut(id).add(Kept(Some(ledger.token())));
    log.take();
    panic_of(|| _ = game.entity_mut(id).replace_kept_with(fill));
    game.storage().check_invariants();
    assert!(game.entity(id).kept().0.is_some());
    assert!(log.take().is_empty());
    game.observers().clear();
    assert_sound(game, &ledger);
}

thread_local! {
    static TOUCHY: Cell<bool> = const { Cell::new(false) };
}

/// A component whose `Clone` panics on request, and whose `Default` always does.
struct Touchy;

impl Clone for Touchy {
    fn clone(&self) -> Self {
        assert!(!TOUCHY.get(), "cannot be copied");
        Self
    }
}

impl Default for Touchy {
    fn default() -> Self {
        panic!("there is no default");
    }
}

#[derive(Component, Clone, Default)]
#[component(context = Game, pooled)]
struct Delicate(Touchy, u32);

/// F02: the clone of an observed update panics, or the default of a pooled component: nothing
/// changes.
#[test]
fn a_copy_or_default_that_panics_changes_nothing() {
    let (ledger, log) = (Ledger::default(), Log::default());
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Delicate>());
    let heard = log.clone();
    group.on_updated(&mut game, move |_, _| heard.note("updated"));
    let id = game.create_with(Delicate(Touchy, 1)).id();
    TOUCHY.set(true);
    panic_of(|| {
        game.entity_mut(id)
            .update::<Delicate, _>(|value| value.1 = 2)
    });
    game.storage().check_invariants();
    TOUCHY.set(false);
    assert_eq!(game.entity(id).delicate().1, 1);
    panic_of(|| {
        _ = game
            .entity_mut(id)
            .replace_with::<Delicate>(|value| value.1 = 3)
    });
    game.storage().check_invariants();
    assert_eq!((game.entity(id).delicate().1, log.len()), (1, 0));
    game.destroy(id);
    game.observers().clear();
    assert_sound(game, &ledger);
}

/// The events of an observer.
const EVENTS: [&str; 7] = [
    "entered",
    "left",
    "updated",
    "created",
    "will be destroyed",
    "destroyed",
    "group created",
];

fn subscribe(game: &mut Game, event: &str, mut heard: impl FnMut() + Send + Sync + 'static) {
    let group = game.group(Game::all_of::<Value>());
    match event {
        "entered" => group.on_entered(game, move |_, _| heard()),
        "left" => group.on_left(game, move |_, _| heard()),
        "updated" => group.on_updated(game, move |_, _| heard()),
        "created" => game.observers().on_created(move |_, _| heard()),
        "will be destroyed" => game.observers().on_will_be_destroyed(move |_, _| heard()),
        "destroyed" => game.observers().on_destroyed(move |_, _| heard()),
        _ => game.observers().on_group_created(move |_, _| heard()),
    };
}

/// Raises every event once.
fn raise_all(game: &mut Game, round: u32) {
    let mut entity = game.create_entity();
    entity.add_value(1).replace_value(2).remove_value();
    entity.destroy();
    match round {
        0 => game.group(Game::all_of::<(Value, Alpha)>()),
        1 => game.group(Game::all_of::<(Value, Beta)>()),
        _ => game.group(Game::all_of::<(Value, Other)>()),
    };
}

/// F03: the second of three observers panics: the state is final, the third is not called, nothing
/// is stuck, and all three are notified of the next change.
#[test]
fn an_observer_that_panics_leaves_nothing_stuck() {
    for event in EVENTS {
        let (ledger, log) = (Ledger::default(), Log::default());
        let mut game = Game::new();
        let armed = Arc::new(AtomicBool::new(true));
        for name in ["first", "second", "third"] {
            let (heard, armed) = (log.clone(), armed.clone());
            subscribe(&mut game, event, move || {
                heard.note(name);
                assert!(
                    name != "second" || !armed.load(Ordering::Relaxed),
                    "second observer"
                );
            });
        }
        let notified = panic_of(|| raise_all(&mut game, 0));
        game.storage().check_invariants();
        assert_eq!(notified, "second observer", "{event}");
        assert_eq!(log.take(), ["first", "second"], "{event}");
        armed.store(false, Ordering::Relaxed);
        raise_all(&mut game, 1);
        assert_eq!(log.take(), ["first", "second", "third"], "{event}");
        game.observers().clear();
        assert_sound(game, &ledger);
    }
}

/// F03: the state is final when an observer panics; only *will be destroyed*, which precedes its
/// change, leaves the entity alive.
#[test]
fn the_state_is_final_when_an_observer_panics() {
    for event in EVENTS {
        let mut game = Game::new();
        let id = game.create_entity().add_value(1).id();
        let fuse = Arc::new(AtomicBool::new(true));
        let armed = fuse.clone();
        subscribe(&mut game, event, move || {
            assert!(!armed.load(Ordering::Relaxed), "observer");
        });
        let act = |game: &mut Game| match event {
            "entered" => _ = game.create_entity().add_value(3),
            "left" => _ = game.entity_mut(id).remove_value(),
            "updated" => _ = game.entity_mut(id).replace_value(3),
            "created" => _ = game.create_entity(),
            "will be destroyed" | "destroyed" => game.destroy(id),
            _ => _ = game.group(Game::all_of::<Flag>()),
        };
        panic_of(|| act(&mut game));
        game.storage().check_invariants();
        fuse.store(false, Ordering::Relaxed);
        let value = game.get_entity(id).and_then(GameEntity::get_value).cloned();
        let expected = match event {
            "left" | "destroyed" => None,
            "updated" => Some(Value(3)),
            _ => Some(Value(1)),
        };
        let grown = matches!(event, "entered" | "created");
        assert_eq!(value, expected, "{event}");
        assert_eq!(
            game.len(),
            1 + usize::from(grown) - usize::from(event == "destroyed")
        );
        assert_usable(&mut game);
    }
}

/// F03: notifications queued after the panicking observer are dropped; later changes do not deliver
/// them.
#[test]
fn the_queue_is_empty_after_a_panic() {
    let (ledger, log) = (Ledger::default(), Log::default());
    let mut game = Game::new();
    let values = game.group(Game::all_of::<Value>());
    let others = game.group(Game::all_of::<Alpha>());
    let token = ledger.clone();
    values.on_entered(&mut game, move |game, change| {
        game.entity_mut(change.entity()).add(Alpha(token.token()));
        game.entity_mut(change.entity()).remove::<Alpha>();
    });
    let fuse = values.on_entered(&mut game, |_, _| panic!("with changes in the queue"));
    let heard = log.clone();
    others.on_left(&mut game, move |_, change| {
        heard.note(change.entity().to_string())
    });
    panic_of(|| _ = game.create_entity().add_value(1));
    game.storage().check_invariants();
    assert_eq!(ledger.alive(), 0);
    game.create_entity().add_other(1);
    assert_eq!(log.len(), 0);
    game.unsubscribe(fuse);
    game.create_entity().add_value(1);
    assert_eq!(log.take(), ["2v1"]);
    game.observers().clear();
    assert_sound(game, &ledger);
}

/// F03: an observer catches the panic of a destroy that it requested: entities whose destroy was
/// postponed meanwhile can be destroyed later.
#[test]
fn a_panic_caught_by_an_observer_leaves_no_entity_pending_destroy() {
    let mut game = Game::new();
    let ids = game.create_many([Value(0), Value(1), Value(2)]);
    let (first, second) = (ids[0], ids[1]);
    let armed = Arc::new(AtomicBool::new(true));
    let fuse = armed.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        if id == first && fuse.load(Ordering::Relaxed) {
            let _ = game.try_destroy(second);
            panic!("on the way");
        }
    });
    let (log, group) = (Log::default(), game.group(Game::all_of::<Flag>()));
    let heard = log.clone();
    group.on_entered(&mut game, move |game, _| {
        panic_of(|| game.destroy(first));
        game.storage().check_invariants();
        armed.store(false, Ordering::Relaxed);
        heard.note(format!("{:?}", game.try_destroy(second)));
    });
    game.entity_mut(ids[2]).add_flag();
    assert_eq!(log.take(), ["Ok(())"]);
    assert!(game.contains(first) && !game.contains(second));
    game.observers().clear();
    assert_usable(&mut game);
}

/// An iterator that may report a wrong length and may panic.
struct Bundles {
    left: u32,
    hint: (usize, Option<usize>),
    panics: bool,
}

impl Iterator for Bundles {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        assert!(!self.panics || self.left != 2, "iterator");
        self.left = self.left.checked_sub(1)?;
        Some(Value(self.left))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hint
    }
}

/// F06: an iterator lies about its length, or panics: the entities created until then are complete.
#[test]
fn create_many_trusts_no_iterator() {
    for hint in [
        (0, None),
        (0, Some(0)),
        (1, Some(1)),
        (9, Some(9)),
        (1000, None),
    ] {
        for panics in [false, true] {
            let mut game = Game::new();
            let left = 5;
            let bundles = Bundles { left, hint, panics };
            if panics {
                panic_of(|| _ = game.create_many(bundles));
                game.storage().check_invariants();
                assert_eq!(game.len(), 3);
            } else {
                assert_eq!(game.create_many(bundles).len(), 5);
            }
            assert!(game.entities().all(GameEntity::has_value));
            assert_usable(&mut game);
        }
    }
}

/// F06: an iterator promises more than fits in memory.
#[test]
fn create_many_survives_an_absurd_promise() {
    let mut game = Game::new();
    let hint = (usize::MAX, None);
    let bundles = Bundles {
        left: 5,
        hint,
        panics: false,
    };
    let notified = attempt(|| _ = game.create_many(bundles));
    // On a 32-bit machine the ids alone are too many.
    let expected = ["the most that a context can have", "capacity overflow"];
    assert!(notified.is_none_or(|notified| expected.iter().any(|text| notified.contains(text))));
    assert!(game.is_empty());
    assert_usable(&mut game);
}
