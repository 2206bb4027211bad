//! What things on the board look like.

use crossterm::style::Color;

use super::super::logic::{Face, MOST_KINDS};

/// A tile: its colours, and a shape in two rows for whom colours tell little.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) ground: Color,
    pub(super) ink: Color,
    pub(super) shape: [&'static str; 2],
}

/// A colour, a brighter one where the selection would take the piece, and the shape.
const PIECES: [(Color, Color, [&str; 2]); MOST_KINDS] = [
    (Color::DarkRed, Color::Red, ["/\\", "\\/"]),
    (Color::DarkGreen, Color::Green, ["oo", "oo"]),
    (Color::DarkYellow, Color::Yellow, ["()", "()"]),
    (Color::DarkBlue, Color::Blue, ["\\/", "/\\"]),
    (Color::DarkMagenta, Color::Magenta, ["==", "=="]),
    (Color::DarkCyan, Color::Cyan, ["++", "++"]),
];

impl Look {
    /// Of what has been destroyed.
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

    /// Of what is on the board, and perhaps would be taken by a selection.
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
