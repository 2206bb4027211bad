//! The game without a terminal: it plays by itself and prints boards as text.
//!
//! ```text
//! . o x #        a dot is an empty cell, a number sign a blocker,
//! + o o x        anything else a piece of some kind
//! ```

use std::io::{self, Write};

use ecs_inspector::Inspector;

use super::inspect;
use super::logic::{Cell, Face, MOST_KINDS, MatchOne, Settings};
use super::picture::Picture;

/// How often a board is written.
const TURNS_BETWEEN_BOARDS: u32 = 50;
/// How often a turn is in burst mode.
const TURNS_BETWEEN_BURSTS: u32 = 10;
/// The characters for the kinds of pieces.
const PIECES: [char; MOST_KINDS] = ['o', 'x', '+', '*', '=', '@'];

/// Plays `turns` turns, slowly if the inspector is on.
pub(crate) fn run(
    settings: Settings,
    turns: u32,
    mut inspector: Inspector,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(url) = inspector.url() {
        eprintln!("look inside at {url}");
    }
    Player::new(settings).play(turns, out, |player| {
        inspect::wait(&mut player.game, &mut inspector)
    })
}

/// A player that always makes the selection that scores most.
pub(crate) struct Player {
    pub(crate) game: MatchOne,
    pub(crate) picture: Picture,
    settings: Settings,
    /// How many boards were given up.
    boards: u32,
    best: u32,
}

impl Player {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut game = MatchOne::new(settings);
        let picture = Picture::new(&mut game.world, 0);
        game.start();
        let mut player = Self {
            game,
            picture,
            settings,
            boards: 0,
            best: 0,
        };
        player.settle();
        player
    }

    /// Plays `turns` turns, and calls `before_turn` before each.
    pub(crate) fn play(
        &mut self,
        turns: u32,
        out: &mut impl Write,
        mut before_turn: impl FnMut(&mut Self),
    ) -> io::Result<()> {
        self.write(0, out)?;
        for turn in 1..=turns {
            before_turn(self);
            self.take_turn(turn);
            if turn.is_multiple_of(TURNS_BETWEEN_BOARDS) || turn == turns {
                self.write(turn, out)?;
            }
        }
        writeln!(
            out,
            "{turns} turns, {} of them for a new board, best score {}",
            self.boards, self.best
        )
    }

    fn take_turn(&mut self, turn: u32) {
        if turn.is_multiple_of(TURNS_BETWEEN_BURSTS) != self.picture.burst_mode {
            self.game.toggle_burst_mode();
        }
        match self.choose() {
            Some(cell) => self.game.select(cell),
            None => {
                self.boards += 1;
                self.game.new_board();
            }
        }
        self.settle();
    }

    /// Returns the first cell that scores most; `None` if no piece is left.
    fn choose(&self) -> Option<Cell> {
        let cells = self.settings.size.cells();
        let gains = cells.map(|cell| (self.game.reach(cell).len(), cell));
        let best = gains.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.filter(|(gain, _)| *gain > 0).map(|(_, cell)| cell)
    }

    fn settle(&mut self) {
        self.game.settle();
        self.picture.follow();
        self.picture.step();
        self.best = self.best.max(self.picture.score);
    }

    fn write(&self, turn: u32, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "turn {turn}, score {}", self.picture.score)?;
        let size = self.settings.size;
        for y in (0..size.height).rev() {
            let row = size.columns().map(|x| self.letter(Cell { x, y }));
            let row: Vec<_> = row.map(String::from).collect();
            writeln!(out, "  {}", row.join(" "))?;
        }
        writeln!(out)
    }

    fn letter(&self, cell: Cell) -> char {
        match self.picture.face(cell) {
            Some(Face::Piece(kind)) => PIECES[usize::from(kind)],
            Some(Face::Blocker) => '#',
            None => '.',
        }
    }
}
