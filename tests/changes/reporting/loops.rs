//! Loops over borrowed queries: exactly the items taken are reported, when the query is dropped.

mod dangerous;
mod leaked;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;

use ecs::prelude::*;
use support::numbers::{A, B, Flag, Id, World};

use super::{Log, alive, listen, world};

#[test]
fn items_taken_by_a_loop_are_reported_when_it_breaks() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let mut last = None;
    for (id, a) in world.query_mut::<(Id, &mut A)>().iter_mut() {
        a.0 += 1000;
        if id.index() == 130 {
            last = Some(id);
            break;
        }
    }
    assert_eq!(last, Some(ids[130]));
    assert_eq!(changed.drain(&mut world), alive(&ids, |n| n <= 130));
    let written = alive(&ids, |n| world.entity(ids[n as usize]).a().0 >= 1000);
    assert_eq!(written, alive(&ids, |n| n <= 130));
}

#[test]
fn every_place_to_break_is_reported_exactly() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let all = alive(&ids, |n| n % 3 != 0);
    let places = (0..=all.len()).step_by(if cfg!(miri) { 33 } else { 1 });
    for taken in places {
        let mut query = world.query_mut::<&mut A>().without::<Flag>();
        assert_eq!(query.iter_mut().take(taken).count(), taken);
        drop(query);
        assert_eq!(changed.drain(&mut world), all[..taken]);
    }
}

fn first_above(world: &mut World, limit: u32) -> Option<Id> {
    for (id, a) in world.query_mut::<(Id, &mut A)>().iter_mut() {
        a.0 += 1;
        if a.0 > limit {
            return Some(id);
        }
    }
    None
}

fn checked(world: &mut World) -> Result<(), u32> {
    for (a, b) in world.query_mut::<(&A, &mut B)>().iter_mut() {
        b.0 = b.0.checked_sub(1).ok_or(a.0)?;
    }
    Ok(())
}

#[test]
fn return_errors_labels_and_continue_end_a_loop_as_usual() {
    let (mut world, ids) = world();
    let changed = world.collector(World::any_of::<(A, B)>().updated());
    assert_eq!(first_above(&mut world, 5), Some(ids[5]));
    assert_eq!(changed.drain(&mut world), ids[..6]);
    world.entity_mut(ids[0]).replace_b(5);
    world.entity_mut(ids[4]).replace_b(0);
    changed.clear(&mut world);
    assert_eq!(checked(&mut world), Err(5));
    assert_eq!(changed.drain(&mut world), [ids[0], ids[2], ids[4]]);

    let (mut visited, mut skipped) = (0, 0);
    'outer: for round in 0..3 {
        for (id, a) in world.query_mut::<(Id, &mut A)>().iter_mut() {
            if id.index() % 2 == 1 {
                skipped += 1;
                continue;
            }
            a.0 = 7;
            visited += 1;
            match (round, id.index()) {
                (0, 4) => continue 'outer,
                (1, 6) => break 'outer,
                _ => {}
            }
        }
    }
    assert_eq!((visited, skipped), (3 + 4, 2 + 3));
    assert_eq!(changed.drain(&mut world), ids[..7]);
}

#[test]
fn observers_run_after_the_loop_and_get_the_previous_values() {
    let (mut world, log) = (World::new(), Log::default());
    let ids = world.create_many([(A(1), B(0)), (A(2), B(0))]);
    let group = world.group(World::all_of::<A>());
    listen(&mut world, group, 0, &log);
    for a in world.query_mut::<&mut A>().iter_mut() {
        assert!(log.lock().unwrap().is_empty());
        a.0 *= 10;
    }
    assert_eq!(log.lock().unwrap().len(), 2);
    assert!(
        log.lock().unwrap()[1].contains("Some(A(2)) Some(A(20))"),
        "{log:?}"
    );
    assert_eq!(world.entity(ids[1]).a().0, 20);
}

#[test]
fn an_unused_iterator_reports_nothing() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    _ = world.query_mut::<&mut A>();
    _ = world.query_mut::<&mut A>().iter_mut();
    assert!(changed.is_empty(&world));
    let mut query = world.query_mut::<Mut<'_, A>>();
    assert!(query.iter_mut().next().is_some());
    drop(query);
    assert!(changed.is_empty(&world), "it was not written to");
    let first = world
        .query_mut::<Mut<'_, A>>()
        .iter_mut()
        .next()
        .map(|mut a| a.0 = 3);
    assert_eq!(
        (first, changed.drain(&mut world)),
        (Some(()), ids[..1].to_vec())
    );
}

