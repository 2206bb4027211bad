//! `Mut`, which reports exactly what is written through it; single entities; many threads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;

use support::panic_of;

use super::{
    A, B, Flag, Id, Log, World, WorldEntity, WorldEntityMut, alive, groups, listen, world,
};

#[test]
fn an_entity_counts_if_it_is_written_to() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let of_b = world.collector(World::all_of::<B>().updated());
    world
        .query_mut::<(Mut<'_, A>, Option<Mut<'_, B>>)>()
        .for_each(|(mut a, b)| {
            if a.0 % 7 == 0 {
                a.0 += 7_000;
            }
            if let Some(mut b) = b.filter(|b| b.0 % 5 == 0) {
                *b = B(5_000 + b.0);
            }
        });
    assert_eq!(of_a.drain(&mut world), alive(&ids, |n| n % 7 == 0));
    assert_eq!(of_b.drain(&mut world), alive(&ids, |n| n % 10 == 0));
    assert_eq!(world.entity(ids[14]).a(), &A(7_014));
    assert_eq!(world.entity(ids[20]).b(), &B(5_020));
    assert_eq!(world.entity(ids[15]).a(), &A(15));
}

#[test]
fn reading_is_not_writing() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let mut seen = 0;
    world.query_mut::<Mut<'_, A>>().for_each(|mut a| {
        seen += a.0;
        assert!(!a.set_if_changed(A(a.0)) && !format!("{a:?}").is_empty());
    });
    assert!(of_a.is_empty(&world));
    assert_eq!(seen, (0..200).sum::<u32>() - 70);
    let written = world
        .query_mut::<Mut<'_, A>>()
        .get(ids[9], |mut a| a.set_if_changed(A(0)));
    assert_eq!(written, Some(true));
    assert_eq!(of_a.drain(&mut world), [ids[9]]);
}

#[test]
fn a_slice_is_reported_completely_or_not_at_all() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    world
        .query_mut::<Mut<'_, A>>()
        .for_each_slice(|mut values| {
            assert!(values.len() <= 64);
            if values.iter().any(|a| a.0 == 100) {
                values[0].0 += 1;
            }
        });
    assert_eq!(
        of_a.drain(&mut world),
        alive(&ids, |n| (71..128).contains(&n))
    );
}

#[test]
fn observers_get_exactly_the_previous_values() {
    let (mut world, ids) = world();
    let log = Log::default();
    let groups = groups(&mut world);
    for (number, group) in groups.into_iter().enumerate() {
        listen(&mut world, group, number, &log);
    }
    world
        .query_mut::<(&mut B, Mut<'_, A>)>()
        .for_each(|(b, mut a)| {
            if b.0 == 8 || b.0 == 12 {
                a.0 = 1;
            }
        });
    let log = log.lock().unwrap();
    let of_a: Vec<_> = log.iter().filter(|line| line.contains(" ASome")).collect();
    let line =
        |group, n: usize| format!("{group} {:?} ASome(A({n})) Some(A(1)) Some(B({n}))", ids[n]);
    assert_eq!(of_a, [&line(0, 8), &line(2, 8), &line(0, 12), &line(2, 12)]);
    assert_eq!(log.len(), 4 + 2 * 99 - 34);
}

#[test]
fn a_change_inside_an_observer_is_queued_with_what_was_written() {
    let (mut world, ids) = world();
    let log = Log::default();
    let flagged = world.group(World::all_of::<Flag>());
    flagged.on_left(&mut world, |world: &mut World, _: &Change<'_, World>| {
        world.query_mut::<Mut<'_, A>>().for_each(|mut a| {
            if a.0 == 5 {
                a.0 = 6;
            }
        });
    });
    let all = world.group(World::all_of::<A>());
    listen(&mut world, all, 0, &log);
    world.entity_mut(ids[0]).remove_flag();
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 1);
    assert!(log[0].contains("Some(A(5)) Some(A(6))"), "{log:?}");
}

#[test]
fn indexes_follow_writes() {
    let (mut world, ids) = world();
    let index = world.entity_index(World::all_of::<A>(), |e| e.a().0 % 10);
    world.query_mut::<Mut<'_, A>>().for_each(|mut a| {
        if a.0 % 10 == 3 {
            a.0 += 1;
        }
    });
    assert_eq!(index.get(&world, &3).len(), 0);
    assert_eq!(index.get(&world, &4).len(), 40);
    let mut visited = 0;
    let stopped = catch_unwind(AssertUnwindSafe(|| {
        world.query_mut::<Mut<'_, A>>().for_each(|mut a| {
            a.0 = 77;
            visited += 1;
            assert!(visited < 2, "on purpose");
        });
    }));
    assert!(stopped.is_err());
    assert_eq!(index.get(&world, &7).len(), 20 + 2);
    assert!(index.get(&world, &7).any(|e| e.id() == ids[1]));
}

