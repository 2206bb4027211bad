//! A component that belongs to no context that is there.

use ecs::prelude::*;

#[derive(Component)]
struct Lost(u8);

fn main() {}
