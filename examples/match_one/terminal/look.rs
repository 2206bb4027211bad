//! The appearance of pieces and blockers.

use crossterm::style::Color;

use super::super::logic::{Face, MOST_KINDS};

/// A tile: its colors, and a shape in two rows for players who cannot distinguish the colors.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) ground: Color,
    pub(super) ink: Color,
    pub(super) shape: [&'static str; 2],
}

/// A color, a brighter one for pieces that the selection would take, and the shape.
const PIECES: [(Color, Color, [&str; 2]); MOST_KINDS] = [
    (Color::DarkRed, Color::Red, ["/\\", "\\/"]),
    (Color::DarkGreen, Color::Green, ["oo", "oo"]),
    (Color::DarkYellow, Color::Yellow, ["()", "()"]),
    (Color::DarkBlue, Color::Blue, ["\\/", "/\\"]),
    (Color::DarkMagenta, Color::Magenta, ["==", "=="]),
    (Color::DarkCyan, Color::Cyan, ["++", "++"]),
];

impl Look {
    /// The look of destroyed pieces.
    pub(super) const ENDING: Self = Self {
        ground: Color::Reset,
        ink: Color::White,
        shape: ["**", "**"],
    };

    const BLOCKER: Self = Self {
        ground: Color::DarkGrey,
        ink: Color::Grey,
        shape: ["##", "##"],
    };

    /// Returns the look of something on the board; `is_taken` if a selection would take it.
    pub(super) fn of(face: Face, is_taken: bool) -> Self {
        let Face::Piece(kind) = face else {
            return Self::BLOCKER;
        };
        let (plain, bright, shape) = PIECES[usize::from(kind)];
        Self {
            ground: if is_taken { bright } else { plain },
            ink: Color::Black,
            shape,
        }
    }
}
