//! Queries on many threads: the same values as on one, for any number of threads; panics reach the
//! caller, and the context stays usable.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::View;
use ecs::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use support::game::{Frozen, Game, GameEntity, GameEntityMut, Id};

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Sum(u64);

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Step(u64);

const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];
const SIZES: [u64; 7] = [0, 1, 63, 64, 65, 1_024, 4_097];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// Entities with a sum; all but every fifth with a step, every third marked. If `sparse`, with all
/// kinds of gaps: single rows, whole blocks, the first and the last.
fn game(size: u64, sparse: bool) -> (Game, Vec<Id>) {
    let mut game = Game::new();
    let ids = game.create_many((0..size).map(|n| (Sum(n), Step(n % 7))));
    for (number, &id) in ids.iter().enumerate() {
        if number % 3 == 0 {
            game.entity_mut(id).add_frozen();
        }
        if number % 5 == 0 {
            game.entity_mut(id).remove_step();
        }
    }
    let gone = |n: usize| n.is_multiple_of(11) || (128..256).contains(&n) || n + 1 == size as usize;
    if sparse {
        for (number, &id) in ids.iter().enumerate() {
            if gone(number) {
                game.destroy(id);
            }
        }
    }
    (game, ids)
}

fn values(game: &mut Game) -> Vec<(Id, u64)> {
    let items = game.query::<(Id, &Sum)>();
    items.iter().map(|(id, sum)| (id, sum.0)).collect()
}

/// Runs the same on one thread and on pools of many sizes, with games of many sizes.
fn same_for_all(alone: impl Fn(&mut Game), together: impl Fn(&mut Game) + Sync) {
    for threads in THREADS {
        let pool = pool(threads);
        for (size, sparse) in SIZES.into_iter().flat_map(|n| [(n, false), (n, true)]) {
            let mut expected = game(size, sparse).0;
            alone(&mut expected);
            let mut found = game(size, sparse).0;
            pool.install(|| together(&mut found));
            assert_eq!(
                values(&mut found),
                values(&mut expected),
                "{size} entities, {threads} threads"
            );
        }
    }
}

fn advance(sum: &mut Sum, step: &Step) {
    sum.0 = sum.0 * 3 + step.0;
}

#[test]
fn any_number_of_threads_gives_the_same_values() {
    same_for_all(
        |game| {
            let query = game.query_mut::<(&mut Sum, &Step)>();
            query.for_each(|(sum, step)| advance(sum, step));
        },
        |game| {
            let query = game.query_mut::<(&mut Sum, &Step)>();
            query.par_for_each(|(sum, step)| advance(sum, step));
        },
    );
}

#[test]
fn any_number_of_threads_gives_the_same_values_by_slices() {
    same_for_all(
        |game| {
            let query = game.query_mut::<(&mut Sum, &Step)>().without::<Frozen>();
            query.for_each(|(sum, step)| advance(sum, step));
        },
        |game| {
            let query = game.query_mut::<(&mut Sum, &Step)>().without::<Frozen>();
            query.par_for_each_slice(|(sums, steps)| {
                let pairs = sums.iter_mut().zip(steps);
                pairs.for_each(|(sum, step)| advance(sum, step));
            });
        },
    );
}

