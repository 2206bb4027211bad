//! A component without an existing context.

use ecs::prelude::*;

#[derive(Component)]
struct Lost(u8);

fn main() {}
