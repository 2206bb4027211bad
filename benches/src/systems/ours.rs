//! `ecs`: accessors for single entities, a query for iteration, a view for reading many entities by id,
//! groups and collectors for the reactive rows; in bulk, calls that change many entities and queries
//! that return slices.

mod around;
mod beside;
pub mod frames;
mod large;
mod reactive;

use ecs::{Context as _, EntityId};

use crate::checks::{Mover, check_movers, check_pairs};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload, fresh, in_shuffled_order, pairs, shuffled, steady};

pub use self::beside::beside;

type Entity = EntityId<Game>;

/// Whether calls concern single entities or many.
#[derive(Clone, Copy)]
enum Calls {
    OneByOne,
    Bulk,
}

/// The order of the entities in memory.
#[derive(Clone, Copy)]
enum Order {
    AsItCame,
    /// After a hundred cleanups of a list of systems.
    Tidied,
    Defragmented,
}

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    use Calls::OneByOne;
    Some(match row {
        Id::W1 => bulk_create(items, OneByOne),
        Id::W1s => single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(Game::new(), items, OneByOne),
        Id::W2m | Id::W2x => large::iter(items, OneByOne),
        Id::W2p => large::iter_in_parallel(items, OneByOne),
        Id::W3 => fragmented(items, OneByOne),
        Id::W4 => add_remove(Game::new(), items, OneByOne),
        Id::W4w => add_remove_wide(items, OneByOne),
        Id::W5 => get_random(items),
        Id::W5s => get_one_by_one(items),
        Id::W6 => churn(Game::new(), items, OneByOne),
        Id::W6d => large::destroy(items, OneByOne),
        Id::W7 => large::sparse_join(items, OneByOne, Order::AsItCame),
        Id::W7d => large::sparse_join(items, OneByOne, Order::Tidied),
        Id::W7c => large::churned_join(items, OneByOne, Order::AsItCame),
        Id::W7cd => large::churned_join(items, OneByOne, Order::Tidied),
        Id::W8 => reactive::reactive_replace(Game::new(), items, OneByOne),
        Id::W8e => reactive::event_callback(items, OneByOne),
        Id::W9 => reactive::group_events(Game::new(), items, OneByOne),
        Id::W10 => reactive::many_groups(Game::new(), items, OneByOne),
        Id::W10d => reactive::many_groups(reactive::separated(), items, OneByOne),
        Id::W11 => large::memory(items),
        Id::W11s => large::memory_sparse(items, Order::AsItCame),
        Id::W11sd => large::memory_sparse(items, Order::Defragmented),
        Id::W12 => large::heavy_compute(items),
        Id::W13 => reactive::move_system(items, OneByOne),
        Id::W13a => reactive::move_by_accessors(items),
        Id::W14 => around::reparent(items, OneByOne),
        Id::W15 => around::look_up(items),
        Id::W16 => around::make_queries(items),
        Id::W17 => around::start_up(),
        Id::W18 => around::messages(items),
        Id::W19 => around::copy_world(items),
        Id::W20 | Id::W20l => around::save(row, items),
    })
}

/// Returns the workload of a row with calls that concern many entities at once, where that makes a
/// difference.
pub fn bulk(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    use Calls::Bulk;
    Some(match row {
        Id::W1 => bulk_create(items, Bulk),
        Id::W2 => iter(Game::new(), items, Bulk),
        Id::W2m | Id::W2x => large::iter(items, Bulk),
        Id::W2p => large::iter_in_parallel(items, Bulk),
        Id::W3 => fragmented(items, Bulk),
        Id::W4 => add_remove(Game::new(), items, Bulk),
        Id::W4w => add_remove_wide(items, Bulk),
        Id::W6 => churn(Game::new(), items, Bulk),
        Id::W6d => large::destroy(items, Bulk),
        Id::W7 => large::sparse_join(items, Bulk, Order::AsItCame),
        Id::W7d => large::sparse_join(items, Bulk, Order::Tidied),
        Id::W7c => large::churned_join(items, Bulk, Order::AsItCame),
        Id::W7cd => large::churned_join(items, Bulk, Order::Tidied),
        Id::W8 => reactive::reactive_replace(Game::new(), items, Bulk),
        Id::W8e => reactive::event_callback(items, Bulk),
        Id::W9 => reactive::group_events(Game::new(), items, Bulk),
        Id::W10 => reactive::many_groups(Game::new(), items, Bulk),
        Id::W10d => reactive::many_groups(reactive::separated(), items, Bulk),
        Id::W5s => get_by_view_mut(items),
        Id::W13 => reactive::move_system(items, Bulk),
        Id::W13a => reactive::move_by_id(items),
        Id::W14 => around::reparent(items, Bulk),
        _ => return None,
    })
}

