//! The cost of listening, and its cleanup; the delivery as a system.

use super::*;
use support::{collectors, panic_of};

#[test]
fn an_event_has_a_collector_only_while_it_has_a_listener() {
    let mut game = Game::new();
    assert_eq!(collectors(&game), 0);
    let any = game.on_any_hunger_set(|_| ());
    let second = game.on_any_hunger_set(|_| ());
    assert_eq!(collectors(&game), 1);
    let mut entity = game.create_with(Hunger(1));
    entity.on_hunger_set(|_| ());
    entity.destroy();
    assert_eq!(collectors(&game), 2);
    game.events().deliver();
    assert_eq!(collectors(&game), 1);
    game.unsubscribe(any);
    game.unsubscribe(second);
    assert_eq!((collectors(&game), game.events().listeners()), (0, 0));
    game.create_with(Hunger(2));
    game.on_any_hunger_set(|_| ());
    assert_eq!((collectors(&game), game.events().deliver()), (1, 0));
    game.events().clear_listeners();
    assert_eq!(collectors(&game), 0);
}

#[test]
fn a_reset_discards_pending_events_and_removes_listeners_of_entities() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(log.as_name("added"));
    game.on_any_hunger_removed(log.as_name("removed"));
    game.create_with(Hunger(1))
        .on_hunger_removed(log.as_name("own"));
    assert_eq!(game.events().deliver(), 1);
    game.reset();
    assert_eq!(
        (game.events().undelivered(), game.events().listeners()),
        (0, 2)
    );
    let id = game.create_with(Hunger(2)).id();
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(log.take().last(), Some(&format!("added {id:?}")));
}

#[test]
fn a_system_counts_its_calls_and_can_be_switched_off() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(log.as_name("added"));
    let mut events = EventSystems::new();
    let reactions = |events: &ecs::EventSystems<Game>| {
        let reactions = System::<Game>::reactions(events).unwrap();
        (reactions.calls, reactions.last, reactions.total)
    };
    game.create_many([Hunger(1), Hunger(2)]);
    events.execute(&mut game);
    assert_eq!(reactions(&events), (1, 2, 2));
    events.execute(&mut game);
    assert_eq!(reactions(&events), (1, 0, 2));

    game.create_with(Hunger(3));
    events.clear(&mut game);
    assert_eq!(game.events().undelivered(), 0);
    game.create_with(Hunger(4));
    events.deactivate(&mut game);
    game.on_any_hunger_removed(log.as_name("removed"));
    let id = game.create_with(Hunger(5)).id();
    game.destroy(id);
    events.execute(&mut game);
    events.activate(&mut game);
    events.execute(&mut game);
    assert_eq!(reactions(&events).2, 2);
    let id = game.create_with(Hunger(6)).id();
    game.destroy(id);
    events.execute(&mut game);
    assert_eq!(log.take().last(), Some(&format!("removed {id:?}")));
    assert_eq!(System::<Game>::name(&events), "EventSystems<Game>");
}

#[test]
fn a_list_repeats_until_no_event_is_left() {
    let mut game = Game::new();
    game.on_any_hunger_set(|mut entity| match entity.hunger().0 {
        0 => {}
        _ => {
            entity.update_hunger(|hunger| hunger.0 -= 1);
        }
    });
    let mut systems = Systems::new().add(EventSystems::new());
    let id = game.create_with(Hunger(5)).id();
    assert!(systems.execute_until_quiet(&mut game, 10));
    assert_eq!(game.entity(id).hunger().0, 0);
}

#[test]
#[should_panic(expected = "this subscription belongs to another `Game`")]
fn a_listener_of_another_context_is_rejected() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let listener = game.on_any_hunger_set(|_| ());
    other.unsubscribe(listener);
}

#[test]
#[should_panic(expected = "this subscription belongs to another `Game`")]
fn a_listener_of_another_context_is_not_replayed() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let listener = game.on_any_hunger_set(|_| ());
    other.events().replay(listener);
}

#[test]
fn pending_events_after_a_panic_are_dropped_when_the_system_is_cleared() {
    let mut game = Game::new();
    let listener = game.on_any_hunger_set(|_| panic!("on purpose"));
    game.on_any_hunger_set(|_| ());
    game.create_many((0..3).map(Hunger));
    panic_of(|| _ = game.events().deliver());
    game.unsubscribe(listener);
    EventSystems::new().clear(&mut game);
    assert_eq!(
        (game.events().undelivered(), game.events().deliver()),
        (0, 0)
    );
}

#[test]
#[should_panic(expected = "it is not alive")]
fn a_dead_entity_cannot_be_listened_to() {
    let mut game = Game::new();
    game.observers().on_created(|game, id| game.destroy(id));
    let mut entity = game.create_entity();
    entity.on_hunger_set(|_| ());
}

#[test]
fn an_observer_of_the_new_group_may_destroy_the_entity_to_listen_to() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    game.observers()
        .on_group_created(move |game, _| game.destroy(id));
    game.entity_mut(id).on_hunger_set(|_| ());
    assert_eq!((game.events().deliver(), game.events().listeners()), (0, 0));
}

