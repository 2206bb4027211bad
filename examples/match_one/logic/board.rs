//! The board: its cells, and what is where.
//!
//! Columns count from the left, rows from the bottom, both from zero. Where something
//! is, the primary index of `Position` knows; there is no second grid to keep in step.

use serde::{Deserialize, Serialize};

use super::config::BoardSize;
use super::game::Game;

/// A place on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) x: u16,
    pub(crate) y: u16,
}

impl Cell {
    /// The cell so many columns and rows further; `None` left of the board or below it.
    pub(crate) fn offset(self, dx: i16, dy: i16) -> Option<Self> {
        let x = self.x.checked_add_signed(dx)?;
        let y = self.y.checked_add_signed(dy)?;
        Some(Self { x, y })
    }

    /// The cells left, right, above and below.
    pub(crate) fn neighbours(self) -> impl Iterator<Item = Self> {
        let offsets = [(-1, 0), (1, 0), (0, 1), (0, -1)].into_iter();
        offsets.filter_map(move |(dx, dy)| self.offset(dx, dy))
    }

    /// The cell itself and the eight around it.
    pub(crate) fn square(self) -> impl Iterator<Item = Self> {
        let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        offsets.filter_map(move |(dx, dy)| self.offset(dx, dy))
    }
}

impl BoardSize {
    /// The columns, from the left.
    pub(crate) fn columns(self) -> impl Iterator<Item = u16> {
        0..self.width
    }

    /// All cells, row by row from the bottom.
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(move |y| self.columns().map(move |x| Cell { x, y }))
    }

    /// Whether a cell is on the board.
    pub(crate) fn contains(self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The cell in the middle.
    pub(crate) fn middle(self) -> Cell {
        Cell {
            x: self.width / 2,
            y: self.height / 2,
        }
    }

    /// The uppermost cell of a column, where new pieces come in.
    pub(crate) fn entrance(self, x: u16) -> Cell {
        let y = self.height - 1;
        Cell { x, y }
    }
}

/// Whether nothing is in a cell.
pub(crate) fn is_free(game: &Game, cell: Cell) -> bool {
    game.entity_with_position(&cell).is_none()
}

/// Where something in this cell would come to lie: as deep as it can fall.
pub(crate) fn landing(game: &Game, cell: Cell) -> Cell {
    let below = (0..cell.y).rev().map(|y| Cell { y, ..cell });
    let free = below.take_while(|&below| is_free(game, below));
    free.last().unwrap_or(cell)
}
