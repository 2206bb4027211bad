//! Collectors: collected entities, their order, and clearing.

use ecs::prelude::*;

use super::world::{A, B, Test};

/// A context and a collector.
fn with_collector(trigger: Trigger<Test>) -> (Test, Collector<Test>) {
    let mut game = Test::new();
    let collector = game.collector(trigger);
    (game, collector)
}

/// COL-001.
#[test]
fn a_new_collector_is_empty_even_if_the_group_is_not() {
    let mut game = Test::new();
    game.create_entity().add_a(1);
    let collector = game.collector(Test::all_of::<A>().entered_or_updated());
    assert!(collector.is_empty(&game) && collector.is_active(&game));
    assert_eq!(
        (collector.len(&game), collector.drain(&mut game)),
        (0, vec![])
    );
}

/// COL-002, COL-003.
#[test]
fn an_entity_that_enters_the_group_is_collected_and_no_other() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let id = game.create_entity().add_a(1).id();
    game.create_entity().add_b(1);
    assert_eq!((collector.len(&game), collector.ids(&game)), (1, &[id][..]));
    assert_eq!(collector.drain(&mut game), [id]);
    assert!(collector.is_empty(&game));
}

/// COL-004, COL-012.
#[test]
fn an_entity_is_held_once_in_the_order_of_first_collection() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let first = game.create_entity().id();
    let second = game.create_entity().add_a(2).id();
    game.entity_mut(first).add_a(1);
    game.entity_mut(second).remove_a().add_a(3).replace_a(4);
    assert_eq!(collector.ids(&game), [second, first]);

    assert_eq!(collector.drain(&mut game), [second, first]);
    game.entity_mut(first).replace_a(5);
    assert_eq!(collector.ids(&game), [first]);
}

/// COL-005.
#[test]
fn a_collector_can_be_emptied() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let id = game.create_entity().add_a(1).id();
    collector.clear(&mut game);
    assert!(collector.is_empty(&game) && collector.is_active(&game));
    game.entity_mut(id).replace_a(2);
    assert_eq!(collector.ids(&game), [id]);
}

/// COL-006, COL-007, COL-008.
#[test]
fn a_deactivated_collector_is_empty_until_it_is_activated() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let twin = game.collector(Test::all_of::<A>().entered_or_updated());
    let first = game.create_entity().add_a(1).id();
    collector.deactivate(&mut game);
    assert!(collector.is_empty(&game) && !collector.is_active(&game));

    let second = game.create_entity().add_a(2).id();
    assert!(collector.is_empty(&game));
    collector.activate(&mut game);
    assert!(collector.is_empty(&game) && collector.is_active(&game));

    game.entity_mut(first).replace_a(3);
    let third = game.create_entity().add_a(3).id();
    assert_eq!(collector.drain(&mut game), [first, third]);
    assert_eq!(twin.drain(&mut game), [first, second, third]);
}

/// COL-009, COL-017.
#[test]
fn a_collector_as_text_shows_its_groups() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered());
    game.create_entity().add_a(1);
    assert_eq!(
        collector.display(&game).to_string(),
        "Collector(AllOf(A) {Entered}, entities: 1)"
    );
    let trigger = Test::all_of::<A>().entered_or_updated();
    let two = game.collector(trigger.or(Test::any_of::<B>().left()));
    assert_eq!(
        two.display(&game).to_string(),
        "Collector(AllOf(A) {Entered, Updated}, AnyOf(B) {Left}, entities: 0)"
    );
}

/// COL-010, COL-012.
#[test]
fn a_destroyed_entity_stays_collected_next_to_the_new_one_of_its_slot() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let dead = game.create_entity().add_a(1).id();
    game.destroy(dead);
    assert_eq!(collector.ids(&game), [dead]);

    let next = game.create_entity().add_a(2).replace_a(3).id();
    assert_eq!(next.index(), dead.index());
    let ids = collector.drain(&mut game);
    assert_eq!(ids, [dead, next]);
    let alive: Vec<_> = ids.iter().map(|id| game.contains(*id)).collect();
    assert_eq!(alive, [false, true]);
}

