//! The groups of a context: creating and updating them.

use ecs::prelude::*;

use super::world::{A, B, C, D, Log, Test};

/// CTX-030, CTX-031.
#[test]
fn a_new_matcher_makes_a_group_and_an_equal_one_does_not() {
    let (mut game, log) = (Test::new(), Log::new());
    let notified = log.clone();
    game.observers().on_group_created(move |game, group| {
        notified.push(group.display(game).to_string());
    });
    game.create_entity().add_a(1).add_b(2);
    let first = game.group(Test::all_of::<(A, B)>());
    log.notified(&["Group(AllOf(A, B), entities: 1)"]);

    assert_eq!(game.group(Test::all_of::<(B, A)>()), first);
    log.notified(&[]);
    assert_ne!(game.group(Test::any_of::<(A, B)>()), first);
    log.notified(&["Group(AnyOf(A, B), entities: 1)"]);
}

/// CTX-045.
#[test]
fn a_group_can_be_asked_for_before_there_are_entities() {
    let mut game = Test::new();
    let group = game.group(Test::all_of::<A>());
    assert!(group.is_empty(&game) && group.ids(&game).is_empty());
}

/// CTX-046.
#[test]
fn a_group_created_late_has_all_matching_entities_and_notifies_no_observer() {
    let (mut game, log) = (Test::new(), Log::new());
    let notified = log.clone();
    game.observers().on_group_created(move |game, group| {
        notified.push(format!("{} in", group.len(game)));
        notified.watch(game, group, "late");
    });
    let both = game.create_entity().add_a(1).add_b(2).id();
    game.create_entity().add_a(1);
    let more = game.create_entity().add_a(1).add_b(2).add_c(3).id();

    let group = game.group(Test::all_of::<(A, B)>());
    assert_eq!(group.ids(&game), [both, more]);
    log.notified(&["2 in"]);
    let collector = game.collector(Test::all_of::<(A, B)>().entered_or_updated());
    assert!(collector.is_empty(&game));
}

/// CTX-047.
#[test]
fn equal_matchers_give_the_same_group() {
    let mut game = Test::new();
    let first = game.group(Test::all_of::<(A, B)>().none_of::<D>());
    let same = game.group(Test::all_of::<B>().none_of::<(D, D)>().all_of::<A>());
    let other = game.group(Test::all_of::<(A, B)>());
    assert!(first == same && first != other);
    assert_eq!(Group::all(&game), [first, other]);
}

/// CTX-048, CTX-049.
#[test]
fn a_group_takes_an_entity_in_when_it_matches_and_drops_it_when_it_does_not() {
    let mut game = Test::new();
    let group = game.group(Test::all_of::<(A, B)>());
    let id = game.create_entity().add_a(1).id();
    assert!(!group.contains(&game, id));

    game.entity_mut(id).add_b(2);
    assert_eq!(
        (group.contains(&game, id), group.ids(&game)),
        (true, vec![id])
    );
    game.entity_mut(id).remove_a();
    assert_eq!(
        (group.contains(&game, id), group.ids(&game)),
        (false, vec![])
    );
}

/// CTX-050.
#[test]
fn a_destroyed_entity_leaves_its_groups() {
    let (mut game, log) = (Test::new(), Log::new());
    let both = log.group(&mut game, Test::all_of::<(A, B)>(), "both");
    let a = log.group(&mut game, Test::all_of::<A>(), "a");
    let id = game.create_with((A(1), B(2))).id();
    log.notified(&[
        "both Entered 0v1 by nothing: - to -",
        "a Entered 0v1 by nothing: - to -",
    ]);

    game.destroy(id);
    assert!(both.is_empty(&game) && a.is_empty(&game) && !a.contains(&game, id));
    log.notified(&["both Left 0v1 by A: 1 to -", "a Left 0v1 by A: 1 to -"]);
}

/// CTX-050.
#[test]
fn a_destroyed_entity_leaves_its_groups_in_the_order_of_its_components() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_c(3).add_a(1).add_b(2).id();
    log.group(&mut game, Test::all_of::<C>(), "c");
    log.group(&mut game, Test::all_of::<B>(), "b");
    log.group(&mut game, Test::all_of::<(A, C)>(), "a and c");
    log.group(&mut game, Test::any_of::<(A, B)>(), "a or b");
    log.watch_lives(&mut game);

    game.destroy(id);
    log.notified(&[
        "will be destroyed 0v1",
        "a and c Left 0v1 by A: 1 to -",
        "b Left 0v1 by B: 2 to -",
        "a or b Left 0v1 by B: 2 to -",
        "c Left 0v1 by C: 3 to -",
        "destroyed 0v1",
    ]);
}

