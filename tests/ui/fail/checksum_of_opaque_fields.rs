//! Fields whose types have no checksum.

use std::collections::HashMap;

use ecs::Checksum;

struct Opaque;

#[derive(Checksum)]
struct Gun {
    rounds: u32,
    owner: Opaque,
}

#[derive(Checksum)]
enum Effect {
    None,
    Names { all: HashMap<String, f32> },
    Skipped(#[checksum(skip)] Opaque),
}

fn main() {}
