//! A group: its members, lists of them, and the single member.

use ecs::prelude::*;

use super::world::{A, B, Log, Test};
use support::panic_of;

/// A context and its group of all entities with `A`.
fn with_group() -> (Test, Group<Test>) {
    let mut game = Test::new();
    let group = game.group(Test::all_of::<A>());
    (game, group)
}

/// GRP-001, GRP-003, GRP-004.
#[test]
fn a_new_group_is_empty() {
    let (mut game, group) = with_group();
    let id = game.create_entity().id();
    assert_eq!((group.len(&game), group.ids(&game)), (0, vec![]));
    assert!(group.is_empty(&game) && !group.contains(&game, id));
}

/// GRP-002.
#[test]
fn an_empty_group_empties_the_list_it_is_given() {
    let (mut game, group) = with_group();
    let mut ids = vec![game.create_entity().id(); 3];
    let place = ids.as_ptr();
    group.collect_into(&game, &mut ids);
    assert!(ids.is_empty() && ids.as_ptr() == place);
}

/// GRP-005, GRP-026.
#[test]
fn an_entity_that_matches_is_counted_listed_and_contained() {
    let (mut game, group) = with_group();
    let first = game.create_entity().add_a(1).id();
    assert_eq!((group.len(&game), group.ids(&game)), (1, vec![first]));
    let second = game.create_entity().add_a(1).id();
    assert_eq!(
        (group.len(&game), group.ids(&game)),
        (2, vec![first, second])
    );
    assert!(group.contains(&game, first) && group.contains(&game, second));
}

/// GRP-006, GRP-007.
#[test]
fn the_list_a_group_is_given_holds_its_members_and_nothing_else() {
    let (mut game, group) = with_group();
    let outside = game.create_entity().id();
    let ids = game.create_many([A(1), A(2)]);
    let mut list = vec![outside];
    group.collect_into(&game, &mut list);
    assert_eq!(list, ids);
    group.collect_into(&game, &mut list);
    assert_eq!(list, ids);
}

/// GRP-008.
#[test]
fn a_member_is_in_the_group_once_however_often_it_is_changed() {
    let (mut game, group) = with_group();
    let id = game.create_entity().add_a(1).replace_a(2).add_b(1).id();
    game.entity_mut(id).update_a(|a| a.0 += 1);
    assert_eq!((group.len(&game), group.ids(&game)), (1, vec![id]));
}

/// GRP-009.
#[test]
fn a_group_is_iterated_for_reading_and_for_changes() {
    let (mut game, group) = with_group();
    let ids = game.create_many([A(1), A(2), A(3)]);
    let mut seen = Vec::new();
    for entity in group.iter(&game) {
        seen.push((entity.id(), entity.a().0));
    }
    assert_eq!(seen, [(ids[0], 1), (ids[1], 2), (ids[2], 3)]);

    group.for_each(&mut game, |mut entity| match entity.a().0 {
        1 => entity.destroy(),
        2 => drop(entity.take_a()),
        _ => {
            entity.replace_a(4);
            entity.context_mut().create_entity().add_a(5);
        }
    });
    let left: Vec<_> = group.iter(&game).map(|entity| entity.a().0).collect();
    assert_eq!(left, [5, 4]); // the new one reused the slot of the destroyed one
    assert!(!game.contains(ids[0]) && game.contains(ids[1]));
}

/// GRP-010.
#[test]
fn a_group_has_an_iterator_like_any_collection() {
    let (mut game, group) = with_group();
    let ids = game.create_many((0..70).map(A));
    game.destroy(ids[64]);
    let members = group.iter(&game);
    assert_eq!((members.len(), members.size_hint()), (69, (69, Some(69))));
    assert_eq!(
        members.clone().map(|entity| entity.a().0).sum::<i32>(),
        69 * 70 / 2 - 64
    );
    assert!(members.map(|entity| entity.id()).eq(group.ids(&game)));
}

/// GRP-011, GRP-028.
#[test]
fn an_entity_that_no_longer_matches_is_dropped() {
    let (mut game, group) = with_group();
    let ids = game.create_many([A(1), A(2), A(3)]);
    assert_eq!(group.ids(&game), ids);
    game.entity_mut(ids[1]).remove_a();
    assert_eq!(
        (group.len(&game), group.ids(&game)),
        (2, vec![ids[0], ids[2]])
    );
    assert!(!group.contains(&game, ids[1]));
}

/// GRP-012, GRP-035, GRP-036.
#[test]
fn a_dead_entity_is_never_in_a_group() {
    let (mut game, group) = with_group();
    let id = game.create_entity().add_a(1).id();
    assert!(group.contains(&game, id));
    game.destroy(id);
    assert!(!group.contains(&game, id) && group.is_empty(&game));
    let late = game.group(Test::any_of::<A>());
    assert!(late.is_empty(&game));

    let next = game.create_entity().add_a(2).id();
    assert_eq!(next.index(), id.index());
    assert_eq!(
        (group.ids(&game), late.ids(&game)),
        (vec![next], vec![next])
    );
    assert!(!group.contains(&game, id));
}