/// COL-011.
#[test]
fn a_cleared_collector_has_neither_dead_nor_living_entities() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().entered_or_updated());
    let ids = game.create_many([A(1), A(2)]);
    game.destroy(ids[0]);
    assert_eq!(collector.ids(&game), ids);
    collector.clear(&mut game);
    assert!(collector.is_empty(&game));

    let next = game.create_entity().add_a(3).id();
    assert_eq!(collector.drain(&mut game), [next]);
}

/// COL-013.
#[test]
fn a_collector_of_removed_stays_empty_on_an_add_and_collects_on_a_remove() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().left_or_updated());
    let id = game.create_entity().add_a(1).id();
    assert!(collector.is_empty(&game));
    game.entity_mut(id).remove_a();
    assert_eq!(collector.drain(&mut game), [id]);

    let ended = game.create_entity().add_a(2).id();
    game.destroy(ended);
    assert_eq!(collector.drain(&mut game), [ended]);
}

/// COL-014.
#[test]
fn a_collector_of_both_events_collects_on_both() {
    let (mut game, collector) = with_collector(Test::all_of::<A>().any_change());
    let id = game.create_entity().add_a(1).id();
    assert_eq!(collector.drain(&mut game), [id]);
    game.entity_mut(id).remove_a();
    assert_eq!(collector.drain(&mut game), [id]);
}

/// COL-016.
#[test]
fn a_collector_of_added_watches_several_groups() {
    let (a, b) = (Test::all_of::<A>(), Test::all_of::<B>());
    let (mut game, collector) = with_collector(a.entered_or_updated().or(b.entered_or_updated()));
    let with_a = game.create_entity().add_a(1).id();
    let with_b = game.create_entity().add_b(1).id();
    assert_eq!(collector.drain(&mut game), [with_a, with_b]);
    game.entity_mut(with_a).remove_a();
    game.entity_mut(with_b).remove_b();
    assert!(collector.is_empty(&game));
}

/// COL-018.
#[test]
fn a_collector_of_removed_watches_several_groups() {
    let (a, b) = (Test::all_of::<A>(), Test::all_of::<B>());
    let (mut game, collector) = with_collector(a.left_or_updated().or(b.left_or_updated()));
    let with_a = game.create_entity().add_a(1).id();
    let with_b = game.create_entity().add_b(1).id();
    assert!(collector.is_empty(&game));
    game.entity_mut(with_b).remove_b();
    game.entity_mut(with_a).remove_a();
    assert_eq!(collector.drain(&mut game), [with_b, with_a]);
}

/// COL-019.
#[test]
fn a_collector_of_both_events_watches_several_groups() {
    let (a, b) = (Test::all_of::<A>(), Test::all_of::<B>());
    let trigger = a.any_change().or(b.any_change());
    let (mut game, collector) = with_collector(trigger);
    let with_a = game.create_entity().add_a(1).id();
    let with_b = game.create_entity().add_b(1).id();
    assert_eq!(collector.drain(&mut game), [with_a, with_b]);
    game.entity_mut(with_b).remove_b();
    game.entity_mut(with_a).remove_a();
    assert_eq!(collector.drain(&mut game), [with_b, with_a]);
}

/// COL-020.
#[test]
fn of_each_group_only_the_event_asked_for_is_collected() {
    let (a, b) = (Test::all_of::<A>(), Test::all_of::<B>());
    let (mut game, collector) = with_collector(a.entered_or_updated().or(b.left_or_updated()));
    let with_a = game.create_entity().add_a(1).id();
    let with_b = game.create_entity().add_b(1).id();
    assert_eq!(collector.drain(&mut game), [with_a]);
    game.entity_mut(with_a).remove_a();
    game.entity_mut(with_b).remove_b();
    assert_eq!(collector.drain(&mut game), [with_b]);
}