#[test]
fn a_panic_in_the_loop_reports_and_records_taken_items_without_observers() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let (history, log) = (world.record(), Log::default());
    let group = world.group(World::all_of::<A>());
    listen(&mut world, group, 0, &log);
    let before = history.mark(&mut world);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        for (id, a) in world.query_mut::<(Id, &mut A)>().iter_mut() {
            a.0 += 7;
            assert!(id.index() < 9, "in the loop");
        }
    }));
    assert!(panicked.is_err());
    assert!(log.lock().unwrap().is_empty());
    assert_eq!(changed.ids(&world), alive(&ids, |n| n < 10));
    assert_eq!(history.rewind(&mut world, before), 10);
    assert_eq!(world.entity(ids[9]).a().0, 9);
    world.storage().check_invariants();
}

/// Loops over a world when it is dropped.
struct AtEnd<'a>(&'a mut World);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        for a in self.0.query_mut::<&mut A>().iter_mut().take(2) {
            a.0 += 1;
        }
    }
}

#[test]
fn a_loop_that_runs_while_another_panic_unwinds_notifies_observers() {
    let (mut world, _) = world();
    let log = Log::default();
    let group = world.group(World::all_of::<A>());
    listen(&mut world, group, 0, &log);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _at_end = AtEnd(&mut world);
        panic!("outside of the loop");
    }));
    assert!(panicked.is_err());
    assert_eq!(log.lock().unwrap().len(), 2);
}

#[test]
fn a_query_that_is_used_again_reports_the_loop_first() {
    let (mut world, ids) = world();
    let log = Log::default();
    let group = world.group(World::all_of::<A>());
    listen(&mut world, group, 0, &log);
    let mut query = world.query_mut::<&mut A>();
    query.iter_mut().take(3).for_each(|a| a.0 += 100);
    query.iter_mut().take(2).for_each(|a| a.0 += 1000);
    assert_eq!(log.lock().unwrap().len(), 3);
    let got = query.get(ids[2], |a| a.0 += 10_000);
    assert_eq!((got, log.lock().unwrap().len()), (Some(()), 3 + 2 + 1));
    assert!(log.lock().unwrap()[5].contains("Some(A(102)) Some(A(10102))"));

    let mut query = world.query_mut::<&mut A>();
    query.iter_mut().take(1).for_each(|a| a.0 = 0);
    let all = query.with::<Flag>().in_group(group);
    assert_eq!(log.lock().unwrap().len(), 7);
    all.for_each(|a| a.0 += 1);
    assert_eq!(log.lock().unwrap().len(), 7 + 67);
    assert_eq!(world.entity(ids[0]).a().0, 1);
}

#[test]
fn a_query_that_is_used_again_visits_the_entities_it_was_limited_to() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let gone = ids[9];
    let group = world.group(World::all_of::<A>());
    group.on_updated(
        &mut world,
        move |world: &mut World, _: &Change<'_, World>| {
            let others = world.query_mut::<&mut B>().among([gone]); // another set of rows
            others.for_each(|_| unreachable!("it has no B"));
            if world.contains(gone) {
                world.destroy(gone);
                world.create_with(A(0)); // in the same row
            }
        },
    );
    let limited = [ids[3], ids[8], ids[9], ids[150]];
    let mut query = world.query_mut::<&mut A>().among(limited);
    query.iter_mut().take(1).for_each(|a| a.0 += 1);
    let mut left = Vec::new();
    query.for_each(|a| left.push(a.0));
    assert_eq!(left, [4, 8, 150]);
    assert_eq!(changed.drain(&mut world), [ids[3], ids[8], ids[150]]);
}

#[test]
fn items_dealt_to_threads_are_all_reported() {
    let mut world = World::new();
    let count = if cfg!(miri) { 200 } else { 100_000 };
    let ids = world.create_many((0..count).map(A));
    let changed = world.collector(World::all_of::<A>().updated());
    for _ in 0..if cfg!(miri) { 2 } else { 20 } {
        let mut query = world.query_mut::<Mut<'_, A>>();
        deal(query.iter_mut().collect(), |a| a.0 += 1);
        drop(query);
        assert_eq!(changed.drain(&mut world).len(), ids.len());
    }
    let few: [Id; 64] = ids[..64].try_into().unwrap();
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let query = world.query_mut::<Mut<'_, A>>();
        let dealt = query.get_many(few, |items| deal(items.into(), |a| a.0 += 1));
        assert_eq!(dealt, Ok(()));
        assert_eq!(changed.drain(&mut world), few);
    }
}

/// Writes to items on two threads, each of which has every other one.
fn deal<T: Send>(items: Vec<T>, write: impl Fn(&mut T) + Copy + Send) {
    let mut hands = [Vec::new(), Vec::new()];
    for (item, hand) in items.into_iter().zip([0, 1].into_iter().cycle()) {
        hands[hand].push(item);
    }
    let start = Barrier::new(2);
    std::thread::scope(|scope| {
        for mut hand in hands {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                hand.iter_mut().for_each(write);
            });
        }
    });
}