/// CTX-051, CTX-052.
#[test]
fn a_replace_is_one_update_with_old_and_new_value_and_no_leaving() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_b(2).id();
    let group = log.group(&mut game, Test::all_of::<(A, B)>(), "both");
    let added = game.collector(Test::all_of::<(A, B)>().entered_or_updated());
    let removed = game.collector(Test::all_of::<(A, B)>().left_or_updated());

    game.entity_mut(id).replace_a(3);
    log.notified(&["both Updated 0v1 by A: 1 to 3"]);
    assert_eq!(
        (added.drain(&mut game), removed.drain(&mut game)),
        (vec![id], vec![id])
    );
    assert_eq!(group.ids(&game), [id]);
}

/// CTX-053.
#[test]
fn a_dying_entity_enters_no_group_by_losing_an_excluded_component() {
    let (mut game, log) = (Test::new(), Log::new());
    let with_b = log.group(&mut game, Test::all_of::<B>().none_of::<A>(), "b alone");
    let with_a = log.group(&mut game, Test::all_of::<A>().none_of::<B>(), "a alone");
    let without = log.group(&mut game, Test::none_of::<(A, B)>(), "neither");
    let id = game.create_with((A(1), B(2))).id();
    log.notified(&[]);

    game.destroy(id);
    log.notified(&[]);
    assert!(with_a.is_empty(&game) && with_b.is_empty(&game) && without.is_empty(&game));
}

/// Creates four groups that a component concerns, and an observer of the first that logs the
/// members of all.
fn four_groups(game: &mut Test, log: &Log) -> [Group<Test>; 4] {
    let groups = [
        game.group(Test::all_of::<B>()),
        game.group(Test::all_of::<(A, B)>()),
        game.group(Test::any_of::<(B, C)>()),
        game.group(Test::all_of::<A>().none_of::<B>()),
    ];
    let observe = || {
        let log = log.clone();
        move |game: &mut Test, change: &Change<'_, Test>| {
            let members = groups.map(|group| group.len(game));
            log.push(format!("{:?} {members:?}", change.event()));
        }
    };
    groups[0].on_entered(game, observe());
    groups[0].on_left(game, observe());
    groups
}

/// CTX-054.
#[test]
fn when_an_entry_is_notified_all_groups_are_up_to_date() {
    let (mut game, log) = (Test::new(), Log::new());
    four_groups(&mut game, &log);
    game.create_entity().add_a(1).add_b(2);
    log.notified(&["Entered [1, 1, 1, 0]"]);
}

/// CTX-055.
#[test]
fn when_a_leave_is_notified_all_groups_are_up_to_date() {
    let (mut game, log) = (Test::new(), Log::new());
    let id = game.create_entity().add_a(1).add_b(2).id();
    let groups = four_groups(&mut game, &log);
    assert_eq!(groups.map(|group| group.len(&game)), [1, 1, 1, 0]);

    game.entity_mut(id).remove_b();
    log.notified(&["Left [0, 0, 0, 1]"]);
    game.entity_mut(id).add_b(3);
    log.notified(&["Entered [1, 1, 1, 0]"]);
    game.destroy(id);
    log.notified(&["Left [0, 0, 0, 0]"]);
}

/// CTX-067.
#[test]
fn changes_of_an_observer_are_notified_after_the_current_change() {
    let (mut game, log) = (Test::new(), Log::new());
    let first = game.group(Test::all_of::<A>());
    first.on_entered(&mut game, |game, change| {
        game.entity_mut(change.entity()).remove_a();
    });
    log.watch(&mut game, first, "first");
    let second = log.group(&mut game, Test::any_of::<(A, B)>(), "second");
    let third = log.group(&mut game, Test::all_of::<A>().none_of::<C>(), "third");

    let id = game.create_entity().add_a(1).id();
    log.notified(&[
        "first Entered 0v1 by A: - to -",
        "second Entered 0v1 by A: - to -",
        "third Entered 0v1 by A: - to -",
        "first Left 0v1 by A: 1 to -",
        "second Left 0v1 by A: 1 to -",
        "third Left 0v1 by A: 1 to -",
    ]);
    assert!(game.entity(id).is_empty());
    assert!(
        [first, second, third]
            .iter()
            .all(|group| group.is_empty(&game))
    );
}
