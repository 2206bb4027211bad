//! The rows with many entities, and the one on two threads.

use ecs::{Context as _, Systems};

use super::{Calls, Entity, Order, check_advanced, mover, movers, step};
use crate::checks::{check_computed, check_memory, check_memory_sparse};
use crate::joins::{Churn, Kind, Sparse};
use crate::matrix::{compute, transform};
use crate::types::*;
use crate::workload::{Workload, fresh, on_two_threads, one_of, steady};

pub(super) fn iter(items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = move |(game, _): &mut (Game, Vec<Entity>)| step(game, calls);
    steady(movers(Game::new(), items), run, check_advanced)
}

/// In bulk, uses slices, the form for little work per entity.
pub(super) fn iter_in_parallel(items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = move |(game, _): &mut (Game, Vec<Entity>)| {
        on_two_threads(|| {
            let query = game.query_mut::<(&mut Position, &Velocity)>();
            match calls {
                Calls::OneByOne => {
                    query.par_for_each(|(position, velocity)| advance(position, velocity));
                }
                Calls::Bulk => query.par_for_each_slice(|(positions, velocities)| {
                    advance_all(positions, velocities);
                }),
            }
        });
    };
    steady(movers(Game::new(), items), run, check_advanced)
}

pub(super) fn destroy(items: usize, calls: Calls) -> Box<dyn Workload> {
    let make = move || movers(Game::new(), items);
    let run = move |(game, ids): &mut (Game, Vec<Entity>)| match calls {
        Calls::OneByOne => ids.iter().for_each(|&id| game.destroy(id)),
        Calls::Bulk => game.many(ids).destroy(),
    };
    fresh(make, run, |(game, ids)| {
        assert!(game.is_empty());
        assert!(ids.iter().all(|&id| !game.contains(id)));
        assert_eq!(game.query::<&Position>().iter().count(), 0);
        assert_eq!(game.query::<&Velocity>().iter().count(), 0);
    })
}

fn defragment(game: &mut Game, order: Order) {
    match order {
        Order::AsItCame => {}
        Order::Tidied => clean_up(game),
        Order::Defragmented => game.defragment(),
    }
}

/// Runs a hundred cleanups of a list of systems, which defragment the context.
fn clean_up(game: &mut Game) {
    let mut systems = Systems::<Game>::new();
    (0..100).for_each(|_| systems.cleanup(game));
}

pub(super) fn sparse_join(items: usize, calls: Calls, order: Order) -> Box<dyn Workload> {
    let sparse = Sparse::new(items);
    let mut game = Game::new();
    let ids = game.create_many((0..sparse.entities).map(position));
    for &at in &sparse.picked {
        game.entity_mut(ids[at]).add_velocity(velocity().0);
    }
    defragment(&mut game, order);
    let run = move |game: &mut Game| step(game, calls);
    steady(game, run, move |game, steps| {
        sparse.check(|at| mover(game, ids[at]), steps);
    })
}

pub(super) fn churned_join(items: usize, calls: Calls, order: Order) -> Box<dyn Workload> {
    let churn = Churn::new(items);
    let mut game = Game::new();
    let kinds = churn.before.iter().enumerate();
    let mut ids: Vec<_> = kinds
        .map(|(at, &kind)| create(&mut game, at, kind))
        .collect();
    for &(at, kind) in &churn.steps {
        game.destroy(ids[at]);
        ids[at] = create(&mut game, at, kind);
    }
    defragment(&mut game, order);
    let run = move |game: &mut Game| step(game, calls);
    steady(game, run, move |game, steps| {
        churn.check(|at| mover(game, ids[at]), steps);
    })
}

fn create(game: &mut Game, at: usize, kind: Kind) -> Entity {
    match kind {
        Kind::Both => game.create_with((position(at), velocity())).id(),
        Kind::Position => game.create_with(position(at)).id(),
        Kind::Velocity => game.create_with(velocity()).id(),
    }
}

pub(super) fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |game: &mut Game| {
        game.create_many((0..items).map(|index| (position(index), velocity())));
    };
    fresh(Game::new, run, move |game| {
        let all = game.query::<(&Position, &Velocity)>().iter();
        check_memory(
            items,
            all.map(|(&position, &velocity)| (position, velocity)),
        );
    })
}

pub(super) fn memory_sparse(items: usize, order: Order) -> Box<dyn Workload> {
    let picked = one_of(100, items);
    let of = (items, picked.clone());
    let run = move |game: &mut Game| {
        let ids = game.create_many((0..items).map(position));
        for &at in &picked {
            game.entity_mut(ids[at]).add_transform(transform(at).0);
        }
        defragment(game, order);
    };
    fresh(Game::new, run, move |game| {
        let positions = game.query::<&Position>().iter().copied();
        let matrices = game.query::<(&Position, &Transform)>().iter();
        let matrices = matrices.map(|(&position, &matrix)| (position, matrix));
        check_memory_sparse((of.0, &of.1), positions, matrices);
    })
}

pub(super) fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    let ids = game.create_many((0..items).map(|index| (transform(index), position(index))));
    let run = |(game, _): &mut (Game, Vec<Entity>)| {
        on_two_threads(|| {
            game.query_mut::<(&mut Transform, &mut Position)>()
                .par_for_each(|(transform, position)| compute(transform, position));
        });
    };
    steady((game, ids), run, |(game, ids), runs| {
        check_computed(ids, runs, |id| {
            let entity = game.entity(id);
            (*entity.transform(), *entity.position())
        });
    })
}
