//! Programs around the time at which a query is reported, each of which must have no undefined
//! behavior: `.ci/miri queries` runs them, too.

use std::mem::{replace, swap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::View;
use ecs::prelude::*;
use support::numbers::{A, B, Flag, Id, World};

/// The number of entities, in several blocks.
const COUNT: u32 = 200;

type Notified = Arc<Mutex<Vec<(Id, u32, u32)>>>;

/// A world with subscribers that read everything.
struct Watched {
    world: World,
    ids: Vec<Id>,
    changed: Collector<World>,
    by_number: EntityIndex<World, u32>,
    notified: Notified,
}

fn watched() -> Watched {
    let mut world = World::new();
    let ids = world.create_many((0..COUNT).map(|n| (A(n), B(1))));
    let changed = world.collector(World::all_of::<A>().updated());
    let by_number = world.entity_index(World::all_of::<A>(), |entity| entity.a().0);
    let notified = Notified::default();
    let seen = notified.clone();
    let group = world.group(World::all_of::<A>());
    group.on_updated(
        &mut world,
        move |world: &mut World, change: &Change<'_, World>| {
            let now = world.entity(change.entity()).a().0;
            let some = if cfg!(miri) { 2 } else { 1000 };
            let all = world.query::<&A>().iter().take(some);
            assert!(all.map(|a| a.0).sum::<u32>() > 0 || now == 0);
            let before = change.previous::<A>().unwrap().0;
            seen.lock().unwrap().push((change.entity(), before, now));
        },
    );
    Watched {
        world,
        ids,
        changed,
        by_number,
        notified,
    }
}

impl Watched {
    /// Expects that the first `count` entities were reported, and have 1000 more than before.
    #[track_caller]
    fn expect(mut self, count: usize) {
        assert_eq!(self.changed.drain(&mut self.world), self.ids[..count]);
        let notified = self.notified.lock().unwrap();
        let expected = self.ids[..count].iter().zip(0..);
        assert!(
            notified
                .iter()
                .copied()
                .eq(expected.map(|(&id, n)| (id, n, n + 1000)))
        );
        for n in (0..COUNT).step_by(if cfg!(miri) { 33 } else { 1 }) {
            let number = if (n as usize) < count { n + 1000 } else { n };
            let found = self.by_number.single(&self.world, &number);
            assert_eq!(found.map(|entity| entity.id()), Some(self.ids[n as usize]));
        }
        self.world.storage().check_invariants();
    }
}

#[test]
fn collected_items_outlive_the_iterator_but_not_the_query() {
    let mut of = watched();
    let mut query = of.world.query_mut::<(&mut A, &B)>();
    let mut items: Vec<_> = query.iter_mut().take(100).collect();
    items.sort_by_key(|(a, _)| std::cmp::Reverse(a.0));
    assert!(of.notified.lock().unwrap().is_empty());
    items.iter_mut().for_each(|(a, _)| a.0 += 1000);
    drop(query);
    of.expect(100);
}

#[test]
fn loops_break_at_the_edges_of_blocks() {
    let places: &[usize] = match cfg!(miri) {
        true => &[3, 65],
        false => &[1, 3, 63, 64, 65, 128, 199, 200],
    };
    for &place in places {
        let mut of = watched();
        for (n, a) in of.world.query_mut::<&mut A>().iter_mut().enumerate() {
            a.0 += 1000;
            if n + 1 == place {
                break;
            }
        }
        of.expect(place);
    }
}

#[test]
fn a_query_that_is_a_temporary_reports_at_the_end_of_its_statement() {
    let mut of = watched();
    if let Some(a) = of.world.query_mut::<&mut A>().iter_mut().next() {
        a.0 += 1000;
    }
    of.expect(1);
    let mut of = watched();
    let add = |a: &mut A| {
        a.0 += 1000;
        a.0
    };
    let sum: u32 = of.world.query_mut::<&mut A>().iter_mut().map(add).sum();
    assert!(sum > 1000 * COUNT);
    of.expect(COUNT as usize);
    let mut of = watched();
    _ = of.world.query_mut::<&mut A>().iter_mut();
    of.expect(0);
}

/// A loop as the last expression of a block, whose context is a local.
#[test]
fn a_loop_may_be_the_tail_of_a_block() {
    let mut of = watched();
    for a in of.world.query_mut::<&mut A>().iter_mut() {
        a.0 += 1000;
    }
}

