//! Two indexes whose lookup methods would have the same name.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Item {
    #[component(index)]
    kind: u8,
    #[component(index)]
    owner: u8,
}

#[derive(Component)]
struct ItemKind(#[component(index)] u8);

fn main() {}
