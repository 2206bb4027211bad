//! The game in a terminal.
//!
//! Thirty times a second: what keys and mouse ask for goes into the game, the game moves
//! on by a frame, the picture follows its news, and is drawn.

mod draw;
mod layout;
mod look;
mod request;
mod screen;

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event;
use ratatui::layout::Rect;

use self::layout::Layout;
use self::request::Request;
use self::screen::Screen;
use super::logic::{BoardSize, Cell, MatchOne, Settings};
use super::picture::Picture;

const FRAME: Duration = Duration::from_millis(33);

/// Plays until the player leaves.
pub(crate) fn run(settings: Settings) -> io::Result<()> {
    let mut screen = Screen::enter()?;
    let mut player = Player::new(settings);
    while !player.has_left {
        player.listen(Instant::now() + FRAME)?;
        player.frame();
        screen.draw(|frame| {
            player.area = frame.area();
            draw::all(&player, frame);
        })?;
    }
    Ok(())
}

/// The game with whom it is played by.
struct Player {
    game: MatchOne,
    picture: Picture,
    size: BoardSize,
    /// The cell that a key would select.
    cursor: Cell,
    /// The screen as it was last drawn.
    area: Rect,
    has_left: bool,
}

impl Player {
    fn new(settings: Settings) -> Self {
        let mut game = MatchOne::new(settings);
        let size = settings.size;
        let picture = Picture::new(&mut game.world, size.height);
        game.start();
        Self {
            game,
            picture,
            size,
            cursor: size.middle(),
            area: Rect::ZERO,
            has_left: false,
        }
    }

    /// Does what keys and mouse ask for, until the time is up.
    fn listen(&mut self, until: Instant) -> io::Result<()> {
        let left = || until.saturating_duration_since(Instant::now());
        while !left().is_zero() && event::poll(left())? {
            let layout = Layout::of(self.area, self.size);
            if let Some(request) = Request::of(&event::read()?, layout.ok()) {
                self.perform(request);
            }
        }
        Ok(())
    }

    fn perform(&mut self, request: Request) {
        match request {
            Request::Leave => self.has_left = true,
            Request::NewBoard => self.game.new_board(),
            Request::ToggleBurstMode => self.game.toggle_burst_mode(),
            Request::Step(dx, dy) => self.step(dx, dy),
            Request::Point(cell) => self.cursor = cell,
            Request::Select => self.game.select(self.cursor),
            Request::Click(cell) => {
                self.cursor = cell;
                self.game.select(cell);
            }
        }
    }

    /// Moves the cursor, as far as the board goes.
    fn step(&mut self, dx: i16, dy: i16) {
        let next = self.cursor.offset(dx, dy);
        self.cursor = next
            .filter(|&cell| self.size.contains(cell))
            .unwrap_or(self.cursor);
    }

    fn frame(&mut self) {
        self.game.frame();
        self.picture.follow();
        self.picture.step();
    }
}
