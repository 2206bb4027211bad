//! The rules of Match One, independent of terminals and clocks.
//!
//! ```text
//!            select(cell)                                 new_board()
//!                │                                            │
//! Input       Selected                                     NewBoard
//!                │  Select                                    │  ClearBoard
//! Game        Destroyed ──────────► Score adds to State    Destroyed
//!                │  clean-up destroys, at the end of the frame│
//!                ▼                                            ▼
//! next frame  Fall moves, Fill creates                     LayBoard creates
//! ```
//!
//! Views receive all of this from [`updates`].

mod board;
mod clear_board;
mod config;
mod fall;
mod fill;
mod game;
mod input;
mod lay_board;
mod random;
mod reach;
mod score;
mod select;
mod state;
mod systems;
mod updates;

use ecs::prelude::*;
use ecs_inspector::Inspector;

pub(crate) use self::board::Cell;
pub(crate) use self::config::{BoardSize, Config, MOST_KINDS, Settings};
pub(crate) use self::game::Game;
pub(crate) use self::input::Input;
pub(crate) use self::state::State;
pub(crate) use self::updates::{Face, Update, present, subscribe};

/// The contexts of the game.
#[derive(Contexts, Default)]
pub(crate) struct World {
    /// The pieces and blockers on the board.
    pub(crate) game: Game,
    /// The player's requests.
    pub(crate) input: Input,
    /// The settings.
    pub(crate) config: Config,
    /// The score and the random numbers.
    pub(crate) state: State,
}

/// A game: its world and its systems.
pub(crate) struct MatchOne {
    pub(crate) world: World,
    systems: Systems<World>,
}

impl MatchOne {
    /// Creates a game with these settings. The board is empty until [`start`](Self::start).
    pub(crate) fn new(settings: Settings) -> Self {
        let mut world = World::default();
        world.config.apply(settings);
        let systems = systems::all(&mut world);
        Self { world, systems }
    }

    /// Creates a game that continues from a world.
    pub(crate) fn resume(mut world: World) -> Self {
        let mut systems = systems::all(&mut world);
        systems.initialize(&mut world);
        Self { world, systems }
    }

    /// Lays the first board and sends its updates.
    pub(crate) fn start(&mut self) {
        self.systems.initialize(&mut self.world);
        self.frame();
    }

    /// Advances the game by one step.
    pub(crate) fn frame(&mut self) {
        self.systems.execute(&mut self.world);
        self.systems.cleanup(&mut self.world);
    }

    /// Updates the inspector, between two frames.
    pub(crate) fn show(&mut self, inspector: &mut Inspector) {
        inspector.update(&mut self.world, &mut self.systems);
    }

    /// Runs until all requests are done: one frame removes pieces, the next fills the gaps.
    pub(crate) fn settle(&mut self) {
        self.frame();
        self.frame();
    }

    /// Requests that the piece in a cell be taken, with all that match it.
    pub(crate) fn select(&mut self, cell: Cell) {
        self.world.input.create_entity().add_selected(cell);
    }

    /// Requests a new board and a score of zero.
    pub(crate) fn new_board(&mut self) {
        self.world.input.create_entity().add_new_board();
    }

    /// Switches burst mode on or off.
    pub(crate) fn toggle_burst_mode(&mut self) {
        let input = &mut self.world.input;
        input.set_burst_mode(!input.is_burst_mode());
    }

    /// Returns the pieces that a selection of this cell would take.
    pub(crate) fn reach(&self, cell: Cell) -> Vec<EntityId<Game>> {
        reach::of(&self.world, cell)
    }
}
