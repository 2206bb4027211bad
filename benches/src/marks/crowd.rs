//! A crowd on a plane: each walker is pushed away by all that are near.
//!
//! All move in each pass, and some five in a hundred enter another cell.

mod peers;

pub(super) use peers::{by_bevy, by_hecs, by_tree};

use ecs::{Component, Context as _, Grid, IndexHandle};

use crate::workload::{Workload, steady};

/// The context of the walkers.
#[ecs::context]
pub(super) struct Field;

/// The position.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Field)]
pub(super) struct At {
    x: f32,
    y: f32,
}

/// The distance walked in a pass.
#[derive(Clone, Copy, Debug, Component)]
#[component(context = Field)]
pub(super) struct Walk {
    dx: f32,
    dy: f32,
}

/// How far walkers push.
const RADIUS: f32 = 20.0;

/// The number of cells from edge to edge of the field.
const CELLS: usize = 50;

/// The width of the field, which wraps around.
const WIDTH: f32 = CELLS as f32 * RADIUS;

impl At {
    fn step(&mut self, walk: &Walk, push: [f32; 2]) {
        self.x = (self.x + walk.dx + push[0])
            .rem_euclid(WIDTH)
            .min(WIDTH - 1.0);
        self.y = (self.y + walk.dy + push[1])
            .rem_euclid(WIDTH)
            .min(WIDTH - 1.0);
    }

    fn cell(&self) -> (usize, usize) {
        ((self.x / RADIUS) as usize, (self.y / RADIUS) as usize)
    }
}

/// The push on a walker by another one at this distance.
fn push([dx, dy]: [f32; 2]) -> [f32; 2] {
    let squared = dx * dx + dy * dy;
    let strength = 0.1 / (1.0 + squared);
    [dx * strength, dy * strength]
}

/// Where walkers are at first.
fn places(count: usize) -> impl Iterator<Item = (At, Walk)> {
    (0..count).map(|number| {
        let spread = |factor: usize| (number * factor % 9973) as f32 / 9973.0;
        let (x, y) = (spread(7919) * (WIDTH - 1.0), spread(4201) * (WIDTH - 1.0));
        let (dx, dy) = (spread(3001) - 0.5, spread(5003) - 0.5);
        (At { x, y }, Walk { dx, dy })
    })
}

fn walkers(count: usize) -> Field {
    let mut field = Field::new();
    field.create_many(places(count).collect::<Vec<_>>());
    field
}

type Kept = (Field, IndexHandle<Field, Grid<Field, 2>>, Vec<[f32; 2]>);

/// Uses a [`Grid`]: the pushes are computed first, because the grid is part of the context.
pub(super) fn by_grid(items: usize) -> Box<dyn Workload> {
    let mut field = walkers(items);
    let place = |walker: FieldEntity<'_>| [walker.at().x, walker.at().y];
    let grid = field.index_with(Field::all_of::<At>(), place, Grid::new(RADIUS));
    let run = |(field, grid, pushes): &mut Kept| {
        pushes.clear();
        let near = grid.get(field);
        pushes.extend(field.query::<&At>().iter().map(|at| {
            let mut sum = [0.0; 2];
            near.within([at.x, at.y], RADIUS).for_each(|(_, other)| {
                let push = push([at.x - other[0], at.y - other[1]]);
                sum = [sum[0] + push[0], sum[1] + push[1]];
            });
            sum
        }));
        let mut pushes = pushes.iter();
        let query = field.query_mut::<(&mut At, &Walk)>();
        query.for_each(|(at, walk)| at.step(walk, *pushes.next().unwrap_or(&[0.0; 2])));
    };
    steady((field, grid, Vec::new()), run, |(field, grid, _), _| {
        let found = field.entities().map(|walker| {
            let at = walker.at();
            grid.get(field).within([at.x, at.y], RADIUS).count()
        });
        let all: Vec<_> = field.query::<&At>().iter().copied().collect();
        assert_eq!(found.sum::<usize>(), neighbors(&all));
    })
}

/// Cells of the places of walkers, which are filled in each pass.
struct Cells(Vec<Vec<[f32; 2]>>);

impl Cells {
    fn new() -> Self {
        Self(vec![Vec::new(); CELLS * CELLS])
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }

    fn insert(&mut self, at: &At) {
        let (x, y) = at.cell();
        self.0[y * CELLS + x].push([at.x, at.y]);
    }

    /// The sum of the pushes of all that are near.
    fn pushes(&self, at: &At) -> [f32; 2] {
        let (x, y) = at.cell();
        let mut sum = [0.0; 2];
        for y in y.saturating_sub(1)..=(y + 1).min(CELLS - 1) {
            for x in x.saturating_sub(1)..=(x + 1).min(CELLS - 1) {
                for other in &self.0[y * CELLS + x] {
                    let (dx, dy) = (at.x - other[0], at.y - other[1]);
                    if dx * dx + dy * dy <= RADIUS * RADIUS {
                        let push = push([dx, dy]);
                        sum = [sum[0] + push[0], sum[1] + push[1]];
                    }
                }
            }
        }
        sum
    }
}

/// Fills a grid of its own in each pass.
pub(super) fn by_hand(items: usize) -> Box<dyn Workload> {
    let run = |(field, cells): &mut (Field, Cells)| {
        cells.clear();
        field.query::<&At>().for_each(|at| cells.insert(at));
        let query = field.query_mut::<(&mut At, &Walk)>();
        query.for_each(|(at, walk)| at.step(walk, cells.pushes(at)));
    };
    steady((walkers(items), Cells::new()), run, |(field, _), _| {
        let all: Vec<_> = field.query::<&At>().iter().copied().collect();
        assert!(neighbors(&all) > 0);
    })
}

/// The number of pairs of walkers that are near each other, in both directions.
fn neighbors(all: &[At]) -> usize {
    let near =
        |a: &At, b: &At| (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) <= RADIUS * RADIUS;
    all.iter()
        .map(|a| all.iter().filter(|b| near(a, b)).count())
        .sum()
}
