//! Fields that cannot have a step, and a component that cannot be written.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[ecs::context]
struct Game;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, delta(step = 0.5))]
struct Name(String);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Ship {
    #[component(delta(step = 0.5))]
    crew: u32,
}

#[derive(Component, Clone)]
#[component(context = Game, delta)]
struct Handle(usize);

fn main() {}
