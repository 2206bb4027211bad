//! How the game stands.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::random::Random;

/// The context of what there is once, and changes.
#[ecs::context]
pub(crate) struct State;

/// One point for each piece taken.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = State, unique, event(any(set)))]
pub(crate) struct Score(pub(crate) u32);

/// What comes next of all that is left to chance.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = State, unique)]
pub(crate) struct Chance(pub(crate) Random);
