//! The game in a terminal.
//!
//! Thirty times a second, requests from keys and mouse are passed to the game, the game runs a
//! frame, and the picture applies the updates and is drawn.

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

/// The file that `s` writes and `l` reads.
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

/// The game and the state of its user interface.
pub(crate) struct Player {
    game: MatchOne,
    turns: Turns,
    picture: Picture,
    size: BoardSize,
    /// The cell that a key would select.
    cursor: Cell,
    /// The size of the screen when it was last drawn.
    screen: Size,
    has_left: bool,
    /// The result of saving or loading.
    message: String,
}

impl Player {
    fn new(settings: Settings) -> Self {
        let mut game = MatchOne::new(settings);
        let picture = Picture::new(&mut game.world, settings.size.height);
        game.start();
        Self::of(game, picture)
    }

    /// Creates the user interface of a game.
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

    /// Performs the requests of keys and mouse until the time is up.
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
            Request::Undo => self.seek(Turns::undo),
            Request::Save => self.save(),
            Request::Load => self.load(),
            Request::Redo => self.seek(Turns::redo),
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

    /// Takes a piece. A selection that takes nothing does not count as a turn.
    fn select(&mut self, cell: Cell) {
        if !self.game.reach(cell).is_empty() {
            self.turn(|game| game.select(cell));
        }
    }

    /// Undoes or redoes a turn, and shows the resulting board.
    fn seek(&mut self, go: fn(&mut Turns, &mut MatchOne) -> bool) {
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

    /// Loads the saved game; if the file cannot be read, nothing changes.
    fn load(&mut self) {
        match saving::load(Path::new(FILE)) {
            Ok(world) => *self = Self::resume(world),
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Continues from a world.
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

    /// Moves the cursor, but not off the board.
    fn step(&mut self, dx: i16, dy: i16) {
        let next = self.cursor.offset(dx, dy);
        self.cursor = next
            .filter(|&cell| self.size.contains(cell))
            .unwrap_or(self.cursor);
    }

    /// Advances the game and its picture by a frame.
    pub(crate) fn frame(&mut self) {
        self.game.frame();
        self.picture.follow();
        self.picture.step();
    }
}
