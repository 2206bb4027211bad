//! What the player asks for. Every request lasts one frame; burst mode stays.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::board::Cell;

/// The context of the player's requests.
#[ecs::context]
pub(crate) struct Input;

/// The piece in this cell is to be taken.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Input, cleanup(destroy))]
pub(crate) struct Selected(pub(crate) Cell);

/// The board is to be laid anew.
#[derive(Component, Clone, Debug)]
#[component(context = Input, cleanup(destroy))]
pub(crate) struct NewBoard;

/// A selection takes all that is around it, not what matches.
#[derive(Component, Clone, Debug)]
#[component(context = Input, unique, event(any(set, removed)))]
pub(crate) struct BurstMode;
