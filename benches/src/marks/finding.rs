//! Entities by place and by order, among 100,000, beside structures that a program keeps by itself.

use std::collections::BTreeMap;
use std::hint::black_box;

use ecs::prelude::*;
use ecs::{Grid, IndexHandle, Ordered};

use crate::workload::{Workload, steady};

/// A context only for these marks.
#[ecs::context]
struct Land;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Land)]
struct At([f32; 2]);

#[derive(Component, Clone, Copy, Debug)]
#[component(context = Land)]
struct Score(u32);

/// One in a hundred, or in a thousand, has it.
#[derive(Component)]
#[component(context = Land)]
struct Active;

/// How far is near.
const RADIUS: f32 = 10.0;

/// The number of cells from edge to edge.
const CELLS: usize = 200;

/// The width of the land.
const WIDTH: f32 = CELLS as f32 * RADIUS;

/// A number that looks random.
fn scattered(number: usize) -> u32 {
    (number as u32).wrapping_mul(2_654_435_761) >> 8
}

fn land(count: usize, one_in: usize) -> Land {
    let mut land = Land::new();
    let ids = land.create_many((0..count).map(|number| {
        let along = |number: usize| scattered(number) as f32 / (1 << 24) as f32 * WIDTH;
        (
            At([along(number), along(number * 7 + 3)]),
            Score(scattered(number)),
        )
    }));
    for id in ids.iter().step_by(one_in) {
        land.entity_mut(*id).insert(Active);
    }
    land
}

/// Moves the active entities a little, to and fro.
fn walk(land: &mut Land, passes: &mut u32) {
    *passes += 1;
    let by = if (*passes).is_multiple_of(2) {
        1.5
    } else {
        -1.5
    };
    let moving = land.query_mut::<&mut At>().with::<Active>();
    moving.for_each(|at| at.0[0] = (at.0[0] + by).clamp(0.0, WIDTH - 1.0));
}

type Places = IndexHandle<Land, Grid<Land, 2>>;

fn places(land: &mut Land) -> Places {
    land.index_with(
        Land::all_of::<At>(),
        |entity| entity.at().0,
        Grid::new(RADIUS),
    )
}

/// Cells of entities with their places, which are filled by hand.
type Cells = Vec<Vec<(EntityId<Land>, [f32; 2])>>;

fn cell([x, y]: [f32; 2]) -> (usize, usize) {
    ((x / RADIUS) as usize, (y / RADIUS) as usize)
}

fn fill(land: &Land, cells: &mut Cells) {
    cells.resize(CELLS * CELLS, Vec::new());
    cells.iter_mut().for_each(Vec::clear);
    land.query::<(EntityId<Land>, &At)>().for_each(|(id, at)| {
        let (x, y) = cell(at.0);
        cells[y.min(CELLS - 1) * CELLS + x.min(CELLS - 1)].push((id, at.0));
    });
}

/// One in a hundred moves.
pub(super) fn moved(items: usize) -> Box<dyn Workload> {
    let mut land = land(items, 100);
    let places = places(&mut land);
    let run = |(land, _, passes): &mut (Land, Places, u32)| walk(land, passes);
    steady((land, places, 0), run, |(land, places, _), _| {
        assert_eq!(places.get(land).len(), land.len());
    })
}

/// One in a hundred moves, and all are put in cells again.
pub(super) fn refilled(items: usize) -> Box<dyn Workload> {
    let run = |(land, cells, passes): &mut (Land, Cells, u32)| {
        walk(land, passes);
        fill(land, cells);
    };
    steady((land(items, 100), Vec::new(), 0), run, |_, _| {})
}

/// The places that searches start from, of which there is one for each hundred entities.
fn centers(land: &Land) -> Vec<[f32; 2]> {
    land.query::<&At>()
        .with::<Active>()
        .iter()
        .map(|at| at.0)
        .collect()
}

/// Searches the grid.
pub(super) fn within(items: usize) -> Box<dyn Workload> {
    let mut land = land(items, 100);
    let (places, centers) = (places(&mut land), centers(&land));
    let run = |(land, places, centers, found): &mut (Land, Places, Vec<[f32; 2]>, Found)| {
        let grid = places.get(land);
        found.clear();
        for center in centers.iter() {
            found.extend(grid.within(*center, RADIUS).map(|(id, _)| id));
        }
    };
    steady(
        (land, places, centers, Vec::new()),
        run,
        |(land, _, centers, found), _| {
            assert_eq!(found.len(), near(land, centers));
        },
    )
}

type Found = Vec<EntityId<Land>>;

/// Searches cells that were filled by hand.
pub(super) fn within_cells(items: usize) -> Box<dyn Workload> {
    let (land, mut cells) = (land(items, 100), Cells::new());
    fill(&land, &mut cells);
    let centers = centers(&land);
    let run = |(_, cells, centers, found): &mut (Land, Cells, Vec<[f32; 2]>, Found)| {
        found.clear();
        for center in centers.iter() {
            let (x, y) = cell(*center);
            for y in y.saturating_sub(1)..=(y + 1).min(CELLS - 1) {
                for x in x.saturating_sub(1)..=(x + 1).min(CELLS - 1) {
                    let near = cells[y * CELLS + x]
                        .iter()
                        .filter(|(_, at)| are_near(*center, *at));
                    found.extend(near.map(|(id, _)| *id));
                }
            }
        }
    };
    steady(
        (land, cells, centers, Vec::new()),
        run,
        |(land, _, centers, found), _| {
            assert_eq!(found.len(), near(land, centers));
        },
    )
}

