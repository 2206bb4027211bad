//! The rules of Match One. They know of no terminal and no clock.
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
//! Whoever shows the game hears of all this from [`updates`].

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

/// What the systems of the game share.
#[derive(Contexts, Default)]
pub(crate) struct World {
    /// The pieces and blockers on the board.
    pub(crate) game: Game,
    /// What the player asks for.
    pub(crate) input: Input,
    /// What is settled before the game begins.
    pub(crate) config: Config,
    /// How the game stands.
    pub(crate) state: State,
}

/// A game: its world, and the systems that move it on.
pub(crate) struct MatchOne {
    pub(crate) world: World,
    systems: Systems<World>,
}

impl MatchOne {
    /// A game with these settings, and with an empty board until [`start`](Self::start).
    pub(crate) fn new(settings: Settings) -> Self {
        let mut world = World::default();
        world.config.apply(settings);
        let systems = systems::all(&mut world);
        Self { world, systems }
    }

    /// A game that goes on from where a world is.
    pub(crate) fn resume(mut world: World) -> Self {
        let mut systems = systems::all(&mut world);
        systems.initialize(&mut world);
        Self { world, systems }
    }

    /// Lays the first board, and tells of it.
    pub(crate) fn start(&mut self) {
        self.systems.initialize(&mut self.world);
        self.frame();
    }

    /// Moves the game on by one step.
    pub(crate) fn frame(&mut self) {
        self.systems.execute(&mut self.world);
        self.systems.cleanup(&mut self.world);
    }

    /// Lets somebody look inside, between two frames.
    pub(crate) fn show(&mut self, inspector: &mut Inspector) {
        inspector.update(&mut self.world, &mut self.systems);
    }

    /// Goes on until what was asked for is done: one frame takes pieces away, the next
    /// fills the gaps.
    pub(crate) fn settle(&mut self) {
        self.frame();
        self.frame();
    }

    /// Asks for the piece in a cell to be taken, with all that goes with it.
    pub(crate) fn select(&mut self, cell: Cell) {
        self.world.input.create_entity().add_selected(cell);
    }

    /// Asks for a new board and a score of zero.
    pub(crate) fn new_board(&mut self) {
        self.world.input.create_entity().add_new_board();
    }

    /// Switches burst mode on or off.
    pub(crate) fn toggle_burst_mode(&mut self) {
        let input = &mut self.world.input;
        input.set_burst_mode(!input.is_burst_mode());
    }

    /// What a selection of this cell would take away.
    pub(crate) fn reach(&self, cell: Cell) -> Vec<EntityId<Game>> {
        reach::of(&self.world, cell)
    }
}
