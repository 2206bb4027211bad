//! A union as a component.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
union Bits {
    whole: u32,
    parts: [u8; 4],
}

fn main() {
    Game::new().create_entity().add_bits(Bits { whole: 1 });
}
