//! Movers on a plane that is divided into cells; the movers in a cell are looked up by its place.
//!
//! In each pass all movers move, and one in a hundred crosses into the next cell.

use ecs::{Component, Context as _, EntityIndex, Group, Mut};

use crate::workload::{Workload, steady};

/// The context of the movers.
#[ecs::context]
pub(super) struct Plane;

/// The position.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Plane)]
pub(super) struct Place {
    x: f32,
    y: f32,
}

/// The distance moved in a pass.
#[derive(Clone, Copy, Debug, Component)]
#[component(context = Plane)]
pub(super) struct Speed {
    dx: f32,
}

/// The cell of a mover, maintained by hand.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Plane)]
pub(super) struct Cell {
    #[component(index)]
    at: (i32, i32),
}

/// The number of cells from edge to edge of the plane.
const CELLS: usize = 32;

/// The width of a cell.
const WIDTH: f32 = 100.0;

/// The width of the plane, which wraps around.
const PLANE: f32 = CELLS as f32 * WIDTH;

impl Place {
    fn step(&mut self, speed: &Speed) {
        self.x += speed.dx;
        if self.x >= PLANE {
            self.x -= PLANE;
        }
    }

    fn cell(&self) -> (i32, i32) {
        ((self.x / WIDTH) as i32, (self.y / WIDTH) as i32)
    }
}

/// Returns the initial state of a mover. Each row of cells has a line of movers, spaced by the distance
/// that each moves in a few passes.
fn mover(number: usize, movers: usize) -> (Place, Speed) {
    let (line, at) = (number % CELLS, number / CELLS);
    let apart = PLANE / movers.div_ceil(CELLS) as f32;
    let (x, y) = (at as f32 * apart, line as f32 * WIDTH);
    (Place { x, y }, Speed { dx: WIDTH / 100.0 })
}

fn movers(movers: usize) -> Plane {
    let mut plane = Plane::new();
    plane.create_many((0..movers).map(|number| mover(number, movers)));
    plane
}

fn movers_in_cells(movers: usize) -> Plane {
    let mut plane = Plane::new();
    plane.create_many((0..movers).map(|number| {
        let (place, speed) = mover(number, movers);
        (place, speed, Cell { at: place.cell() })
    }));
    plane
}

/// Uses an index with a key function that computes the cell of a mover.
pub(super) fn by_function(items: usize) -> Box<dyn Workload> {
    let mut plane = movers(items);
    let cells = plane.entity_index(Plane::all_of::<Place>(), |mover| mover.place().cell());
    let run = |(plane, _): &mut (Plane, EntityIndex<Plane, (i32, i32)>)| {
        let query = plane.query_mut::<(&mut Place, &Speed)>();
        query.for_each(|(place, speed)| place.step(speed));
    };
    steady((plane, cells), run, move |(plane, cells), _| {
        check(plane, |plane, cell| cells.get(plane, &cell).count());
    })
}

/// Uses accessors on the movers of a group, one after the other.
pub(super) fn kept_by_accessors(items: usize) -> Box<dyn Workload> {
    let mut plane = movers_in_cells(items);
    let movers = plane.group(Plane::all_of::<(Place, Cell)>());
    let run = |(plane, movers): &mut (Plane, Group<Plane>)| {
        let query = plane.query_mut::<(&mut Place, &Speed)>();
        query.for_each(|(place, speed)| place.step(speed));
        movers.for_each(plane, |mut mover| {
            let at = mover.place().cell();
            if mover.cell().at != at {
                mover.replace_cell(at);
            }
        });
    };
    steady((plane, movers), run, |(plane, _), _| check_kept(plane))
}

/// Uses the query that moves them.
pub(super) fn kept_by_query(items: usize) -> Box<dyn Workload> {
    let run = |plane: &mut Plane| {
        let query = plane.query_mut::<(&mut Place, &Speed, Mut<'_, Cell>)>();
        query.for_each(|(place, speed, mut cell)| {
            place.step(speed);
            cell.set_if_changed(Cell { at: place.cell() });
        });
    };
    steady(movers_in_cells(items), run, |plane, _| check_kept(plane))
}

fn check_kept(plane: &Plane) {
    check(plane, |plane, at| plane.entities_with_cell(&at).count());
}

/// Panics unless the number of movers found in each cell is right.
fn check(plane: &Plane, found: impl Fn(&Plane, (i32, i32)) -> usize) {
    let mut standing = [[0; CELLS]; CELLS];
    for mover in plane.entities() {
        let (x, y) = mover.place().cell();
        standing[x as usize][y as usize] += 1;
    }
    for (x, column) in (0..).zip(standing) {
        for (y, standing) in (0..).zip(column) {
            assert_eq!(found(plane, (x, y)), standing, "in cell {x}, {y}");
        }
    }
}
