//! F03: listeners of component events, and observers of messages, that panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;
use support::panic_of;

use crate::game::{Game, GameEntity, GameEntityMut, Ledger, Log, assert_sound, assert_usable};

/// A component with events.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, event(any(set), self(set), any(removed)))]
struct Mood(u32);

/// Creates closures that log their names; the second one panics while it is armed.
struct Three {
    log: Log,
    armed: Arc<AtomicBool>,
}

impl Three {
    fn new() -> Self {
        let armed = Arc::new(AtomicBool::new(true));
        let log = Log::default();
        Self { log, armed }
    }

    fn calls(&self) -> [impl FnMut(&str) + Send + Sync + use<>; 3] {
        ["first", "second", "third"].map(|name| {
            let (log, armed) = (self.log.clone(), self.armed.clone());
            move |of: &str| {
                log.note(format!("{name} {of}"));
                let panics = name == "second" && armed.load(Ordering::Relaxed);
                assert!(!panics, "second");
            }
        })
    }

    fn disarm(&self) {
        self.armed.store(false, Ordering::Relaxed);
    }
}

/// The log if all three were notified of this.
fn all_of(of: &str) -> [String; 3] {
    ["first", "second", "third"].map(|name| format!("{name} {of}"))
}

/// F03: the second of three listeners to an event of any entity panics: the third is never called
/// for this entity. Undelivered events stay pending, and the next delivery notifies all listeners.
#[test]
fn a_listener_that_panics_leaves_the_other_events_to_the_next_delivery() {
    for is_removal in [false, true] {
        let (mut game, three) = (Game::new(), Three::new());
        for mut call in three.calls() {
            let call = move |entity: GameEntityMut<'_>| call(&entity.id().to_string());
            match is_removal {
                false => game.events().on_set::<Mood>(call),
                true => game.events().on_removed::<Mood>(call),
            };
        }
        let ids = game.create_many([Mood(1), Mood(2)]);
        if is_removal {
            game.many(&ids).remove::<Mood>();
        }
        assert_eq!(panic_of(|| _ = game.events().deliver()), "second");
        game.storage().check_invariants();
        assert_eq!(three.log.take(), all_of("0v1")[..2]);
        let moods = ids.iter().filter(|&&id| game.entity(id).has_mood());
        assert_eq!(moods.count(), if is_removal { 0 } else { 2 });
        three.disarm();
        assert_eq!(game.events().undelivered(), 1);
        assert_eq!(game.events().deliver(), 3);
        assert_eq!(three.log.take(), all_of("1v1"));
        assert_eq!(game.events().deliver(), 0);
        let mut again = game.entity_mut(ids[0]);
        again.replace(Mood(3));
        if is_removal {
            again.remove_mood();
        }
        assert_eq!(game.events().deliver(), 3);
        assert_eq!(three.log.take(), all_of("0v1"));
        game.events().clear_listeners();
        game.destroy_all();
        assert_usable(&mut game);
    }
}

/// F03: the second of three listeners to one entity panics.
#[test]
fn a_listener_to_one_entity_that_panics_leaves_nothing_stuck() {
    let (mut game, three) = (Game::new(), Three::new());
    let id = game.create_with(Mood(1)).id();
    for mut call in three.calls() {
        game.entity_mut(id)
            .on_mood_set(move |entity| call(&entity.mood().0.to_string()));
    }
    game.entity_mut(id).replace_mood(2);
    assert_eq!(panic_of(|| _ = game.events().deliver()), "second");
    game.storage().check_invariants();
    assert_eq!(three.log.take(), all_of("2")[..2]);
    three.disarm();
    assert_eq!(game.events().deliver(), 0);
    game.entity_mut(id).replace_mood(3);
    assert_eq!(game.events().deliver(), 3);
    assert_eq!(three.log.take(), all_of("3"));
    game.destroy(id);
    assert_usable(&mut game);
}

/// F03: the second of three observers of messages panics: the third is not called, the inbox keeps
/// the message, which is dropped once, queued messages are dropped, and the next one reaches all.
#[test]
fn an_observer_of_messages_that_panics_leaves_nothing_stuck() {
    use crate::game::Alpha;
    for nested in [false, true] {
        let (mut game, three, ledger) = (Game::new(), Three::new(), Ledger::default());
        let inbox = game.inbox::<Alpha>();
        if nested {
            let log = three.log.clone();
            game.on_message(move |_, _: &u8| log.note("nested"));
            game.on_message(|game, _: &Alpha| game.send(1_u8));
        }
        for mut call in three.calls() {
            game.on_message(move |_, _: &Alpha| call("message"));
        }
        let text = panic_of(|| game.send(Alpha(ledger.token())));
        assert_eq!(text, "second");
        game.storage().check_invariants();
        assert_eq!(three.log.take(), all_of("message")[..2]);
        assert_eq!((inbox.len(&game), ledger.alive()), (1, 1));
        game.create_entity(); // delivers nothing pending
        assert!(three.log.take().is_empty());
        three.disarm();
        game.send(Alpha(ledger.token()));
        let mut expected = all_of("message").to_vec();
        expected.extend(nested.then(|| "nested".to_string()));
        assert_eq!(three.log.take(), expected);
        assert_eq!(inbox.drain(&mut game).len(), 2);
        game.observers().clear();
        game.destroy_all();
        assert_sound(game, &ledger);
    }
}
