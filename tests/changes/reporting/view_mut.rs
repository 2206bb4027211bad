//! Views that write by id.

use ecs::prelude::*;

use super::{A, B, Id, Log, Other, World, groups, listen, world};
use support::game::{Game, Name, Team};
use support::panic_of;

fn tell(world: &mut World) -> Log {
    let log = Log::default();
    for (number, group) in (0..).zip(groups(world)) {
        listen(world, group, number, &log);
    }
    log
}

fn lines(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

/// Writes some entities unordered, one of them twice, and tries a dead one.
fn write(world: &mut World, ids: &[Id]) {
    world.view_mut::<A>(|all| {
        all.replace(ids[130], A(1)).unwrap();
        all.get_mut(ids[8]).unwrap().0 = 9;
        assert_eq!(all.replace(ids[130], A(2)), Some(A(1)));
        assert_eq!(all.replace(ids[70], A(3)), None);
        assert_eq!(all.get(ids[10]), Some(&A(10)));
        assert_eq!(all.get(ids[130]), Some(&A(2)));
        all.get_mut(ids[6]).unwrap().0 = 60;
    });
}

#[test]
fn only_written_values_change() {
    let (mut world, ids) = world();
    write(&mut world, &ids);
    let expected = |n| match n {
        130 => 2,
        8 => 9,
        6 => 60,
        n => n,
    };
    let alive = (0..200).filter(|n| *n != 70);
    let found = world.query::<&A>().iter().map(|a| a.0);
    assert!(found.eq(alive.map(expected)));
    world.view_mut::<B>(|all| {
        assert_eq!(all.replace(ids[9], B(1)), None);
        assert_eq!(all.get_mut(ids[9]), None);
        assert_eq!(all.get(ids[9]), None);
    });
    assert!(!world.entity(ids[9]).has_b());
}

#[test]
fn written_entities_are_collected_once_in_the_order_of_the_first_write() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let of_b = world.collector(World::all_of::<B>().updated());
    write(&mut world, &ids);
    assert_eq!(of_a.drain(&mut world), [ids[130], ids[8], ids[6]]);
    assert!(of_b.is_empty(&world));
    world.entity_mut(ids[6]).replace_a(7);
    write(&mut world, &ids);
    assert_eq!(of_a.drain(&mut world), [ids[6], ids[130], ids[8]]);
    world.view_mut::<A>(|all| assert!(all.get(ids[2]).is_some()));
    assert!(of_a.is_empty(&world));
}

#[test]
fn observers_are_notified_as_by_a_query_when_all_is_final() {
    let (mut one, ids) = world();
    let log = tell(&mut one);
    one.view_mut::<A>(|all| {
        [4, 6, 130]
            .iter()
            .for_each(|&n| all.get_mut(ids[n]).unwrap().0 += 500);
    });
    let by_view = lines(&log);
    let (mut other, ids) = world();
    let log = tell(&mut other);
    let list = [4, 6, 130].map(|n| ids[n]);
    other
        .query_mut::<&mut A>()
        .among(list)
        .for_each(|a| a.0 += 500);
    assert_eq!(by_view, lines(&log));
    assert!(!by_view.is_empty() && by_view[0].contains("Some(A(4))"));
}

#[test]
fn the_previous_value_is_that_before_the_first_of_several_writes() {
    let (mut world, ids) = world();
    let log = tell(&mut world);
    write(&mut world, &ids);
    let notified = lines(&log);
    assert!(
        notified[0].contains("Some(A(130))") && notified[0].contains("Some(A(2))"),
        "{notified:?}"
    );
    assert!(
        notified.iter().all(|line| !line.contains("A(1)")),
        "{notified:?}"
    );
}

#[test]
fn inside_an_observer_the_changes_are_queued_with_their_values() {
    let (mut world, ids) = world();
    let log = tell(&mut world);
    let list = ids.clone();
    let others = world.group(World::all_of::<Other>());
    others.on_entered(
        &mut world,
        move |world: &mut World, _: &Change<'_, World>| {
            write(world, &list);
        },
    );
    world.create_with(Other);
    let notified = lines(&log);
    assert!(
        notified.iter().any(|line| line.contains("ASome(A(130)) ")),
        "{notified:?}"
    );
    assert!(
        notified.iter().any(|line| line.contains("ASome(A(8)) ")),
        "{notified:?}"
    );
}

#[test]
fn a_panic_leaves_writes_collected_and_recorded_and_notifies_no_observer() {
    let mut world = World::new();
    let ids = world.create_many((0..100).map(A));
    let of_a = world.collector(World::all_of::<A>().updated());
    let log = tell(&mut world);
    let history = ecs::History::builder()
        .without::<Other>()
        .record(&mut world);
    let mark = history.mark(&mut world);
    let text = panic_of(|| {
        world.view_mut::<A>(|all| {
            all.replace(ids[80], A(1));
            all.replace(ids[3], A(2));
            panic!("in the middle");
        });
    });
    assert_eq!(text, "in the middle");
    assert_eq!(lines(&log), [""; 0]);
    assert_eq!(of_a.drain(&mut world), [ids[80], ids[3]]);
    assert_eq!(world.entity(ids[80]).a(), &A(1));
    history.rewind(&mut world, mark);
    assert_eq!([80, 3].map(|n| world.entity(ids[n]).a().0), [80, 3]);
}

#[test]
fn indexes_are_updated() {
    let mut game = Game::new();
    let ids = game.create_many([Team("red"), Team("blue")]);
    game.view_mut::<Team>(|teams| teams.get_mut(ids[0]).unwrap().0 = "blue");
    assert_eq!(game.entities_with_team("blue").count(), 2);
    assert_eq!(game.entities_with_team("red").count(), 0);
}

#[test]
fn entities_are_found_after_moves() {
    let (mut world, ids) = world();
    world.defragment();
    let of_a = world.collector(World::all_of::<A>().updated());
    write(&mut world, &ids);
    assert_eq!(of_a.drain(&mut world), [ids[130], ids[8], ids[6]]);
    assert_eq!(world.entity(ids[130]).a(), &A(2));
    let mut empty = Game::new();
    let id = empty.create_entity().id();
    empty.view_mut::<Name>(|names| assert_eq!(names.get(id), None));
}