fn are_near([a, b]: [f32; 2], [x, y]: [f32; 2]) -> bool {
    (a - x) * (a - x) + (b - y) * (b - y) <= RADIUS * RADIUS
}

/// The number of entities near all these places.
fn near(land: &Land, centers: &[[f32; 2]]) -> usize {
    let all: Vec<_> = land.query::<&At>().iter().map(|at| at.0).collect();
    let near = |center: &[f32; 2]| all.iter().filter(|at| are_near(*center, **at)).count();
    centers.iter().map(near).sum()
}

type Ranking = IndexHandle<Land, Ordered<Land, u32>>;

fn ranking(land: &mut Land) -> Ranking {
    land.index_with(
        Land::all_of::<Score>(),
        |entity| entity.score().0,
        Ordered::new(),
    )
}

/// The entities of each score, kept by hand.
type Tree = BTreeMap<(u32, EntityId<Land>), ()>;

fn tree(land: &Land) -> Tree {
    let scores = land.query::<(EntityId<Land>, &Score)>();
    scores
        .iter()
        .map(|(id, score)| ((score.0, id), ()))
        .collect()
}

/// The next random number.
fn next(seed: &mut u32) -> u32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *seed >> 8
}

/// One in a hundred gets another score.
pub(super) fn scored(items: usize) -> Box<dyn Workload> {
    let mut land = land(items, 100);
    let ranking = ranking(&mut land);
    let run = |(land, _, seed): &mut (Land, Ranking, u32)| {
        let scores = land.query_mut::<&mut Score>().with::<Active>();
        scores.for_each(|score| score.0 = next(seed));
    };
    steady((land, ranking, 1), run, |(land, ranking, _), _| {
        let scores = ranking.get(land).iter().map(|(score, id)| (*score, id));
        assert!(scores.eq(tree(land).into_keys()));
    })
}

/// One in a hundred gets another score, also in the tree.
pub(super) fn scored_by_hand(items: usize) -> Box<dyn Workload> {
    let land = land(items, 100);
    let tree = tree(&land);
    let run = |(land, tree, seed): &mut (Land, Tree, u32)| {
        let scores = land
            .query_mut::<(EntityId<Land>, &mut Score)>()
            .with::<Active>();
        scores.for_each(|(id, score)| {
            tree.remove(&(score.0, id));
            score.0 = next(seed);
            tree.insert((score.0, id), ());
        });
    };
    steady((land, tree, 1), run, |(land, tree, _), _| {
        assert_eq!(*tree, self::tree(land))
    })
}

/// Looks for the next score after random ones.
pub(super) fn looked_up(items: usize) -> Box<dyn Workload> {
    let mut land = land(items, 100);
    let ranking = ranking(&mut land);
    let run = move |(land, ranking, seed): &mut (Land, Ranking, u32)| {
        let ordered = ranking.get(land);
        for _ in 0..items {
            black_box(ordered.range(next(seed)..).next());
        }
    };
    steady((land, ranking, 1), run, |_, _| {})
}

/// Looks for the next score after random ones in the tree.
pub(super) fn looked_up_by_hand(items: usize) -> Box<dyn Workload> {
    let land = land(items, 100);
    let (tree, first) = (tree(&land), land.query::<EntityId<Land>>().iter().min());
    let first = first.expect("there are entities");
    let run = move |(tree, seed): &mut (Tree, u32)| {
        for _ in 0..items {
            black_box(tree.range((next(seed), first)..).next());
        }
    };
    steady((tree, 1), run, |_, _| {})
}

/// One in a thousand gets another score, and the ten highest ones are read.
pub(super) fn top_ten(items: usize) -> Box<dyn Workload> {
    let mut land = land(items, 1000);
    let ranking = ranking(&mut land);
    let run = |(land, ranking, seed): &mut (Land, Ranking, u32)| {
        let scores = land.query_mut::<&mut Score>().with::<Active>();
        scores.for_each(|score| score.0 = next(seed));
        black_box(
            ranking
                .get(land)
                .iter()
                .rev()
                .take(10)
                .map(|(_, id)| id)
                .collect::<Vec<_>>(),
        );
    };
    steady((land, ranking, 1), run, |_, _| {})
}

/// One in a thousand gets another score, and all are sorted.
pub(super) fn sorted(items: usize) -> Box<dyn Workload> {
    let run = |(land, list, seed): &mut (Land, Vec<(u32, EntityId<Land>)>, u32)| {
        let scores = land.query_mut::<&mut Score>().with::<Active>();
        scores.for_each(|score| score.0 = next(seed));
        list.clear();
        list.extend(
            land.query::<(EntityId<Land>, &Score)>()
                .iter()
                .map(|(id, score)| (score.0, id)),
        );
        list.sort_unstable();
        black_box(
            list.iter()
                .rev()
                .take(10)
                .map(|(_, id)| *id)
                .collect::<Vec<_>>(),
        );
    };
    steady((land(items, 1000), Vec::new(), 1), run, |_, _| {})
}
