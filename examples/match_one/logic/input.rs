//! The player's requests. Each lasts one frame; only burst mode stays.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::board::Cell;

/// The context of the player's requests.
#[ecs::context]
pub(crate) struct Input;

/// Requests that the piece in this cell be taken.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Input, cleanup(destroy))]
pub(crate) struct Selected(pub(crate) Cell);

/// Requests a new board.
#[derive(Component, Clone, Debug)]
#[component(context = Input, cleanup(destroy))]
pub(crate) struct NewBoard;

/// A selection takes all pieces around it instead of those that match.
#[derive(Component, Clone, Debug)]
#[component(context = Input, unique, event(any(set, removed)))]
pub(crate) struct BurstMode;
