//! The board: its cells and what they contain.
//!
//! Columns count from the left, rows from the bottom, both from zero. The primary index of
//! `Position` finds what is in a cell; there is no second grid to keep in sync.

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
    /// Returns the cell `dx` columns and `dy` rows away; `None` left of the board or below it.
    pub(crate) fn offset(self, dx: i16, dy: i16) -> Option<Self> {
        let x = self.x.checked_add_signed(dx)?;
        let y = self.y.checked_add_signed(dy)?;
        Some(Self { x, y })
    }

    /// Returns the cells to the left, right, above and below.
    pub(crate) fn neighbours(self) -> impl Iterator<Item = Self> {
        let offsets = [(-1, 0), (1, 0), (0, 1), (0, -1)].into_iter();
        offsets.filter_map(move |(dx, dy)| self.offset(dx, dy))
    }

    /// Returns the cell and the eight around it.
    pub(crate) fn square(self) -> impl Iterator<Item = Self> {
        let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        offsets.filter_map(move |(dx, dy)| self.offset(dx, dy))
    }
}

impl BoardSize {
    /// Returns the columns, from the left.
    pub(crate) fn columns(self) -> impl Iterator<Item = u16> {
        0..self.width
    }

    /// Returns all cells, row by row from the bottom.
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(move |y| self.columns().map(move |x| Cell { x, y }))
    }

    /// Returns whether a cell is on the board.
    pub(crate) fn contains(self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Returns the cell in the middle.
    pub(crate) fn middle(self) -> Cell {
        Cell {
            x: self.width / 2,
            y: self.height / 2,
        }
    }

    /// Returns the top cell of a column, where new pieces enter.
    pub(crate) fn entrance(self, x: u16) -> Cell {
        let y = self.height - 1;
        Cell { x, y }
    }
}

/// Returns whether a cell is empty.
pub(crate) fn is_free(game: &Game, cell: Cell) -> bool {
    game.entity_with_position(&cell).is_none()
}

/// Returns where something in this cell would land: the lowest cell it can fall to.
pub(crate) fn landing(game: &Game, cell: Cell) -> Cell {
    let below = (0..cell.y).rev().map(|y| Cell { y, ..cell });
    let free = below.take_while(|&below| is_free(game, below));
    free.last().unwrap_or(cell)
}