/// In bulk, the columns are passed as slices to copy; otherwise row by row, as one iterator.
fn bulk_create(items: usize, calls: Calls) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |game: &mut Game| match calls {
        Calls::OneByOne => _ = std::hint::black_box(game.create_many(columns.rows())),
        Calls::Bulk => {
            let velocities = &columns.velocities[..];
            let columns = (
                &columns.transforms[..],
                &columns.positions[..],
                &columns.rotations[..],
                velocities,
            );
            std::hint::black_box(game.create_columns(columns));
        }
    };
    fresh(Game::new, run, move |game| check_wide(game, items))
}

fn single_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |game: &mut Game| {
        columns.rows().for_each(|row| _ = game.create_with(row));
    };
    fresh(Game::new, run, move |game| check_wide(game, items))
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |game: &mut Game| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            game.create_entity()
                .add_transform(transform.0)
                .add_position(position.0)
                .add_rotation(rotation.0)
                .add_velocity(velocity.0);
        }
    };
    fresh(Game::new, run, move |game| check_wide(game, items))
}

/// Panics unless the entities of W1 exist.
fn check_wide(game: &mut Game, entities: usize) {
    let all = Game::all_of::<(Transform, Position, Rotation, Velocity)>();
    let mut tally = Tally::default();
    let members = game.group(all).iter(game);
    members.for_each(|it| {
        tally.add_wide((it.transform(), it.position(), it.rotation(), it.velocity()));
    });
    assert_eq!(tally, Tally::of_wide(entities));
}

/// Creates the context with the entities of W1i.
fn wide_game(mut game: Game, entities: usize) -> (Game, Vec<Entity>) {
    let ids = game.create_many((0..entities).map(wide));
    (game, ids)
}

/// Adds velocity to position for all that have both.
#[inline]
fn step(game: &mut Game, calls: Calls) {
    let query = game.query_mut::<(&mut Position, &Velocity)>();
    match calls {
        Calls::OneByOne => query.for_each(|(position, velocity)| advance(position, velocity)),
        Calls::Bulk => query.for_each_slice(|(positions, velocities)| {
            advance_all(positions, velocities);
        }),
    }
}

fn iter(game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = move |(game, _): &mut (Game, Vec<Entity>)| step(game, calls);
    steady(wide_game(game, items), run, check_advanced)
}

/// Returns the position and velocity of an entity.
fn mover(game: &Game, id: Entity) -> Mover {
    let entity = game.entity(id);
    let position = entity.get_position().copied();
    (position, entity.get_velocity().copied())
}

/// Panics unless every entity is where `steps` steps take it.
fn check_advanced((game, ids): &mut (Game, Vec<Entity>), steps: u64) {
    check_movers(ids, steps, |id| mover(game, id));
}

