//! What a mark or snapshot holds for a handle is restored for that handle only, not for a later one
//! that reuses its slot.

use ecs::prelude::*;
use support::game::{Game, Health, Mood};
use support::panic_of;

/// Runs `then` and goes back, once by a history and once by a snapshot.
fn go_back<H>(
    make: impl Fn(&mut Game) -> H,
    then: impl Fn(&mut Game, H),
    check: impl Fn(&mut Game),
) {
    let mut game = Game::new();
    let handle = make(&mut game);
    let snapshot = game.snapshot();
    then(&mut game, handle);
    game.restore(&snapshot);
    check(&mut game);

    let mut game = Game::new();
    let history = game.record();
    let handle = make(&mut game);
    let mark = history.mark(&mut game);
    then(&mut game, handle);
    history.rewind(&mut game, mark);
    check(&mut game);
}

#[test]
fn a_later_collector_does_not_get_the_entities_of_another_one() {
    let later = std::cell::RefCell::new(None);
    let make = |game: &mut Game| {
        let collector = game.collector(Game::all_of::<Health>().entered());
        game.create_with(Health(1));
        collector
    };
    let then = |game: &mut Game, first: Collector<Game>| {
        first.release(game);
        *later.borrow_mut() = Some(game.collector(Game::all_of::<Health>().updated()));
    };
    go_back(make, then, |game| {
        let later = later.take().expect("made after the moment");
        assert_eq!(later.drain(game), []);
    });
}

#[test]
fn later_removed_values_do_not_start_with_those_of_another_handle() {
    let later = std::cell::RefCell::new(None);
    let make = |game: &mut Game| {
        let removed = game.removed_values::<Health>();
        let id = game.create_with(Health(1)).id();
        game.destroy(id);
        removed
    };
    let then = |game: &mut Game, first: ecs::RemovedValues<Game, Health>| {
        first.release(game);
        *later.borrow_mut() = Some(game.removed_values::<Health>());
    };
    go_back(make, then, |game| {
        let later = later.take().expect("made after the moment");
        assert_eq!(later.drain(game), []);
    });
}

#[test]
fn deactivated_removed_values_stay_empty_after_a_rewind() {
    let paused = std::cell::RefCell::new(None);
    let make = |game: &mut Game| {
        let removed = game.removed_values::<Health>();
        game.create_with(Health(1)).remove_health();
        removed
    };
    let then = |game: &mut Game, removed: ecs::RemovedValues<Game, Health>| {
        removed.deactivate(game);
        *paused.borrow_mut() = Some(removed);
    };
    go_back(make, then, |game| {
        let removed = paused.take().expect("paused after the moment");
        game.storage().check_invariants();
        assert!(!removed.is_active(game) && removed.is_empty(game));
        removed.activate(game);
        let id = game.create_with(Health(2)).remove_health().id();
        assert_eq!(removed.drain(game), [(id, Health(2))]);
    });
}

#[test]
fn an_inbox_made_later_does_not_get_messages_of_another_one() {
    let later = std::cell::RefCell::new(None);
    let make = |game: &mut Game| {
        let inbox = game.inbox::<u32>();
        game.send(7_u32);
        inbox
    };
    let then = |game: &mut Game, first: Inbox<Game, u32>| {
        drop(first);
        *later.borrow_mut() = Some(game.inbox::<u32>());
    };
    go_back(make, then, |game| {
        let later = later.take().expect("made after the moment");
        assert!(later.is_empty(game));
    });
}

/// Creates two entities, and a listener that panics for the first of them.
fn with_events(game: &mut Game) {
    for is_first in [true, false] {
        let id = game.create_with(Mood(1)).id();
        game.entity_mut(id)
            .on_mood_set(move |entity| assert!(!is_first || entity.mood().0 < 7, "on purpose"));
    }
    game.events().deliver();
}

/// Changes both entities; the listener panics for the first one.
fn change_and_deliver(game: &mut Game) {
    for id in game
        .entities()
        .map(|entity| entity.id())
        .collect::<Vec<_>>()
    {
        game.entity_mut(id).replace_mood(7);
    }
    panic_of(|| _ = game.events().deliver());
    assert_eq!(game.events().undelivered(), 1);
}

#[test]
fn pending_events_after_a_panic_are_undone_with_their_changes() {
    go_back(
        with_events,
        |game, ()| change_and_deliver(game),
        |game| {
            assert_eq!(game.events().undelivered(), 0);
            assert_eq!(game.events().deliver(), 0);
        },
    );
}

#[test]
fn pending_events_after_a_panic_are_restored() {
    let make = |game: &mut Game| {
        with_events(game);
        change_and_deliver(game);
    };
    let then = |game: &mut Game, ()| assert_eq!(game.events().deliver(), 1);
    go_back(make, then, |game| {
        assert_eq!(game.events().undelivered(), 1);
        assert_eq!(game.events().deliver(), 1);
    });
}

#[test]
fn pending_events_after_a_panic_are_discarded_for_entities_of_another_context() {
    let mut other = Game::new();
    other.create_many([Mood(1), Mood(2)]);
    let mut game = Game::new();
    game.on_any_mood_set(|entity| assert!(entity.mood().0 < 7 || entity.id().index() > 0));
    game.create_many([Mood(1), Mood(2)]);
    change_and_deliver(&mut game);
    game.restore(&other.snapshot());
    assert_eq!(game.events().deliver(), 0);
}

#[test]
fn a_listener_made_later_does_not_get_events_of_another_one() {
    let make = |game: &mut Game| {
        let listener = game.on_any_mood_set(|_| ());
        (listener, game.create_with(Mood(1)).id())
    };
    let then = |game: &mut Game, (listener, id): (_, _)| {
        game.events().deliver();
        assert!(game.unsubscribe(listener));
        game.events().deliver();
        game.entity_mut(id).on_mood_set(|_| ());
    };
    go_back(make, then, |game| assert_eq!(game.events().deliver(), 0));
}

#[test]
fn an_index_made_later_is_that_of_the_checkpoint_by_its_own_key() {
    let later = std::cell::RefCell::new(None);
    let make = |game: &mut Game| {
        let index = game.entity_index(Game::all_of::<Health>(), |_| 0_u32);
        game.create_many([Health(1), Health(2)]);
        index
    };
    let then = |game: &mut Game, first: EntityIndex<Game, u32>| {
        drop(first);
        game.create_with(Health(12));
        let index = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0 % 10);
        game.create_with(Health(11));
        *later.borrow_mut() = Some(index);
    };
    go_back(make, then, |game| {
        let later = later.take().expect("made after the moment");
        let of = |key: u32| later.get(game, &key).len();
        assert_eq!([1, 2, 11, 12].map(of), [1, 1, 0, 0]);
    });
}
