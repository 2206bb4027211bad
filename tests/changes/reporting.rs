//! Queries that write: reports, their order, and panics.

mod loops;
mod order;
mod together;
mod tracked;
mod view_mut;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use support::numbers::{A, B, Flag, Id, Other, World, WorldEntity, WorldEntityMut};

type Log = Arc<Mutex<Vec<String>>>;

/// 200 entities with A, of several signatures; `n % 2`: also B, `n % 3`: the flag.
fn world() -> (World, Vec<Id>) {
    let mut world = World::new();
    let ids = world.create_many((0..200).map(A));
    for &id in &ids {
        let n = id.index();
        let mut entity = world.entity_mut(id);
        if n % 2 == 0 {
            entity.add_b(n);
        }
        if n % 3 == 0 {
            entity.add_flag();
        }
    }
    world.destroy(ids[70]);
    (world, ids)
}

fn alive(ids: &[Id], wanted: impl Fn(u32) -> bool) -> Vec<Id> {
    let ids = ids.iter().copied();
    ids.filter(|id| id.index() != 70 && wanted(id.index()))
        .collect()
}

/// Logs the updates of a group: its number, entity, component, the previous value, and the current
/// A and B of the entity.
fn listen(world: &mut World, group: Group<World>, number: usize, log: &Log) {
    let log = log.clone();
    group.on_updated(
        world,
        move |world: &mut World, change: &Change<'_, World>| {
            let entity = world.entity(change.entity());
            log.lock().unwrap().push(format!(
                "{number} {:?} {}{:?} {:?} {:?}",
                change.entity(),
                if change.is::<A>() { "A" } else { "B" },
                change.previous::<A>(),
                entity.get_a(),
                entity.get_b(),
            ));
        },
    );
}

fn groups(world: &mut World) -> Vec<Group<World>> {
    let matchers = [
        World::all_of::<A>(),
        World::all_of::<B>().none_of::<Flag>(),
        World::any_of::<(A, B, Other)>(),
        World::all_of::<Flag>(),
    ];
    let mut groups = Vec::new();
    for matcher in matchers {
        groups.push(world.group(matcher));
    }
    groups
}

#[test]
fn collectors_collect_each_entity_visited_in_ascending_order() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let of_b = world.collector(World::all_of::<B>().entered_or_updated());
    let any = world.collector(World::any_of::<(A, B)>().none_of::<Flag>().updated());
    let of_flag = world.collector(World::all_of::<Flag>().any_change());
    world
        .query_mut::<(&mut A, &B)>()
        .for_each(|(a, b)| a.0 += b.0);
    assert_eq!(of_a.drain(&mut world), alive(&ids, |n| n % 2 == 0));
    let unflagged = alive(&ids, |n| n % 2 == 0 && n % 3 != 0);
    assert_eq!(any.drain(&mut world), unflagged);
    assert!(of_b.is_empty(&world) && of_flag.is_empty(&world));
    assert_eq!(world.entity(ids[10]).a(), &A(20));
    assert_eq!(world.entity(ids[11]).a(), &A(11));
}

#[test]
fn a_component_that_is_read_or_missing_is_not_reported() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let of_b = world.collector(World::all_of::<B>().updated());
    world
        .query_mut::<(&A, Option<&mut B>, EntityId<World>)>()
        .for_each(|(a, b, id)| {
            assert_eq!((a.0, b.is_some()), (id.index(), id.index() % 2 == 0));
        });
    assert!(of_a.is_empty(&world));
    assert_eq!(of_b.drain(&mut world), alive(&ids, |n| n % 2 == 0));
}

#[test]
fn a_held_entity_keeps_its_place() {
    let (mut world, ids) = world();
    let collectors: Vec<_> = (0..40)
        .map(|_| world.collector(World::all_of::<A>().updated()))
        .collect();
    world.entity_mut(ids[199]).replace_a(0);
    world.query_mut::<&mut A>().with::<Flag>().for_each(|_| {});
    let mut expected = vec![ids[199]];
    expected.extend(alive(&ids, |n| n % 3 == 0));
    for collector in collectors {
        assert_eq!(collector.drain(&mut world), expected);
    }
}