#[test]
fn other_entities_can_be_read_on_all_threads() {
    fn add(id: Id, sum: &mut Sum, steps: View<'_, Game, Step>) {
        let other = EntityId::from_bits(id.to_bits() ^ 1).unwrap(); // its neighbor
        sum.0 += steps.get(other).map_or(1_000, |step| step.0);
    }
    same_for_all(
        |game| {
            let query = game.query_mut::<(Id, &mut Sum, View<'_, Game, Step>)>();
            query.for_each(|(id, sum, steps)| add(id, sum, steps));
        },
        |game| {
            let query = game.query_mut::<(Id, &mut Sum, View<'_, Game, Step>)>();
            query.par_for_each(|(id, sum, steps)| add(id, sum, steps));
        },
    );
}

/// PAR-001.
#[test]
fn the_single_member_of_a_group_is_visited() {
    let (mut game, ids) = game(1, false);
    let marked = game.group(Game::all_of::<Frozen>());
    let query = game.query_mut::<&mut Sum>().in_group(marked);
    query.par_for_each(|sum| sum.0 += 1);
    assert_eq!(game.entity(ids[0]).sum(), &Sum(1));
}

/// PAR-002.
#[test]
fn each_member_is_visited_once() {
    for threads in THREADS {
        let (mut game, _) = game(4_097, true);
        let marked = game.group(Game::all_of::<Frozen>());
        let expected: Vec<_> = marked.ids(&game);
        for by_slices in [false, true] {
            let visits = Mutex::new(BTreeMap::new());
            let visit = |id: Id| *visits.lock().unwrap().entry(id).or_insert(0) += 1;
            let query = game.query::<Id>().in_group(marked);
            pool(threads).install(|| {
                if by_slices {
                    query.par_for_each_slice(|ids| ids.iter().for_each(visit));
                } else {
                    query.par_for_each(visit);
                }
            });
            let visits = visits.into_inner().unwrap();
            assert!(visits.values().all(|&count| count == 1));
            assert!(visits.into_keys().eq(expected.iter().copied()));
        }
    }
}

/// PAR-003, PAR-004. Each row is changed once or not at all.
#[test]
fn a_panic_reaches_the_caller_and_the_context_stays_usable() {
    for threads in THREADS {
        for by_slices in [false, true] {
            let (mut game, ids) = game(4_097, false);
            let run = |game: &mut Game, limit: u64| {
                let change = |sum: &mut Sum| {
                    assert!(sum.0 != limit, "too much");
                    sum.0 += 10_000;
                };
                let query = game.query_mut::<&mut Sum>();
                pool(threads).install(|| {
                    if by_slices {
                        query.par_for_each_slice(|sums| sums.iter_mut().for_each(change));
                    } else {
                        query.par_for_each(change);
                    }
                });
            };
            let panic = catch_unwind(AssertUnwindSafe(|| run(&mut game, 2_000))).unwrap_err();
            assert!(
                panic
                    .downcast_ref::<&str>()
                    .is_some_and(|text| *text == "too much")
            );
            for (id, sum) in values(&mut game) {
                let number = u64::from(id.index());
                assert!(sum == number || sum == number + 10_000, "{id:?}: {sum}");
            }
            assert_eq!(game.entity(ids[2_000]).sum(), &Sum(2_000));
            let before = values(&mut game);
            run(&mut game, u64::MAX);
            let after = values(&mut game);
            assert!(before.iter().zip(&after).all(|(b, a)| b.1 + 10_000 == a.1));
        }
    }
}

#[test]
fn where_runs_end_does_not_depend_on_the_threads() {
    let runs = |threads: usize| {
        let (game, _) = game(4_097, true);
        let runs = Mutex::new(Vec::new());
        let query = game.query::<(Id, &Sum)>();
        pool(threads).install(|| {
            query.par_for_each_slice(|(ids, sums)| {
                runs.lock().unwrap().push((ids.get(0), sums.len()));
            });
        });
        let mut runs = runs.into_inner().unwrap();
        runs.sort_unstable();
        runs
    };
    let alone = runs(1);
    assert!(THREADS.into_iter().all(|threads| runs(threads) == alone));
}

#[test]
fn more_than_one_thread_takes_part() {
    // Two calls that wait for each other can only be on two threads.
    let (game, _) = game(128, false);
    let arrived = AtomicU32::new(0);
    pool(4).install(|| {
        game.query::<Id>().par_for_each(|id| {
            if id.index() % 64 == 0 {
                arrived.fetch_add(1, Ordering::SeqCst);
                while arrived.load(Ordering::SeqCst) < 2 {
                    std::thread::yield_now();
                }
            }
        });
    });
    assert_eq!(arrived.into_inner(), 2);
}

#[test]
fn closures_are_called_for_matches_only_and_untracked_writes_are_not_reported() {
    let mut game = Game::new();
    let query = game.query_mut::<&mut Sum>();
    query.par_for_each(|_| unreachable!());
    let query = game.query_mut::<(&mut Sum, Option<&Step>)>();
    query.par_for_each_slice(|_| unreachable!());
    let changed = game.collector(Game::all_of::<Sum>().any_change());
    game.create_with(Sum(1));
    changed.clear(&mut game);
    let query = game.query_mut::<&mut Sum>().untracked();
    query.par_for_each(|sum| sum.0 += 1);
    assert!(changed.is_empty(&game));
}
