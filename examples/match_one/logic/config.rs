//! What is settled before the game begins.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context of what does not change while the game is played.
#[ecs::context]
pub(crate) struct Config;

/// So many kinds of pieces can be told apart.
pub(crate) const MOST_KINDS: usize = 6;

/// How large the board is.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[component(context = Config, unique, by_value)]
pub(crate) struct BoardSize {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// How many cells in a hundred of a new board are blocked.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Config, unique)]
pub(crate) struct BlockerPercent(pub(crate) u8);

/// How many kinds of pieces there are, [`MOST_KINDS`] at most.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Config, unique)]
pub(crate) struct PieceKinds(pub(crate) u8);

/// As in the original.
impl Default for BoardSize {
    fn default() -> Self {
        Self {
            width: 8,
            height: 9,
        }
    }
}

/// What decides all that is left to chance.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Config, unique)]
pub(crate) struct Seed(pub(crate) u64);

/// The same as plain values, for whoever starts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) size: BoardSize,
    pub(crate) blocker_percent: u8,
    pub(crate) kinds: u8,
    pub(crate) seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: BoardSize::default(),
            blocker_percent: 8,
            kinds: 5,
            seed: 7,
        }
    }
}

impl Config {
    /// Writes the settings down.
    pub(crate) fn apply(&mut self, settings: Settings) {
        self.set_board_size(settings.size);
        self.set_blocker_percent(settings.blocker_percent);
        self.set_piece_kinds(settings.kinds);
        self.set_seed(settings.seed);
    }
}