#[test]
fn observers_are_notified_as_by_single_updates_but_of_final_values() {
    let (mut together, _) = world();
    let (mut one_by_one, ids) = world();
    let logs: [Log; 2] = Default::default();
    for (world, log) in [&mut together, &mut one_by_one].into_iter().zip(&logs) {
        for (number, group) in groups(world).into_iter().enumerate() {
            listen(world, group, number, log);
        }
    }
    let query = together.query_mut::<(Option<&mut B>, &mut A)>();
    query.for_each(|(b, a)| {
        a.0 += 1_000;
        if let Some(b) = b {
            b.0 += 1_000;
        }
    });
    for id in alive(&ids, |_| true) {
        let mut entity = one_by_one.entity_mut(id);
        if entity.has_b() {
            entity.update_b(|b| b.0 += 1_000);
        }
        entity.update_a(|a| a.0 += 1_000);
    }
    let [found, mut expected] = logs.map(|log| std::mem::take(&mut *log.lock().unwrap()));
    // Changed one by one, A still has its old value when B is notified.
    for line in &mut expected {
        if line.contains(" BNone Some(A(") {
            let start = line.find("Some(A(").unwrap() + "Some(A(".len();
            let end = start + line[start..].find(')').unwrap();
            let value: u32 = line[start..end].parse().unwrap();
            line.replace_range(start..end, &(value + 1_000).to_string());
        }
    }
    assert!(found.len() > 500, "{}", found.len());
    assert_eq!(found, expected);
}

#[test]
fn all_values_and_collectors_are_final_before_the_first_observer() {
    let (mut world, ids) = world();
    let last = ids[199];
    let changed = Arc::new(world.collector(World::all_of::<A>().updated()));
    let all = world.group(World::all_of::<A>());
    let seen = changed.clone();
    all.on_updated(
        &mut world,
        move |world: &mut World, _: &Change<'_, World>| {
            assert_eq!(world.entity(last).a(), &A(0));
            assert_eq!(seen.len(world), 199);
        },
    );
    world.query_mut::<&mut A>().for_each(|a| a.0 = 0);
    assert_eq!(changed.len(&world), 199);
}

#[test]
fn changes_of_observers_are_notified_after_all_updates() {
    let (mut world, ids) = world();
    let log = Log::default();
    let all = world.group(World::all_of::<A>());
    let others = world.group(World::all_of::<Other>());
    let (notified, gone) = (log.clone(), ids[5]);
    all.on_updated(
        &mut world,
        move |world: &mut World, change: &Change<'_, World>| {
            let id = change.entity();
            if id.index() == 3 {
                world.entity_mut(id).add_other();
                world.destroy(gone);
                world.defragment();
                let notified = notified.clone();
                let again = move |_: &mut World, _: &Change<'_, World>| {
                    notified.lock().unwrap().push(String::from("too late"));
                };
                all.on_updated(world, again);
            }
            let alive = world.contains(id);
            notified.lock().unwrap().push(format!("{id:?} {alive}"));
        },
    );
    let notified = log.clone();
    others.on_entered(&mut world, move |_: &mut World, _: &Change<'_, World>| {
        notified.lock().unwrap().push(String::from("entered"));
    });
    world.query_mut::<&mut A>().for_each(|_| {});
    let mut expected: Vec<_> = alive(&ids, |_| true)
        .iter()
        .map(|id| format!("{id:?} {}", *id != gone))
        .collect();
    expected.push(String::from("entered"));
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn inside_an_observer_the_updates_are_queued() {
    let (mut world, ids) = world();
    let log = Log::default();
    let all = world.group(World::all_of::<A>());
    let others = world.group(World::all_of::<Other>());
    others.on_entered(&mut world, |world: &mut World, _: &Change<'_, World>| {
        world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
    });
    let notified = log.clone();
    others.on_entered(&mut world, move |_: &mut World, _: &Change<'_, World>| {
        notified.lock().unwrap().push(String::from("entered"));
    });
    listen(&mut world, all, 0, &log);
    world.entity_mut(ids[1]).add_other();
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 200);
    assert_eq!(log[0], "entered");
    assert_eq!(log[1], "0 0v1 ASome(A(0)) Some(A(1)) Some(B(0))");
    assert_eq!(log[199], "0 199v1 ASome(A(199)) Some(A(200)) None");
}

