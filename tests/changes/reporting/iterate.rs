//! Iterators passed by reference: exactly the items taken from them are reported.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;

use ecs::prelude::*;
use support::numbers::{A, B, Flag, World};

use super::{Log, alive, listen, world};

#[test]
fn items_taken_by_a_loop_are_reported_when_it_breaks() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let last = world
        .query_mut::<(EntityId<World>, &mut A)>()
        .iterate(|items| {
            for (id, a) in items {
                a.0 += 1000;
                if id.index() == 130 {
                    return Some(id);
                }
            }
            None
        });
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
    for taken in 0..=all.len() {
        let query = world.query_mut::<&mut A>().without::<Flag>();
        let count = query.iterate(|items| items.take(taken).count());
        assert_eq!(count, taken);
        assert_eq!(changed.drain(&mut world), all[..taken]);
    }
}

#[test]
fn observers_run_after_the_loop_and_get_the_previous_values() {
    let (mut world, log) = (World::new(), Log::default());
    let ids = world.create_many([(A(1), B(0)), (A(2), B(0))]);
    let group = world.group(World::all_of::<A>());
    listen(&mut world, group, 0, &log);
    let sum = world.query_mut::<&mut A>().iterate(|items| {
        let values: Vec<_> = items.collect(); // they do not outlive the closure
        values.into_iter().fold(0, |sum, a| {
            a.0 *= 10;
            sum + a.0
        })
    });
    assert_eq!(sum, 30);
    assert_eq!(log.lock().unwrap().len(), 2);
    assert!(
        log.lock().unwrap()[1].contains("Some(A(2)) Some(A(20))"),
        "{log:?}"
    );
    assert_eq!(world.entity(ids[1]).a().0, 20);
}

#[test]
fn an_unused_iterator_reports_nothing() {
    let (mut world, _) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    world.query_mut::<&mut A>().iterate(|_| ());
    assert!(changed.is_empty(&world));
    world
        .query_mut::<Mut<'_, A>>()
        .iterate(|items| assert!(items.next().is_some()));
    assert!(changed.is_empty(&world), "it was not written to");
}

#[test]
fn a_panic_in_the_loop_reports_and_records_taken_items() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let history = world.record();
    let before = history.mark(&mut world);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        world.query_mut::<&mut A>().iterate(|items| {
            items.nth(9).expect("two hundred").0 = 7;
            panic!("in the loop");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(changed.ids(&world), alive(&ids, |n| n < 10));
    assert_eq!(history.rewind(&mut world, before), 10);
    assert_eq!(world.entity(ids[9]).a().0, 9);
    world.storage().check_invariants();
}

#[test]
fn an_error_ends_the_visit() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<B>().updated());
    let found = world.query_mut::<(&A, &mut B)>().try_for_each(|(a, b)| {
        b.0 += 1;
        if a.0 == 100 { Err(a.0) } else { Ok(()) }
    });
    assert_eq!(found, Err(100));
    assert_eq!(
        changed.drain(&mut world),
        alive(&ids, |n| n <= 100 && n % 2 == 0)
    );
    let flow = world.query_mut::<&mut B>().iterate(|items| {
        items.try_for_each(|b| {
            if b.0 > 3 {
                ControlFlow::Break(b.0)
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    assert!(flow.is_break());
    assert_eq!(
        world
            .query_mut::<&mut B>()
            .try_for_each(|_| Ok::<_, ()>(())),
        Ok(())
    );
}

#[test]
fn items_dealt_to_threads_are_all_reported() {
    let mut world = World::new();
    let ids = world.create_many((0..100_000).map(A));
    let changed = world.collector(World::all_of::<A>().updated());
    for _ in 0..20 {
        let query = world.query_mut::<Mut<'_, A>>();
        query.iterate(|items| deal(items.collect(), |a| a.0 += 1));
        assert_eq!(changed.drain(&mut world).len(), ids.len());
    }
    let few: [EntityId<World>; 64] = ids[..64].try_into().unwrap();
    for _ in 0..200 {
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
