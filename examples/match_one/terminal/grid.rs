//! A grid of characters. Text is put onto it, and the differences from the previous grid are written
//! to the terminal.

use std::io::{self, Write};
use std::ops::Range;

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::{Attribute, Color, Colors, Print, ResetColor, SetAttribute, SetColors};

use super::layout::{Rect, Size};

/// The style of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    pub(crate) color: Color,
    pub(crate) bold: bool,
}

impl Ink {
    /// The default style of the terminal.
    pub(crate) const PLAIN: Self = Self::of(Color::Reset);

    pub(crate) const fn of(color: Color) -> Self {
        let bold = false;
        Self { color, bold }
    }

    pub(crate) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// One character of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) letter: char,
    pub(crate) ink: Ink,
    pub(crate) ground: Color,
}

impl Spot {
    const EMPTY: Self = Self {
        letter: ' ',
        ink: Ink::PLAIN,
        ground: Color::Reset,
    };
}

/// The grid. Each character counts as one column wide.
pub(crate) struct Grid {
    size: Size,
    /// Row by row.
    spots: Vec<Spot>,
}

impl Grid {
    /// Creates an empty grid.
    pub(crate) fn new(size: Size) -> Self {
        let spots = vec![Spot::EMPTY; usize::from(size.width) * usize::from(size.height)];
        Self { size, spots }
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Puts text onto the existing background, cut off at the edge. Control characters are
    /// skipped.
    pub(crate) fn put(&mut self, x: u16, y: u16, text: &str, ink: Ink) {
        let letters = text.chars().filter(|letter| !letter.is_control());
        for (spot, letter) in self.part(x..u16::MAX, y).iter_mut().zip(letters) {
            (spot.letter, spot.ink) = (letter, ink);
        }
    }

    /// Puts text into `room`, wrapped between words and cut off at the bottom.
    pub(super) fn put_wrapped(&mut self, room: Rect, text: &str) {
        for (y, line) in room.rows().zip(wrap(text, room.width)) {
            self.put(room.x, y, &line, Ink::PLAIN);
        }
    }

    /// Sets the background of a part.
    pub(super) fn fill(&mut self, part: Rect, ground: Color) {
        for y in part.rows() {
            let spots = self.part(part.x..part.right(), y);
            spots.iter_mut().for_each(|spot| spot.ground = ground);
        }
    }

    /// Returns a part of a row, clipped to the grid.
    fn part(&mut self, columns: Range<u16>, y: u16) -> &mut [Spot] {
        let width = self.size.width;
        let place = |x: u16| usize::from(y) * usize::from(width) + usize::from(x.min(width));
        let places = place(columns.start)..place(columns.end);
        self.spots.get_mut(places).unwrap_or_default()
    }

    /// Returns column, row and content of each spot that differs from a grid of the same size.
    pub(crate) fn changes(&self, before: &Self) -> impl Iterator<Item = (u16, u16, Spot)> {
        let Size { width, height } = self.size;
        let places = (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
        let spots = self.spots.iter().zip(&before.spots).zip(places);
        let others = spots.filter(|((spot, before), _)| spot != before);
        others.map(|((&spot, _), (x, y))| (x, y, spot))
    }

    /// Writes what turns a shown grid of the same size into this one.
    pub(crate) fn write_over(&self, before: &Self, out: &mut impl Write) -> io::Result<()> {
        let (mut next, mut last) = (None, Spot::EMPTY);
        for (x, y, spot) in self.changes(before) {
            if next != Some((x, y)) {
                queue!(out, MoveTo(x, y))?;
            }
            write(spot, last, out)?;
            (next, last) = (Some((x + 1, y)), spot);
        }
        match next {
            Some(_) => queue!(out, ResetColor),
            None => Ok(()),
        }
    }
}

/// Writes a letter at the position of the terminal, whose style is still that of `last`.
fn write(spot: Spot, last: Spot, out: &mut impl Write) -> io::Result<()> {
    if (spot.ink.color, spot.ground) != (last.ink.color, last.ground) {
        queue!(out, SetColors(Colors::new(spot.ink.color, spot.ground)))?;
    }
    if spot.ink.bold != last.ink.bold {
        let weight = match spot.ink.bold {
            true => Attribute::Bold,
            false => Attribute::NormalIntensity,
        };
        queue!(out, SetAttribute(weight))?;
    }
    queue!(out, Print(spot.letter))
}

/// Wraps text into lines of at most `width` letters. Breaks only words longer than that.
fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width);
    let length = |text: &str| text.chars().count();
    let mut lines = Vec::<String>::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => *line += &format!(" {word}"),
            _ => lines.extend(pieces(word, width)),
        }
    }
    lines
}

/// Splits a word into pieces of `width` letters, but at least one.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let pieces = letters.chunks(width.max(1));
    pieces.map(String::from_iter).collect()
}
