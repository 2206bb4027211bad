//! A pool creates its first values with `Default`.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(pooled)]
struct Path(Vec<u8>);

fn main() {
    Game::new().create_entity().add_path(Vec::new());
}