#[test]
fn an_observer_that_panics_leaves_everything_reported() {
    let mut of = watched();
    let mut count = 0;
    let group = of.world.group(World::all_of::<A>());
    group.on_updated(
        &mut of.world,
        move |_: &mut World, _: &Change<'_, World>| {
            count += 1;
            assert!(count < 3, "the third one");
        },
    );
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        for a in of.world.query_mut::<&mut A>().iter_mut() {
            a.0 += 1000;
        }
    }));
    assert!(panicked.is_err());
    assert_eq!(of.changed.drain(&mut of.world), of.ids);
    assert!(of.by_number.contains(&of.world, &1000));
    assert!(!of.by_number.contains(&of.world, &0));
}

#[test]
fn an_observer_may_loop_and_change_the_structure() {
    let mut world = World::new();
    world.create_many((0..COUNT).map(|n| (A(n), B(0))));
    let group = world.group(World::all_of::<A>());
    group.on_updated(
        &mut world,
        |world: &mut World, change: &Change<'_, World>| {
            let id = change.entity();
            if world.entity(id).a().0 % 100 == 0 {
                world.create_entity();
                for b in world.query_mut::<&mut B>().iter_mut() {
                    b.0 += 1;
                }
            }
            world.entity_mut(id).add_flag();
        },
    );
    for a in world.query_mut::<&mut A>().iter_mut() {
        a.0 += 100;
    }
    assert_eq!(world.len(), COUNT as usize + 2);
    assert!(world.query::<&B>().iter().all(|b| b.0 == 2));
    assert_eq!(world.query::<&Flag>().iter().count(), COUNT as usize);
}

#[test]
fn an_observer_that_replaces_the_context_is_found() {
    let mut of = watched();
    let mut fresh = Some(World::new());
    let group = of.world.group(World::all_of::<A>());
    group.on_updated(
        &mut of.world,
        move |world: &mut World, _: &Change<'_, World>| {
            if let Some(fresh) = fresh.take() {
                drop(replace(world, fresh));
            }
        },
    );
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        for a in of.world.query_mut::<&mut A>().iter_mut() {
            a.0 += 1000;
        }
    }));
    assert!(panicked.is_err());
    let group = of.world.group(World::all_of::<A>());
    of.world.create_with(A(1));
    assert_eq!(group.len(&of.world), 1);
}

#[test]
fn swapped_queries_report_to_their_own_contexts() {
    let (mut a, mut b) = (watched(), watched());
    let mut first = a.world.query_mut::<&mut A>();
    let mut second = b.world.query_mut::<&mut A>();
    first.iter_mut().take(70).for_each(|a| a.0 += 1000);
    swap(&mut first, &mut second);
    first.iter_mut().take(80).for_each(|a| a.0 += 1000);
    drop((first, second));
    a.expect(70);
    b.expect(80);
}

#[test]
fn items_may_go_to_other_threads() {
    let mut of = watched();
    let mut query = of.world.query_mut::<&mut A>();
    let items = query.iter_mut();
    std::thread::scope(|scope| {
        let mut items: Vec<_> = items.collect();
        scope.spawn(move || {
            let (a, b) = items.split_at_mut(90);
            std::thread::scope(|scope| {
                scope.spawn(|| a.iter_mut().for_each(|a| a.0 += 1000));
                b.iter_mut().for_each(|a| a.0 += 1000);
            });
        });
    });
    drop(query);
    of.expect(COUNT as usize);
}

#[test]
fn items_that_track_writes_count_only_if_written() {
    let mut of = watched();
    let mut query = of.world.query_mut::<Mut<'_, A>>();
    let mut items: Vec<_> = query.iter_mut().collect();
    items.truncate(150);
    items.iter_mut().take(77).for_each(|a| a.0 += 1000);
    drop(items);
    drop(query);
    of.expect(77);
}

#[test]
fn items_may_view_other_entities() {
    let mut of = watched();
    let ids = of.ids.clone();
    let mut query = of.world.query_mut::<(Id, View<'_, World, B>, &mut A)>();
    for (id, view, a) in query.iter_mut() {
        let number = view.get(ids[3]).unwrap().0 + view.get(id).unwrap().0;
        a.0 += 998 + number;
    }
    drop(query);
    of.expect(COUNT as usize);
}

#[test]
fn filters_limit_a_loop() {
    let mut of = watched();
    of.world.entity_mut(of.ids[80]).add_flag();
    let among = &of.ids[..90];
    let mut query = of
        .world
        .query_mut::<&mut A>()
        .without::<Flag>()
        .among(among);
    query.iter_mut().take(80).for_each(|a| a.0 += 1000);
    drop(query);
    of.expect(80);
}
