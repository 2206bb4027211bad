//! The state of the game besides the board.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::random::Random;

/// The context of values that exist once and change.
#[ecs::context]
pub(crate) struct State;

/// One point for each piece taken.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = State, unique, event(any(set)))]
pub(crate) struct Score(pub(crate) u32);

/// The generator of random numbers. As a component, it is saved and rewound with the rest.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = State, unique)]
pub(crate) struct Chance(pub(crate) Random);