/// GRP-012.
#[test]
fn an_entity_that_its_own_observer_destroys_is_in_no_group_after() {
    let (mut game, group) = with_group();
    group.on_entered(&mut game, |game, change| game.destroy(change.entity()));
    let entity = game.create_with(A(1));
    let id = entity.id();
    assert!(!entity.is_alive());
    assert!(group.is_empty(&game) && !group.contains(&game, id));
}

/// GRP-013, GRP-027, GRP-029.
#[test]
fn entities_that_do_not_match_do_not_change_the_group() {
    let (mut game, group) = with_group();
    let ids = game.create_many([A(1), A(2)]);
    let outside = game.create_entity().add_b(1).id();
    assert!(!group.contains(&game, outside));
    assert_eq!(group.ids(&game), ids);

    game.entity_mut(outside).replace_b(2).remove_b();
    assert_eq!(group.ids(&game), ids);
    game.destroy(outside);
    assert_eq!(group.ids(&game), ids);
}

/// GRP-030.
#[test]
fn an_update_moves_nothing_in_the_list() {
    let (mut game, group) = with_group();
    let ids = game.create_many([A(1), A(2), A(3)]);
    game.entity_mut(ids[0]).replace_a(7).update_a(|a| a.0 += 1);
    assert_eq!(group.ids(&game), ids);
}

/// The id of the single member.
fn single(game: &Test, group: Group<Test>) -> Option<EntityId<Test>> {
    group.single(game).map(|entity| entity.id())
}

/// GRP-014, GRP-015, GRP-031.
#[test]
fn the_single_member_of_a_group_of_none_or_one() {
    let (mut game, group) = with_group();
    assert_eq!(single(&game, group), None);
    let id = game.create_entity().add_a(1).id();
    assert_eq!(
        (single(&game, group), single(&game, group)),
        (Some(id), Some(id))
    );
}

/// GRP-016.
#[test]
fn asking_for_the_one_member_of_several_is_an_error() {
    let (mut game, group) = with_group();
    game.create_many([A(1), A(2)]);
    let text = panic_of(|| single(&game, group));
    assert!(
        text.contains("group AllOf(A) of context `Test` has 2 entities"),
        "{text}"
    );
}

/// GRP-032, GRP-033, GRP-034.
#[test]
fn the_one_member_follows_the_changes() {
    let (mut game, group) = with_group();
    let first = game.create_entity().add_a(1).id();
    game.entity_mut(first).replace_a(2);
    assert_eq!(single(&game, group), Some(first));

    game.entity_mut(first).remove_a();
    assert_eq!(single(&game, group), None);
    let second = game.create_entity().add_a(3).id();
    assert_eq!(single(&game, group), Some(second));

    game.destroy(second);
    assert_eq!(single(&game, group), None);
}

/// GRP-037, GRP-038, GRP-039, GRP-040.
#[test]
fn the_group_is_up_to_date_in_every_observer() {
    let (mut game, log) = (Test::new(), Log::new());
    let group = game.group(Test::all_of::<A>());
    let stays = game.create_entity().add_a(1).id();
    let write = |event: &'static str| {
        let log = log.clone();
        move |game: &mut Test| {
            let members = (
                group.ids(game),
                group.single(game).map(|entity| entity.id()),
            );
            log.push(format!("{event} {members:?}"));
        }
    };
    let (left, other, destroyed) = (write("left"), write("other"), write("destroyed"));
    let watcher = game.group(Test::none_of::<A>());
    group.on_left(&mut game, move |game, _| left(game));
    watcher.on_entered(&mut game, move |game, _| other(game));
    game.observers()
        .on_destroyed(move |game, _| destroyed(game));

    let goes = game.create_with(A(2)).id();
    game.entity_mut(goes).remove_a();
    log.notified(&["left ([0v1], Some(0v1))", "other ([0v1], Some(0v1))"]);
    game.entity_mut(goes).add_a(3);
    game.destroy(goes);
    log.notified(&["left ([0v1], Some(0v1))", "destroyed ([0v1], Some(0v1))"]);
    game.destroy(stays);
    log.notified(&["left ([], None)", "destroyed ([], None)"]);
}

/// GRP-042.
#[test]
fn a_group_as_text_shows_its_matcher() {
    let mut game = Test::new();
    let group = game.group(Test::all_of::<A>().none_of::<B>());
    game.create_entity().add_a(1);
    assert_eq!(
        group.display(&game).to_string(),
        "Group(AllOf(A).NoneOf(B), entities: 1)"
    );
    assert_eq!(format!("{:?}", group.matcher(&game)), "AllOf(A).NoneOf(B)");
}