#[test]
fn inside_an_observer_each_update_is_notified_with_its_previous_value() {
    let (mut plain, _) = world();
    let (mut nested, ids) = world();
    let logs: [Log; 2] = Default::default();
    for (world, log) in [&mut plain, &mut nested].into_iter().zip(&logs) {
        for (number, group) in groups(world).into_iter().enumerate() {
            listen(world, group, number, log);
        }
    }
    let update = |world: &mut World| {
        let query = world.query_mut::<(Option<&mut B>, &mut A)>();
        query.for_each(|(_, a)| a.0 += 1_000);
    };
    let others = nested.group(World::all_of::<Other>());
    others.on_entered(
        &mut nested,
        move |world: &mut World, _: &Change<'_, World>| {
            update(world);
        },
    );
    update(&mut plain);
    nested.entity_mut(ids[1]).add_other();
    let [plain, nested] = logs.map(|log| std::mem::take(&mut *log.lock().unwrap()));
    assert!(plain.len() > 500, "{}", plain.len());
    assert_eq!(plain, nested);
}

#[test]
fn many_updates_are_no_endless_chain() {
    let (mut world, _) = world();
    let count = Arc::new(Mutex::new(0));
    let counted = count.clone();
    let all = world.group(World::all_of::<A>());
    all.on_updated(&mut world, move |_: &mut World, _: &Change<'_, World>| {
        *counted.lock().unwrap() += 1;
    });
    world.observers().set_notification_limit(10);
    world.query_mut::<&mut A>().for_each(|_| {});
    assert_eq!(*count.lock().unwrap(), 199);
}

#[test]
fn a_panic_leaves_visited_entities_collected_and_notifies_no_observer() {
    for limit in [0, 1, 63, 64, 65, 130] {
        let (mut world, ids) = world();
        let all = world.group(World::all_of::<A>());
        let changed = world.collector(World::all_of::<A>().updated());
        let observer = all.on_updated(&mut world, |_, _| unreachable!());
        let update = AssertUnwindSafe(|| {
            world.query_mut::<&mut A>().for_each(|a| {
                assert!(a.0 != limit);
                a.0 += 1_000;
            });
        });
        assert!(catch_unwind(update).is_err());
        assert_eq!(changed.drain(&mut world), alive(&ids, |n| n <= limit));
        for id in alive(&ids, |_| true) {
            let n = id.index();
            let expected = if n < limit { n + 1_000 } else { n };
            assert_eq!(world.entity(id).a(), &A(expected));
        }
        world.unsubscribe(observer);
        world.query_mut::<&mut A>().for_each(|_| {});
        assert_eq!(changed.len(&world), 199);
    }
}

#[test]
fn slices_report_the_same_as_single_items() {
    let (mut by_items, _) = world();
    let (mut by_slices, _) = world();
    let logs: [Log; 2] = Default::default();
    let mut collected = Vec::new();
    for (world, log) in [&mut by_items, &mut by_slices].into_iter().zip(&logs) {
        for (number, group) in groups(world).into_iter().enumerate() {
            listen(world, group, number, log);
        }
        collected.push(world.collector(World::any_of::<(A, B)>().none_of::<Flag>().updated()));
    }
    let query = by_items.query_mut::<(Option<&mut B>, &mut A)>();
    query.for_each(|(b, a)| {
        a.0 += 1_000;
        b.into_iter().for_each(|b| b.0 += 1_000);
    });
    let query = by_slices.query_mut::<(Option<&mut B>, &mut A)>();
    query.for_each_slice(|(b, a)| {
        a.iter_mut().for_each(|a| a.0 += 1_000);
        b.into_iter().flatten().for_each(|b| b.0 += 1_000);
    });
    let [items, slices] = logs.map(|log| std::mem::take(&mut *log.lock().unwrap()));
    assert!(items.len() > 500, "{}", items.len());
    assert_eq!(items, slices);
    assert_eq!(
        collected[0].drain(&mut by_items),
        collected[1].drain(&mut by_slices)
    );
}

