//! The floor, its walls, and ways on it.

use ecs::prelude::*;
use ecs_prediction::Interpolate;
use serde::{Deserialize, Serialize};

use crate::{Arena, ArenaEntity, ArenaEntityMut, Position};

/// The length of a side of a tile.
pub const TILE: i32 = 64 * 8;
const COLUMNS: i32 = 40;
const ROWS: i32 = 28;

/// Which tiles are walls: a number per row, a bit per column.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
pub struct Walls {
    /// How many columns there are.
    pub columns: u8,
    /// From the top down; the lowest bit is that of the left column.
    pub rows: Vec<u64>,
}

impl Walls {
    /// Whether a tile is a wall; all outside are.
    pub fn is_wall(&self, column: i32, row: i32) -> bool {
        let columns = 0..i32::from(self.columns);
        let bits = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        bits.is_none_or(|bits| !columns.contains(&column) || bits >> column & 1 == 1)
    }

    /// Whether a point is in a wall.
    pub fn has(&self, at: Position) -> bool {
        self.is_wall(at.x.div_euclid(TILE), at.y.div_euclid(TILE))
    }

    /// Whether something with a radius can be there.
    pub fn is_free(&self, at: Position, radius: i32) -> bool {
        let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        let corner = |(x, y): (i32, i32)| at.plus(x * radius, y * radius);
        !corners.into_iter().any(|it| self.has(corner(it)))
    }

    /// Whether no wall is between two points.
    pub fn is_visible(&self, from: Position, to: Position) -> bool {
        let steps = from.distance(to) / (TILE / 4) + 1;
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        !(0..steps).any(|step| self.has(from.plus(dx * step / steps, dy * step / steps)))
    }
}

impl Position {
    /// Returns the place that is so far from this one.
    #[must_use]
    pub fn plus(self, dx: i32, dy: i32) -> Self {
        Self {
            x: self.x + dx,
            y: self.y + dy,
        }
    }

    /// Returns the distance to another place.
    pub fn distance(self, other: Self) -> i32 {
        length(other.x - self.x, other.y - self.y)
    }

    /// Returns the place for a grid.
    pub fn to_f32(self) -> [f32; 2] {
        [self.x as f32, self.y as f32] // exact: they are less than 2²⁴
    }
}

/// Between two ticks, for the picture.
impl Interpolate for Position {
    fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
        let part = |way: i32| (way as f32 * fraction) as i32;
        self.plus(part(to.x - from.x), part(to.y - from.y))
    }

    fn distance(&self, other: &Self) -> f32 {
        Self::distance(*self, *other) as f32
    }
}

/// The length of a vector.
pub(crate) fn length(x: i32, y: i32) -> i32 {
    (x * x + y * y).isqrt()
}

/// Returns a vector with the same direction and another length.
pub(crate) fn scaled((x, y): (i32, i32), to: i32) -> (i32, i32) {
    let length = length(x, y).max(1);
    (x * to / length, y * to / length)
}

impl Arena {
    /// Builds the walls of a round: the border, and some in mirror images, so that no corner is better than another.
    pub(crate) fn build(&mut self, walls: u8) {
        let mut rows = vec![1 | 1 << (COLUMNS - 1); ROWS as usize];
        (rows[0], rows[ROWS as usize - 1]) = (u64::MAX, u64::MAX);
        for _ in 0..walls {
            let (x, y) = (2 + self.draw(COLUMNS / 2 - 3), 2 + self.draw(ROWS / 2 - 3));
            let size = 1 + self.draw(4);
            let (width, height) = [(size, 1), (1, size), (2, 2)][self.draw(3) as usize];
            for row in y..(y + height).min(ROWS / 2) {
                for column in x..(x + width).min(COLUMNS / 2) {
                    let both = 1 << column | 1 << (COLUMNS - 1 - column);
                    rows[row as usize] |= both;
                    rows[(ROWS - 1 - row) as usize] |= both;
                }
            }
        }
        self.set_walls(COLUMNS as u8, rows);
    }

    /// Returns the center of a tile that is no wall.
    pub(crate) fn draw_place(&mut self) -> Position {
        loop {
            let (column, row) = (self.draw(COLUMNS), self.draw(ROWS));
            if !self.walls().is_wall(column, row) {
                let [x, y] = [column, row].map(|it| it * TILE + TILE / 2);
                return Position { x, y };
            }
        }
    }
}