fn fragmented(items: usize, calls: Calls) -> Box<dyn Workload> {
    let mut game = Game::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            game.create_many((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let run = move |game: &mut Game| {
        let query = game.query_mut::<&mut Data>();
        match calls {
            Calls::OneByOne => query.for_each(|data| data.0 *= 2.0),
            Calls::Bulk => query.for_each_slice(|slice| {
                slice.iter_mut().for_each(|data| data.0 *= 2.0);
            }),
        }
    };
    steady(game, run, move |game, times| {
        let values = game.entities().map(|entity| entity.data().0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

fn add_remove(mut game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    type State = (Game, Vec<Entity>);
    let ids = game.create_many((0..items).map(|index| A(index as f32)));
    let check = |(game, ids): &mut State, added: bool| {
        check_pairs(ids, added, |id| {
            let entity = game.entity(id);
            (entity.get_a().copied(), entity.get_b().copied())
        });
    };
    match calls {
        Calls::OneByOne => {
            let add = |(game, ids): &mut State| {
                ids.iter()
                    .for_each(|&id| _ = game.entity_mut(id).add_b(1.0));
            };
            let remove = |(game, ids): &mut State| {
                ids.iter()
                    .for_each(|&id| _ = game.entity_mut(id).remove_b());
            };
            pairs((game, ids), add, remove, check)
        }
        Calls::Bulk => {
            let add = |(game, ids): &mut State| game.many(ids).add_with(|_| B(1.0));
            let remove = |(game, ids): &mut State| game.many(ids).remove::<B>();
            pairs((game, ids), add, remove, check)
        }
    }
}

fn add_remove_wide(items: usize, calls: Calls) -> Box<dyn Workload> {
    type State = (Game, Vec<Entity>);
    let state = wide_game(Game::new(), items);
    let check = |(game, ids): &mut State, added: bool| {
        assert!(ids.iter().all(|&id| game.entity(id).is_flag() == added));
        check_wide(game, ids.len());
    };
    match calls {
        Calls::OneByOne => {
            let add = |(game, ids): &mut State| {
                ids.iter()
                    .for_each(|&id| _ = game.entity_mut(id).add_flag());
            };
            let remove = |(game, ids): &mut State| {
                ids.iter()
                    .for_each(|&id| _ = game.entity_mut(id).remove_flag());
            };
            pairs(state, add, remove, check)
        }
        Calls::Bulk => {
            let add = |(game, ids): &mut State| game.many(ids).add_with(|_| Flag);
            let remove = |(game, ids): &mut State| game.many(ids).remove::<Flag>();
            pairs(state, add, remove, check)
        }
    }
}

/// Creates the context with moving entities.
fn movers(mut game: Game, entities: usize) -> (Game, Vec<Entity>) {
    let ids = game.create_many((0..entities).map(|index| (position(index), velocity())));
    (game, ids)
}

/// A context, the ids of its entities in random order, and a tally of what was read.
type Reading = (Game, Vec<Entity>, Tally);

fn get_random(items: usize) -> Box<dyn Workload> {
    reading(items, |(game, ids, tally)| {
        let positions = game.view::<Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    })
}

fn get_one_by_one(items: usize) -> Box<dyn Workload> {
    reading(items, |(game, ids, tally)| {
        tally.add_all(ids.iter().map(|&id| game.entity(id).position()));
    })
}

fn get_by_view_mut(items: usize) -> Box<dyn Workload> {
    reading(items, |(game, ids, tally)| {
        game.view_mut::<Position>(|positions| {
            tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
        });
    })
}

fn reading(items: usize, run: fn(&mut Reading)) -> Box<dyn Workload> {
    let (game, ids) = movers(Game::new(), items);
    let state = (game, in_shuffled_order(&ids), Tally::default());
    steady(state, run, move |(game, _, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_movers(&ids, 0, |id| mover(game, id));
    })
}

fn churn(game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    let order = shuffled(items);
    let mut doomed = Vec::new();
    let bundle = |index| (position(index), velocity());
    let run = move |(game, ids): &mut (Game, Vec<Entity>)| match calls {
        Calls::OneByOne => {
            order.iter().for_each(|&at| game.destroy(ids[at]));
            ids.clear();
            ids.extend((0..items).map(|index| game.create_with(bundle(index)).id()));
        }
        Calls::Bulk => {
            doomed.clear();
            doomed.extend(order.iter().map(|&at| ids[at]));
            game.many(&doomed).destroy();
            *ids = game.create_many((0..items).map(bundle));
        }
    };
    steady(movers(game, items), run, move |state, _| {
        check_advanced(state, 0);
        assert_eq!((state.0.len(), state.1.len()), (items, items));
    })
}
