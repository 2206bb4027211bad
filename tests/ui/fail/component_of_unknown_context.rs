//! A misspelled context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Gmae)]
struct Lost(u8);

fn main() {}