#[test]
fn an_event_that_an_observer_of_its_group_listens_to_first_has_one_collector() {
    let mut game = Game::new();
    let mut is_first = true;
    game.observers().on_group_created(move |game, _| {
        if std::mem::take(&mut is_first) {
            game.on_any_hunger_set(|_| ());
        }
    });
    game.on_any_hunger_set(|_| ());
    assert_eq!((collectors(&game), game.events().listeners()), (1, 2));
    game.create_with(Hunger(1));
    assert_eq!(game.events().deliver(), 2);
}

#[test]
fn a_listener_prints_its_number() {
    let mut game = Game::new();
    game.on_any_hunger_set(|_| ());
    let second = game.on_any_hunger_set(|_| ());
    assert_eq!(format!("{second:?}"), "Subscription(2)");
    assert_eq!(second, second.clone());
}

#[test]
fn listeners_of_entities_that_ended_together_end_with_the_next_delivery() {
    let (mut game, log) = (Game::new(), Log::default());
    let ids = game.create_many((0..3).map(Hunger));
    for &id in &ids {
        game.entity_mut(id).on_hunger_set(log.as_name("own"));
    }
    game.many(&ids).destroy();
    assert_eq!(game.events().listeners(), 3);
    assert_eq!((game.events().deliver(), game.events().listeners()), (0, 0));
    game.create_many((0..3).map(Hunger));
    assert_eq!((game.events().deliver(), log.take()), (0, vec![]));
}

#[test]
fn slots_of_removed_listeners_are_reused() {
    let mut game = Game::new();
    let mut held = Vec::new();
    for _ in 0..300 {
        let mut entity = game.create_with(Hunger(1));
        entity.on_hunger_set(|_| ());
        entity.on_hunger_removed(|_| ());
        entity.destroy();
        game.events().deliver();
        held.push(game.storage().memory().observers);
    }
    assert_eq!(game.events().listeners(), 0);
    assert_eq!(held[10], held[299], "{held:?}");
}

#[test]
fn replaying_skips_entities_that_lost_the_component_meanwhile() {
    let (mut game, log) = (Game::new(), Log::default());
    let ids = game.create_many((0..4).map(Hunger));
    let (lost, gone) = (ids[1], ids[2]);
    let mut note = log.as_name("heard");
    let listener = game.on_any_hunger_set(move |mut entity| {
        let game = entity.context_mut();
        if let Some(mut lost) = game.get_entity_mut(lost).filter(|it| it.has_hunger()) {
            lost.remove_hunger();
            game.destroy(gone);
        }
        note(entity);
    });
    assert_eq!(game.events().replay(listener), 2);
    let expected = [ids[0], ids[3]].map(|id| format!("heard {id:?}"));
    assert_eq!(log.take(), expected);
}

#[test]
fn pending_events_after_a_panic_are_dropped_when_delivery_is_deactivated() {
    let (mut game, log) = (Game::new(), Log::default());
    let note = log.as_name("heard");
    let listener = game.on_any_hunger_set(|_| panic!("on purpose"));
    game.on_any_hunger_set(note);
    game.create_many((0..3).map(Hunger));
    panic_of(|| _ = game.events().deliver());
    assert_eq!(game.events().undelivered(), 2);
    game.unsubscribe(listener);
    let mut events = EventSystems::new();
    events.deactivate(&mut game);
    assert_eq!(
        (game.events().undelivered(), game.events().deliver()),
        (0, 0)
    );
    events.activate(&mut game);
    assert_eq!(
        (game.events().undelivered(), game.events().deliver()),
        (0, 0)
    );
    assert_eq!(log.take(), [] as [String; 0]);
}

#[test]
fn listeners_of_an_entity_destroyed_in_a_delivery_are_notified_by_the_next_one() {
    let (mut game, log) = (Game::new(), Log::default());
    let id = game.create_with((Hunger(1), Poisoned)).id();
    game.entity_mut(id)
        .on_hunger_removed(log.as_name("hunger removed"));
    // Events of `Poisoned` are delivered after those of `Hunger`.
    game.on_any_poisoned_set(|entity| entity.destroy());
    game.entity_mut(id).replace_poisoned();
    assert_eq!((game.events().deliver(), log.take()), (1, vec![]));
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(log.take(), [format!("hunger removed {id:?}")]);
    assert_eq!(game.events().listeners(), 1);
}

/// Removes listeners in the middle of a delivery by `end`, when an entity with a listener is
/// already destroyed; then adds a second such entity and destroys it. Returns the number of calls
/// of the next delivery.
fn calls_after(end: fn(&mut Game)) -> usize {
    let mut game = Game::new();
    let mut first = game.create_with(Hunger(1));
    first.on_hunger_removed(|_| ());
    first.destroy();
    // Events of `Poisoned` are delivered after those of `Hunger`.
    game.on_any_poisoned_set(move |mut entity| {
        let game = entity.context_mut();
        end(game);
        let mut second = game.create_with(Hunger(1));
        second.on_hunger_removed(|_| ());
        second.destroy();
    });
    game.create_with(Poisoned);
    game.events().deliver();
    game.events().deliver()
}

#[test]
fn a_listener_added_after_all_were_removed_is_notified_of_the_destroy_of_its_entity() {
    assert_eq!(calls_after(|game| game.events().clear_listeners()), 1);
}

#[test]
fn a_listener_added_after_a_reset_is_notified_of_the_destroy_of_its_entity() {
    assert_eq!(calls_after(|game| game.reset()), 1);
}
