//! Listeners that make changes, subscribe, unsubscribe, deliver and panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

#[test]
fn changes_of_a_listener_are_delivered_if_their_event_comes_later() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut name = log.as_name("hunger");
    game.on_any_hunger_set(move |mut entity| {
        entity.replace_poisoned();
        name(entity);
    });
    let mut name = log.as_name("poisoned");
    game.on_any_poisoned_set(move |mut entity| {
        entity.update_hunger(|hunger| hunger.0 += 1);
        name(entity);
    });
    let id = game.create_with(Hunger(1)).id();
    for round in 1..=3 {
        assert_eq!(game.events().deliver(), 2);
        assert_eq!(game.entity(id).hunger().0, 1 + round);
        assert_eq!(
            log.take(),
            [format!("hunger {id:?}"), format!("poisoned {id:?}")]
        );
    }
}

#[test]
fn a_listener_added_by_a_listener_is_notified_by_later_deliveries() {
    let (mut game, log) = (Game::new(), Log::default());
    let inner = log.clone();
    game.on_any_hunger_set(move |mut entity| {
        entity.on_hunger_set(inner.as_name("own"));
        let game = entity.context_mut();
        game.on_any_poisoned_set(inner.as_name("poisoned"));
        entity.replace_poisoned();
    });
    let id = game.create_with(Hunger(1)).id();
    assert_eq!((game.events().deliver(), log.take()), (1, vec![]));
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(log.take(), [format!("poisoned {id:?}")]);
}

#[test]
fn a_listener_removed_by_another_one_is_not_called_again() {
    let (mut game, log) = (Game::new(), Log::default());
    let second: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let place = second.clone();
    game.on_any_hunger_set(move |mut entity| {
        if let Some(second) = place.lock().unwrap().take() {
            assert!(entity.context_mut().unsubscribe(second));
        }
    });
    *second.lock().unwrap() = Some(game.on_any_hunger_set(log.as_name("second")));
    game.create_many([Hunger(1), Hunger(2)]);
    assert_eq!((game.events().deliver(), log.take()), (2, vec![]));
    assert_eq!(game.events().listeners(), 1);
}

#[test]
fn a_listener_may_remove_all_listeners_and_subscribe_again() {
    let (mut game, log) = (Game::new(), Log::default());
    let inner = log.clone();
    game.on_any_hunger_set(move |mut entity| {
        entity.context_mut().events().clear_listeners();
        entity.context_mut().on_any_hunger_set(inner.as_name("new"));
    });
    let ids = game.create_many([Hunger(1), Hunger(2)]);
    assert_eq!((game.events().deliver(), game.events().listeners()), (1, 1));
    game.entity_mut(ids[1]).replace_hunger(3);
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(log.take(), [format!("new {:?}", ids[1])]);
}

#[test]
fn a_delivery_inside_a_listener_does_nothing() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(|mut entity| {
        let game = entity.context_mut();
        let waiting = game.events().undelivered();
        game.create_with(Poisoned);
        assert_eq!(game.events().deliver(), 0);
        assert_eq!(game.events().undelivered(), waiting + 1);
    });
    game.on_any_poisoned_set(log.as_name("poisoned"));
    game.create_many([Hunger(1), Hunger(2)]);
    assert_eq!((game.events().deliver(), log.take().len()), (4, 2));
}

#[test]
fn a_listener_cannot_replay_itself() {
    let mut game = Game::new();
    let place: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let itself = place.clone();
    let listener = game.on_any_hunger_set(move |mut entity| {
        let listener = itself.lock().unwrap().unwrap();
        assert_eq!(entity.context_mut().events().replay(listener), 0);
    });
    *place.lock().unwrap() = Some(listener);
    game.create_with(Hunger(1));
    assert_eq!(
        (game.events().deliver(), game.events().replay(listener)),
        (1, 1)
    );
}

#[test]
fn a_panic_in_a_listener_keeps_it_and_undelivered_events() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(|entity| assert!(entity.hunger().0 != 2, "two"));
    game.on_any_hunger_set(log.as_name("second"));
    game.on_any_poisoned_set(log.as_name("poisoned"));
    let ids = game.create_many((1..=3).map(Hunger));
    let poisoned = game.create_with(Poisoned).id();
    let notified = catch_unwind(AssertUnwindSafe(|| game.events().deliver()));
    assert!(notified.is_err());
    assert_eq!(log.take(), [format!("second {:?}", ids[0])]);
    assert_eq!(
        (game.events().undelivered(), game.events().listeners()),
        (2, 3)
    );
    assert_eq!(game.events().deliver(), 3);
    let expected = [
        format!("second {:?}", ids[2]),
        format!("poisoned {poisoned:?}"),
    ];
    assert_eq!(log.take(), expected);
}

#[test]
fn a_pending_event_after_a_panic_that_recurs_is_notified_once() {
    let (mut game, log) = (Game::new(), Log::default());
    let listener = game.on_any_hunger_set(|_| panic!("on purpose"));
    game.on_any_hunger_set(log.as_name("second"));
    let ids = game.create_many((1..=3).map(Hunger));
    assert!(catch_unwind(AssertUnwindSafe(|| game.events().deliver())).is_err());
    game.unsubscribe(listener);
    for id in [ids[2], ids[0], ids[1]] {
        game.entity_mut(id).replace_hunger(9);
    }
    assert_eq!(game.events().undelivered(), 3);
    assert_eq!(game.events().deliver(), 3);
    let expected = [ids[1], ids[2], ids[0]].map(|id| format!("second {id:?}"));
    assert_eq!(log.take(), expected);
}

#[test]
fn an_observer_may_subscribe_deliver_and_remove_listeners() {
    let count = Arc::new(AtomicU32::new(0));
    let counter = count.clone();
    let mut game = Game::new();
    let hungry = game.group(Game::all_of::<Hunger>());
    hungry.on_entered(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            let (counter, id) = (counter.clone(), change.entity());
            let listener = game
                .entity_mut(id)
                .on_hunger_set(move |_: GameEntityMut<'_>| {
                    counter.fetch_add(1, Ordering::Relaxed);
                });
            game.entity_mut(id).replace_hunger(2);
            assert_eq!(game.events().deliver(), 1);
            assert!(game.unsubscribe(listener));
        },
    );
    game.create_many([Hunger(1), Hunger(1)]);
    assert_eq!(
        (count.load(Ordering::Relaxed), game.events().listeners()),
        (2, 0)
    );
}

/// Logs its drop.
struct Mark(Log);

impl Drop for Mark {
    fn drop(&mut self) {
        self.0.write("dropped");
    }
}

#[test]
fn values_of_a_listener_are_dropped_with_it() {
    let (mut game, log) = (Game::new(), Log::default());
    let marked = |log: &Log| {
        let mark = Mark(log.clone());
        move |_: GameEntityMut<'_>| assert!(Arc::strong_count(&mark.0.0) > 1)
    };
    let listener = game.on_any_hunger_set(marked(&log));
    game.unsubscribe(listener);
    assert_eq!(log.take(), ["dropped"]);

    let mut entity = game.create_with(Hunger(1));
    entity.on_hunger_set(marked(&log));
    entity.on_poisoned_removed(marked(&log));
    entity.destroy();
    game.events().deliver();
    assert_eq!(log.take(), ["dropped", "dropped"]);

    game.create_entity().on_hunger_removed(marked(&log));
    game.on_any_hunger_set(marked(&log));
    game.reset();
    assert_eq!(log.take(), ["dropped"]);
    drop(game);
    assert_eq!(log.take(), ["dropped"]);
}
