//! The order and number of calls of listeners.

use super::*;

#[test]
fn events_come_by_component_then_any_before_own_then_added_before_removed() {
    let (mut game, log) = (Game::new(), Log::default());
    let id = game.create_with(Hunger(1)).id();
    let other = game.create_with((Hunger(1), Poisoned)).id();
    let mut entity = game.entity_mut(id);
    entity.on_poisoned_removed(log.as_name("own poisoned removed"));
    entity.on_hunger_removed(log.as_name("own removed"));
    entity.on_hunger_set(log.as_name("own added"));
    game.on_any_hunger_removed(log.as_name("any removed"));
    game.on_any_poisoned_set(log.as_name("any poisoned added"));
    game.on_any_hunger_set(log.as_name("any added"));
    game.entity_mut(id).add_poisoned().remove_poisoned();
    game.entity_mut(other)
        .remove_hunger()
        .remove_poisoned()
        .add_poisoned();
    game.entity_mut(id).replace_hunger(2);
    assert_eq!(game.events().deliver(), 5);
    let expected = [
        format!("any added {id:?}"),
        format!("any removed {other:?}"),
        format!("own added {id:?}"),
        format!("any poisoned added {other:?}"),
        format!("own poisoned removed {id:?}"),
    ];
    assert_eq!(log.take(), expected);
}

#[test]
fn entities_are_delivered_in_order_of_collection_to_all_listeners() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(log.as_name("first"));
    game.on_any_hunger_set(log.as_name("second"));
    let early = game.create_entity().id();
    let late = game.create_with(Hunger(1)).id();
    game.entity_mut(early).add_hunger(1);
    game.entity_mut(late).replace_hunger(2);
    assert_eq!(game.events().undelivered(), 2);
    assert_eq!(game.events().deliver(), 4);
    let expected = [late, early].map(|id| [format!("first {id:?}"), format!("second {id:?}")]);
    assert_eq!(log.take(), expected.concat());
}

#[test]
fn bulk_changes_and_untracked_writes_are_notified_as_they_are_elsewhere() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(log.as_name("added"));
    game.on_any_hunger_removed(log.as_name("removed"));
    let ids = game.create_many((1..=3).map(Hunger));
    assert_eq!(game.events().deliver(), 3);
    game.entity_mut(ids[0]).hunger_mut_untracked().0 = 9;
    game.query_mut::<&mut Hunger>()
        .untracked()
        .for_each(|hunger| hunger.0 += 1);
    assert_eq!(game.events().deliver(), 0);
    game.many(&ids[..1]).remove::<Hunger>();
    game.many(&ids[1..]).destroy();
    assert_eq!(game.events().deliver(), 3);
    let expected = |name: &str| ids.iter().map(|id| format!("{name} {id:?}")).collect();
    let expected: [Vec<_>; 2] = [expected("added"), expected("removed")];
    assert_eq!(log.take(), expected.concat());
}

#[test]
fn a_later_listener_is_notified_of_pending_events() {
    let (mut game, log) = (Game::new(), Log::default());
    game.create_with(Hunger(1));
    game.on_any_hunger_set(log.as_name("first"));
    let id = game.create_with(Hunger(2)).id();
    game.on_any_hunger_set(log.as_name("second"));
    assert_eq!(game.events().deliver(), 2);
    assert_eq!(
        log.take(),
        [format!("first {id:?}"), format!("second {id:?}")]
    );
}

#[test]
fn the_next_entity_of_a_slot_is_another_one() {
    let (mut game, log) = (Game::new(), Log::default());
    game.on_any_hunger_set(log.as_name("added"));
    let old = game.create_with(Hunger(1)).id();
    game.entity_mut(old).on_hunger_set(log.as_name("own"));
    game.destroy(old);
    let new = game.create_with(Hunger(2)).id();
    assert_eq!(old.index(), new.index());
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(log.take(), [format!("added {new:?}")]);
    assert_eq!(game.events().listeners(), 1);
}

#[test]
fn a_listener_can_be_notified_of_existing_components() {
    let (mut game, log) = (Game::new(), Log::default());
    let ids = game.create_many((1..=3).map(Hunger));
    game.entity_mut(ids[1]).remove_hunger();
    let any = game.on_any_hunger_set(log.as_name("any"));
    let own = game.entity_mut(ids[2]).on_hunger_set(log.as_name("own"));
    let bare = game.entity_mut(ids[1]).on_hunger_set(log.as_name("bare"));
    let removed = game.on_any_hunger_removed(log.as_name("removed"));
    let notified = [any, own, bare, removed].map(|listener| game.events().replay(listener));
    assert_eq!(notified, [2, 1, 0, 0]);
    let expected = [("any", ids[0]), ("any", ids[2]), ("own", ids[2])];
    assert_eq!(
        log.take(),
        expected.map(|(name, id)| format!("{name} {id:?}"))
    );
    assert_eq!(game.events().deliver(), 0);
    game.unsubscribe(any);
    assert_eq!(game.events().replay(any), 0);
}

#[test]
fn the_same_operations_give_the_same_calls() {
    let run = || {
        let (mut game, log) = (Game::new(), Log::default());
        game.on_any_hunger_set(log.as_name("any"));
        let ids = game.create_many((0..50).map(Hunger));
        for id in ids.iter().rev().step_by(3) {
            game.entity_mut(*id).on_hunger_removed(log.as_name("own"));
        }
        game.defragment();
        for id in ids.iter().step_by(2) {
            game.destroy(*id);
        }
        game.events().deliver();
        log.take()
    };
    let first = run();
    assert!(first.len() > 30);
    assert_eq!(first, run());
}

#[test]
fn observers_are_notified_of_changes_of_a_listener_before_the_next_one() {
    let (mut game, log) = (Game::new(), Log::default());
    let poisoned = game.group(Game::all_of::<Poisoned>());
    let seen = log.clone();
    poisoned.on_entered(&mut game, move |_, _| seen.write("observer"));
    let seen = log.clone();
    let first = game.on_any_hunger_set(move |mut entity| {
        seen.write("first");
        entity.add_poisoned();
    });
    game.on_any_hunger_set(log.as_name("second"));
    let id = game.create_with(Hunger(1)).id();
    game.events().deliver();
    assert_eq!(log.take(), ["first", "observer", &format!("second {id:?}")]);

    game.entity_mut(id).remove_poisoned();
    game.create_with(Hunger(2));
    assert_eq!(game.events().replay(first), 2);
    assert_eq!(log.take(), ["first", "observer", "first", "observer"]);
}