/// A run of A ends before row 70, whose entity is dead.
#[test]
fn a_panic_in_a_slice_collects_the_current_run() {
    for (panics_at, visited) in [(0, 70), (1, 200)] {
        let (mut world, ids) = world();
        let changed = world.collector(World::all_of::<A>().updated());
        let mut runs = 0;
        let update = AssertUnwindSafe(|| {
            world.query_mut::<&mut A>().for_each_slice(|_| {
                runs += 1;
                assert!(runs <= panics_at);
            });
        });
        assert!(catch_unwind(update).is_err());
        assert_eq!(changed.drain(&mut world), alive(&ids, |n| n < visited));
    }
}

#[test]
fn a_panic_of_an_observer_leaves_everything_changed_and_collected() {
    let (mut world, ids) = world();
    let all = world.group(World::all_of::<A>());
    let changed = world.collector(World::all_of::<A>().updated());
    let observer = all.on_updated(&mut world, |_, change: &Change<'_, World>| {
        assert!(change.entity().index() != 9);
    });
    let update = AssertUnwindSafe(|| world.query_mut::<&mut A>().for_each(|a| a.0 = 7));
    assert!(catch_unwind(update).is_err());
    assert!(world.query::<&A>().iter().all(|a| a.0 == 7));
    assert_eq!(changed.drain(&mut world), alive(&ids, |_| true));
    assert!(world.unsubscribe(observer));
    world.query_mut::<&mut A>().for_each(|_| {});
    assert_eq!(changed.len(&world), 199);
}

#[test]
fn after_defragment_the_order_is_that_of_the_rows() {
    let (mut world, _) = world();
    world.defragment();
    let changed = world.collector(World::all_of::<A>().updated());
    let rows: Vec<_> = world.query::<EntityId<World>>().iter().collect();
    world.query_mut::<&mut A>().for_each(|_| {});
    assert_eq!(changed.drain(&mut world), rows);
}

#[test]
fn nothing_is_reported_without_matches_or_writes() {
    let (mut world, _) = world();
    let changed = world.collector(World::any_of::<(A, B, Other)>().updated());
    world.query_mut::<&mut Other>().for_each(|_| unreachable!());
    let mut sum = 0;
    world.query_mut::<&A>().for_each(|a| sum += a.0);
    assert_eq!(sum, 199 * 100 - 70);
    assert!(changed.is_empty(&world));
}

#[test]
fn entities_without_an_optional_component_are_not_reported() {
    let (mut world, ids) = world();
    let group = World::any_of::<(A, B)>();
    let collected = world.collector(group.clone().updated());
    let (log, group) = (Log::default(), world.group(group));
    listen(&mut world, group, 0, &log);
    for tracked in [false, true] {
        match tracked {
            false => world.query_mut::<Option<&mut B>>().for_each(|b| {
                b.into_iter().for_each(|b| b.0 += 1);
            }),
            true => world.query_mut::<Option<Mut<'_, B>>>().for_each(|b| {
                b.into_iter().for_each(|mut b| b.0 += 1);
            }),
        }
        let with_b = alive(&ids, |n| n % 2 == 0);
        assert_eq!(collected.drain(&mut world), with_b);
        assert_eq!(log.lock().unwrap().drain(..).count(), with_b.len());
    }
}
