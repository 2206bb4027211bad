//! The notifications of a group.

use ecs::prelude::*;

use super::world::{A, B, C, Log, Test};

/// GRP-017.
#[test]
fn an_entry_is_notified_once_with_group_entity_kind_and_value() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = log.group(&mut game, Test::all_of::<A>(), "a");
    let notified = log.clone();
    group.on_entered(&mut game, move |game, change| {
        assert!(change.group() == group && change.is::<A>() && !change.is::<B>());
        assert_eq!(change.event(), GroupEvent::Entered);
        assert!(change.previous::<A>().is_none());
        notified.push(change.group().display(game).to_string());
    });
    game.create_entity().add_b(5).add_a(1);
    log.notified(&["a Entered 0v1 by A: - to 1", "Group(AllOf(A), entities: 1)"]);
}

/// GRP-018.
#[test]
fn a_change_that_leaves_a_member_a_member_notifies_nothing() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    let group = log.group(&mut game, Test::any_of::<(A, B)>(), "any");
    log.group(&mut game, Test::all_of::<A>(), "a");

    game.entity_mut(id).add_b(2).add_c(3).remove_c().remove_b();
    log.notified(&[]);
    assert_eq!(group.ids(&game), [id]);
}

/// GRP-019, GRP-021, GRP-023.
#[test]
fn a_change_of_a_nonmember_notifies_nothing() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = log.group(&mut game, Test::all_of::<(A, B)>(), "both");
    let excluding = log.group(&mut game, Test::all_of::<A>().none_of::<C>(), "a without c");
    let id = game.create_entity().add_c(3).add_a(1).id();

    game.entity_mut(id).replace_a(2).update_a(|a| a.0 = 3);
    game.entity_mut(id).replace_c(4).remove_a();
    log.notified(&[]);
    assert!(group.is_empty(&game) && excluding.is_empty(&game));
    game.destroy(id);
    log.notified(&[]);
}

/// GRP-020.
#[test]
fn a_leave_is_notified_once_with_group_entity_kind_and_the_value_that_went_away() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_b(2).id();
    log.group(&mut game, Test::all_of::<(A, B)>(), "both");
    game.entity_mut(id).remove_b();
    log.notified(&["both Left 0v1 by B: 2 to -"]);
}

/// GRP-017, GRP-020.
#[test]
fn a_member_leaves_by_an_excluded_component_and_enters_without_it() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).id();
    log.group(&mut game, Test::all_of::<A>().none_of::<B>(), "a without b");
    game.entity_mut(id).add_b(2).remove_b();
    log.notified(&[
        "a without b Left 0v1 by B: - to 2",
        "a without b Entered 0v1 by B: 2 to -",
    ]);
}

/// GRP-022.
#[test]
fn an_update_of_a_member_is_notified_once_and_is_neither_a_leave_nor_an_entry() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_b(2).add_c(3).id();
    log.group(&mut game, Test::all_of::<A>(), "a");
    log.group(&mut game, Test::any_of::<(A, B)>(), "any");

    game.entity_mut(id).replace_a(4);
    log.notified(&["a Updated 0v1 by A: 1 to 4", "any Updated 0v1 by A: 1 to 4"]);
    game.entity_mut(id).update_b(|b| b.0 = 5);
    log.notified(&["any Updated 0v1 by B: 2 to 5"]);
    game.entity_mut(id).replace_c(6);
    log.notified(&[]);
}

/// GRP-022.
#[test]
fn an_update_counts_as_added_and_as_removed_for_collectors() {
    let mut game = Test::new();
    let id = game.create_entity().add_a(1).id();
    let trigger = [
        Test::all_of::<A>().entered_or_updated(),
        Test::all_of::<A>().left_or_updated(),
        Test::all_of::<A>().any_change(),
        Test::all_of::<A>().updated(),
        Test::all_of::<A>().entered(),
        Test::all_of::<A>().left(),
    ];
    let collectors = trigger.map(|trigger| game.collector(trigger));
    game.entity_mut(id).replace_a(2);
    assert_eq!(
        collectors.map(|collector| collector.len(&game)),
        [1, 1, 1, 1, 0, 0]
    );
}

/// GRP-024.
#[test]
fn a_group_without_its_observers_still_updates_collectors_and_indexes() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = log.group(&mut game, Test::all_of::<A>(), "a");
    log.group(&mut game, Test::any_of::<A>(), "other");
    let collector = game.collector(Test::all_of::<A>().any_change());
    let numbers = game.entity_index(Test::all_of::<A>(), |entity| entity.a().0);
    group.clear_observers(&mut game);

    let id = game.create_entity().add_a(1).replace_a(2).id();
    assert_eq!(numbers.get(&game, &2).ids(), [id]);
    game.entity_mut(id).remove_a();
    assert!(numbers.is_empty(&game));
    log.notified(&[
        "other Entered 0v1 by A: - to 1",
        "other Updated 0v1 by A: 1 to 2",
        "other Left 0v1 by A: 2 to -",
    ]);
    assert_eq!(collector.drain(&mut game), [id]);
}
