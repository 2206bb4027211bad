//! The layout of the screen.
//!
//! ```text
//! ╭ Match One ───╮
//! │ 4 × 2 a cell │  score, burst mode, keys
//! │              │
//! ╰──────────────╯
//! ```

use std::ops::Range;

use super::super::logic::{BoardSize, Cell};

/// A size in columns and rows of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Size {
    pub(crate) const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }
}

/// A part of the screen, with its upper left corner at `x` and `y`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rect {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Rect {
    pub(super) fn new(x: u16, y: u16, width: u16, height: u16) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// Returns the rest without the upper `rows` rows.
    pub(super) fn below(self, rows: u16) -> Self {
        Self::new(self.x, self.y + rows, self.width, self.height - rows)
    }

    /// Returns the column after the last one.
    pub(super) fn right(self) -> u16 {
        self.x + self.width
    }

    /// Returns the row below the last one.
    pub(super) fn bottom(self) -> u16 {
        self.y + self.height
    }

    pub(super) fn rows(self) -> Range<u16> {
        self.y..self.bottom()
    }
}

/// The size of a cell: about square, since characters are twice as high as wide.
pub(super) const CELL: Size = Size::new(4, 2);
/// The space for the text next to the board, including a gap of two columns.
const SIDE: Size = Size::new(24, 16);
const GAP: u16 = 2;
/// The width of the frame of the board, both sides together.
const FRAME: u16 = 2;

/// The layout of a screen that has room for the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The board with its frame.
    pub(super) board: Rect,
    /// The text next to it.
    pub(super) side: Rect,
    size: BoardSize,
}

impl Layout {
    /// Returns the layout, centered on the screen; or the required size if the screen is too small.
    pub(super) fn of(screen: Size, size: BoardSize) -> Result<Self, Size> {
        let board = Size::new(
            size.width * CELL.width + FRAME,
            size.height * CELL.height + FRAME,
        );
        let whole = Size::new(board.width + SIDE.width, board.height.max(SIDE.height));
        if screen.width < whole.width || screen.height < whole.height {
            return Err(whole);
        }
        let x = (screen.width - whole.width) / 2;
        let y = (screen.height - whole.height) / 2;
        let side = x + board.width + GAP;
        Ok(Self {
            board: Rect::new(x, y, board.width, board.height),
            side: Rect::new(side, y, SIDE.width - GAP, whole.height),
            size,
        })
    }

    /// Returns the board without its frame.
    pub(super) fn inside(self) -> Rect {
        let board = self.board;
        Rect::new(
            board.x + 1,
            board.y + 1,
            board.width - FRAME,
            board.height - FRAME,
        )
    }

    /// Returns where to draw something in column `x`, `height` rows of the board above the lowest;
    /// `None` if it is not entirely on the board.
    pub(super) fn place(self, x: u16, height: f32) -> Option<Rect> {
        let inside = self.inside();
        let lift = (height * f32::from(CELL.height)).round() as u16;
        let top = inside.bottom().checked_sub(CELL.height + lift)?;
        let left = inside.x + x * CELL.width;
        (top >= inside.y).then_some(Rect::new(left, top, CELL.width, CELL.height))
    }

    /// Returns the cell at a point of the screen.
    pub(super) fn cell_at(self, column: u16, row: u16) -> Option<Cell> {
        let inside = self.inside();
        let x = column.checked_sub(inside.x)? / CELL.width;
        let y = inside.bottom().checked_sub(row + 1)? / CELL.height;
        let cell = Cell { x, y };
        self.size.contains(cell).then_some(cell)
    }
}
