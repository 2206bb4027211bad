//! Malformed attributes for deltas, and those that cannot have an effect.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[ecs::context]
struct Game;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta = 0.01)]
struct WithValue(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(0.01))]
struct NoWord(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(size = 0.01))]
struct OtherWord(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = 0.0))]
struct Zero(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = -0.5))]
struct Negative(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = 1e999))]
struct Infinite(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = STEP))]
struct Constant(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = "0.01"))]
struct Text(f32);

#[derive(Component, Clone)]
#[component(context = Game, delta)]
struct Flag;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta)]
enum Kind {
    One,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta, transient)]
struct NotSent(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta)]
#[serde(from = "f32", into = "f32")]
struct Converted(f32);

impl From<f32> for Converted {
    fn from(number: f32) -> Self {
        Self(number)
    }
}

impl From<Converted> for f32 {
    fn from(converted: Converted) -> Self {
        converted.0
    }
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct OnField(#[component(delta)] f32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta)]
struct Skips(f32, #[serde(skip)] f32);

fn main() {}
