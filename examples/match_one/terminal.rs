//! The game in a terminal.
//!
//! Thirty times a second: what keys and mouse ask for goes into the game, the game moves
//! on by a frame, the picture follows its news, and is drawn.

pub(crate) mod draw;
pub(crate) mod grid;
pub(crate) mod layout;
mod look;
pub(crate) mod request;
mod screen;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event;
use ecs_inspector::Inspector;

use self::layout::{Layout, Size};
use self::request::Request;
use self::screen::Screen;
use super::logic::{self, BoardSize, Cell, MatchOne, Settings, World};
use super::picture::Picture;
use super::saving;
use super::turns::Turns;

/// Where `s` saves the game, and `l` finds it.
const FILE: &str = "match_one.json";
const FRAME: Duration = Duration::from_millis(33);

/// Plays until the player leaves.
pub(crate) fn run(settings: Settings, mut inspector: Inspector) -> io::Result<()> {
    let mut screen = Screen::enter()?;
    let mut player = Player::new(settings);
    if let Some(url) = inspector.url() {
        player.message = format!("look inside: {url}");
    }
    while !player.has_left {
        player.listen(Instant::now() + FRAME)?;
        player.frame();
        player.game.show(&mut inspector);
        player.screen = screen.size()?;
        screen.draw(draw::all(&player, player.screen))?;
    }
    Ok(())
}

/// The game with whom it is played by.
pub(crate) struct Player {
    game: MatchOne,
    turns: Turns,
    picture: Picture,
    size: BoardSize,
    /// The cell that a key would select.
    cursor: Cell,
    /// How large the screen was when it was last drawn.
    screen: Size,
    has_left: bool,
    /// What came of saving or loading.
    message: String,
}

impl Player {
    fn new(settings: Settings) -> Self {
        let mut game = MatchOne::new(settings);
        let picture = Picture::new(&mut game.world, settings.size.height);
        game.start();
        Self::of(game, picture)
    }

    /// Who plays this game.
    fn of(mut game: MatchOne, picture: Picture) -> Self {
        let size = *game.world.config.board_size();
        let turns = Turns::record(&mut game.world);
        Self {
            game,
            turns,
            picture,
            size,
            cursor: size.middle(),
            screen: Size::new(0, 0),
            has_left: false,
            message: String::new(),
        }
    }

    /// Does what keys and mouse ask for, until the time is up.
    fn listen(&mut self, until: Instant) -> io::Result<()> {
        let left = || until.saturating_duration_since(Instant::now());
        while !left().is_zero() && event::poll(left())? {
            let layout = Layout::of(self.screen, self.size);
            if let Some(request) = Request::of(&event::read()?, layout.ok()) {
                self.perform(request);
            }
        }
        Ok(())
    }

    pub(crate) fn perform(&mut self, request: Request) {
        match request {
            Request::Leave => self.has_left = true,
            Request::NewBoard => self.turn(MatchOne::new_board),
            Request::ToggleBurstMode => self.turn(MatchOne::toggle_burst_mode),
            Request::Undo => self.travel(Turns::undo),
            Request::Save => self.save(),
            Request::Load => self.load(),
            Request::Redo => self.travel(Turns::redo),
            Request::Step(dx, dy) => self.step(dx, dy),
            Request::Point(cell) => self.cursor = cell,
            Request::Select => self.select(self.cursor),
            Request::Click(cell) => {
                self.cursor = cell;
                self.select(cell);
            }
        }
    }

    fn turn(&mut self, ask: impl FnOnce(&mut MatchOne)) {
        self.turns.begin(&mut self.game);
        ask(&mut self.game);
    }

    /// Takes a piece. A selection that takes nothing is no turn.
    fn select(&mut self, cell: Cell) {
        if !self.game.reach(cell).is_empty() {
            self.turn(|game| game.select(cell));
        }
    }

    /// Goes back or forward by a turn, and shows the board as it is there.
    fn travel(&mut self, go: fn(&mut Turns, &mut MatchOne) -> bool) {
        if go(&mut self.turns, &mut self.game) {
            self.picture.restart(logic::present(&self.game.world));
        }
    }

    fn save(&mut self) {
        self.game.settle();
        self.message = match saving::save(&self.game.world, Path::new(FILE)) {
            Ok(()) => "saved".to_owned(),
            Err(error) => error.to_string(),
        };
    }

    /// Goes on from the file; if it cannot be read, everything stays as it is.
    fn load(&mut self) {
        match saving::load(Path::new(FILE)) {
            Ok(world) => *self = Self::resume(world),
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Goes on from where a world is.
    pub(crate) fn resume(world: World) -> Self {
        let mut game = MatchOne::resume(world);
        let height = game.world.config.board_size().height;
        let mut picture = Picture::new(&mut game.world, height);
        picture.restart(logic::present(&game.world));
        Self {
            message: "loaded".to_owned(),
            ..Self::of(game, picture)
        }
    }

    /// Moves the cursor, as far as the board goes.
    fn step(&mut self, dx: i16, dy: i16) {
        let next = self.cursor.offset(dx, dy);
        self.cursor = next
            .filter(|&cell| self.size.contains(cell))
            .unwrap_or(self.cursor);
    }

    /// Moves the game on, and what is to be seen of it.
    pub(crate) fn frame(&mut self) {
        self.game.frame();
        self.picture.follow();
        self.picture.step();
    }
}
