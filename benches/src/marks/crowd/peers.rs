//! The crowd in other systems, which have no structure by place: with the same cells by hand, or with a tree.

use bevy_ecs::component::Component;
use bevy_ecs::query::QueryState;
use bevy_ecs::world::World;
use ecs::Context as _;
use kiddo::{KdTree, SquaredEuclidean};

use super::{At, Cells, Field, RADIUS, Walk, neighbors, places, push, walkers};
use crate::workload::{Workload, steady};

#[derive(Component)]
struct Place(At);

#[derive(Component)]
struct Pace(Walk);

/// Cells by hand in `bevy_ecs`.
pub(in crate::marks) fn by_bevy(items: usize) -> Box<dyn Workload> {
    type Queries = (
        QueryState<&'static Place>,
        QueryState<(&'static mut Place, &'static Pace)>,
    );
    let mut world = World::new();
    world.spawn_batch(
        places(items)
            .map(|(at, walk)| (Place(at), Pace(walk)))
            .collect::<Vec<_>>(),
    );
    let queries: Queries = (world.query(), world.query());
    let run = |(world, queries, cells): &mut (World, Queries, Cells)| {
        cells.clear();
        queries
            .0
            .iter(world)
            .for_each(|place| cells.insert(&place.0));
        let walkers = queries.1.iter_mut(world);
        walkers.for_each(|(mut place, pace)| {
            let pushes = cells.pushes(&place.0);
            place.0.step(&pace.0, pushes);
        });
    };
    steady(
        (world, queries, Cells::new()),
        run,
        |(world, queries, _), _| {
            let all: Vec<_> = queries.0.iter(world).map(|place| place.0).collect();
            assert!(neighbors(&all) > 0);
        },
    )
}

/// Cells by hand in `hecs`.
pub(in crate::marks) fn by_hecs(items: usize) -> Box<dyn Workload> {
    let mut world = hecs::World::new();
    world.spawn_batch(places(items)).for_each(drop);
    let run = |(world, cells): &mut (hecs::World, Cells)| {
        cells.clear();
        world
            .query_mut::<&At>()
            .into_iter()
            .for_each(|at| cells.insert(at));
        let walkers = world.query_mut::<(&mut At, &Walk)>().into_iter();
        walkers.for_each(|(at, walk)| at.step(walk, cells.pushes(at)));
    };
    steady((world, Cells::new()), run, |(world, _), _| {
        let all: Vec<_> = world.query_mut::<&At>().into_iter().copied().collect();
        assert!(neighbors(&all) > 0);
    })
}

/// A k-d tree of `kiddo`, which is built in each pass; `bevy_spatial` does the same.
pub(in crate::marks) fn by_tree(items: usize) -> Box<dyn Workload> {
    let run = |field: &mut Field| {
        let mut tree = KdTree::<f32, 2>::with_capacity(field.len());
        let all = field.query::<&At>();
        all.iter()
            .enumerate()
            .for_each(|(number, at)| tree.add(&[at.x, at.y], number as u64));
        let places: Vec<_> = all.iter().map(|at| [at.x, at.y]).collect();
        let query = field.query_mut::<(&mut At, &Walk)>();
        query.for_each(|(at, walk)| {
            let near = tree.within_unsorted::<SquaredEuclidean>(&[at.x, at.y], RADIUS * RADIUS);
            let sum = near.iter().fold([0.0; 2], |sum, other| {
                let other = places[other.item as usize];
                let push = push([at.x - other[0], at.y - other[1]]);
                [sum[0] + push[0], sum[1] + push[1]]
            });
            at.step(walk, sum);
        });
    };
    steady(walkers(items), run, |field, _| {
        let all: Vec<_> = field.query::<&At>().iter().copied().collect();
        assert!(neighbors(&all) > 0);
    })
}
