//! Where things are on the screen.
//!
//! ```text
//! ╭ Match One ───╮
//! │ 4 × 2 a cell │  score, burst mode, keys
//! │              │
//! ╰──────────────╯
//! ```

use std::ops::Range;

use super::super::logic::{BoardSize, Cell};

/// How many columns and rows of characters something takes.
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

/// A part of the screen, from its upper left corner on.
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

    /// What is left without so many of the upper rows.
    pub(super) fn below(self, rows: u16) -> Self {
        Self::new(self.x, self.y + rows, self.width, self.height - rows)
    }

    /// The column behind the last one.
    pub(super) fn right(self) -> u16 {
        self.x + self.width
    }

    /// The row below the last one.
    pub(super) fn bottom(self) -> u16 {
        self.y + self.height
    }

    pub(super) fn rows(self) -> Range<u16> {
        self.y..self.bottom()
    }
}

/// How large a cell is: about square, as characters are twice as high as wide.
pub(super) const CELL: Size = Size::new(4, 2);
/// The room for what is written beside the board, a gap of two columns included.
const SIDE: Size = Size::new(24, 16);
const GAP: u16 = 2;
/// The frame of the board, on both sides together.
const FRAME: u16 = 2;

/// A screen that has room for the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The board with its frame.
    pub(super) board: Rect,
    /// What is written beside it.
    pub(super) side: Rect,
    size: BoardSize,
}

impl Layout {
    /// The layout in the middle of a screen; or how large a screen would have to be.
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

    /// The board without its frame.
    pub(super) fn inside(self) -> Rect {
        let board = self.board;
        Rect::new(
            board.x + 1,
            board.y + 1,
            board.width - FRAME,
            board.height - FRAME,
        )
    }

    /// The place of something in column `x`, so many rows of the board above the lowest;
    /// `None` while it is not all on the board.
    pub(super) fn place(self, x: u16, height: f32) -> Option<Rect> {
        let inside = self.inside();
        let lift = (height * f32::from(CELL.height)).round() as u16;
        let top = inside.bottom().checked_sub(CELL.height + lift)?;
        let left = inside.x + x * CELL.width;
        (top >= inside.y).then_some(Rect::new(left, top, CELL.width, CELL.height))
    }

    /// The cell that a point of the screen is in.
    pub(super) fn cell_at(self, column: u16, row: u16) -> Option<Cell> {
        let inside = self.inside();
        let x = column.checked_sub(inside.x)? / CELL.width;
        let y = inside.bottom().checked_sub(row + 1)? / CELL.height;
        let cell = Cell { x, y };
        self.size.contains(cell).then_some(cell)
    }
}