#[test]
fn one_entity_is_reported_as_one() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let old = world
        .query_mut::<&mut A>()
        .get(ids[3], |a| std::mem::replace(a, A(0)));
    assert_eq!(old, Some(A(3)));
    assert_eq!(world.query_mut::<&mut A>().get(ids[70], |_| ()), None);
    assert_eq!(
        world
            .query_mut::<&mut A>()
            .without::<Flag>()
            .get(ids[6], |_| ()),
        None
    );
    assert_eq!(of_a.drain(&mut world), [ids[3]]);
    let single = world.create_entity().add_a(1).add_other().id();
    of_a.clear(&mut world);
    world
        .query_mut::<&mut A>()
        .with::<super::Other>()
        .single(|a| a.0 = 2);
    assert_eq!(of_a.drain(&mut world), [single]);
    assert_eq!(
        world
            .query_mut::<&mut super::Other>()
            .without::<A>()
            .single(|_| ()),
        None
    );
    let text = panic_of(|| _ = world.query_mut::<&mut A>().single(|_| ()));
    assert!(
        text.contains("has several entities where one was asked for"),
        "{text}"
    );
}

type Terms<'a> = (&'a mut A, Option<Mut<'a, B>>, Id);
type Walk = fn(ecs::QueryMut<'_, World, Terms<'_>>);

fn visit((a, b, id): (&mut A, Option<Mut<'_, B>>, Id)) {
    a.0 += id.index();
    if let Some(mut b) = b.filter(|b| b.0 % 3 == 0) {
        b.0 += 1;
    }
}

/// What collectors and observers receive from a loop.
fn notified(walk: Walk) -> ([Vec<Id>; 2], Vec<String>) {
    let (mut world, _) = world();
    let log = Log::default();
    for (number, group) in groups(&mut world).into_iter().enumerate() {
        listen(&mut world, group, number, &log);
    }
    let collectors = [
        world.collector(World::all_of::<A>().updated()),
        world.collector(World::all_of::<B>().updated()),
    ];
    walk(world.query_mut());
    let collected = collectors.map(|collector| collector.drain(&mut world));
    let log = log.lock().unwrap().clone();
    (collected, log)
}

#[test]
fn threads_report_what_one_thread_does() {
    let one = notified(|query| query.for_each(visit));
    assert!(one.0[1].len() > 20 && one.1.len() > 300);
    assert_eq!(one, notified(|query| query.par_for_each(visit)));
}

#[test]
fn each_of_several_observers_gets_the_previous_value() {
    let mut world = World::new();
    let ids = world.create_many([A(1), A(2), A(3)]);
    let log = Log::default();
    let all = world.group(World::all_of::<A>());
    for number in 0..2 {
        listen(&mut world, all, number, &log);
    }
    world.query_mut::<&mut A>().for_each(|a| a.0 += 10);
    let lines = ids.iter().zip(1..).flat_map(|(id, n)| {
        let line = move |number| format!("{number} {id:?} ASome(A({n})) Some(A({})) None", n + 10);
        [0, 1].map(line)
    });
    assert_eq!(*log.lock().unwrap(), lines.collect::<Vec<_>>());
}

/// A value whose clones panic in their drop, if it is the first.
#[derive(Component)]
#[component(context = World, extension, by_value)]
struct Brittle {
    value: u32,
    is_copy: bool,
}

impl Clone for Brittle {
    fn clone(&self) -> Self {
        let value = self.value;
        Self {
            value,
            is_copy: true,
        }
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        assert!(!self.is_copy || self.value != 1, "a copy is dropped");
    }
}

#[test]
fn notifications_are_queued_before_unused_copies_are_dropped() {
    let mut world = World::new();
    let new = |value| Brittle {
        value,
        is_copy: false,
    };
    let ids = world.create_many([new(1), new(2)]);
    let (log, brittle) = (Log::default(), world.group(World::all_of::<Brittle>()));
    listen(&mut world, brittle, 0, &log);
    let flagged = world.group(World::all_of::<Flag>());
    flagged.on_entered(&mut world, |world: &mut World, _: &Change<'_, World>| {
        let write = |mut it: Mut<'_, Brittle>| {
            if it.value == 2 {
                it.value = 3;
            }
        };
        let notified = panic_of(|| world.query_mut::<Mut<'_, Brittle>>().for_each(write));
        assert_eq!(notified, "a copy is dropped");
    });
    world.create_with(Flag);
    let log = log.lock().unwrap();
    assert!(log.len() == 1 && log[0].contains(&format!("{:?}", ids[1])));
}
