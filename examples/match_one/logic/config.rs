//! The settings, which are fixed before a game begins.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context of settings, which do not change during a game.
#[ecs::context]
pub(crate) struct Config;

/// The maximum number of kinds of pieces.
pub(crate) const MOST_KINDS: usize = 6;

/// The size of the board.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[component(context = Config, unique, by_value)]
pub(crate) struct BoardSize {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// The percentage of blocked cells on a new board.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Config, unique)]
pub(crate) struct BlockerPercent(pub(crate) u8);

/// The number of kinds of pieces, at most [`MOST_KINDS`].
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

/// The seed of the random numbers.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Config, unique)]
pub(crate) struct Seed(pub(crate) u64);

/// The settings as plain values, to start a game with.
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
    /// Stores the settings in the context.
    pub(crate) fn apply(&mut self, settings: Settings) {
        self.set_board_size(settings.size);
        self.set_blocker_percent(settings.blocker_percent);
        self.set_piece_kinds(settings.kinds);
        self.set_seed(settings.seed);
    }
}
