//! Accessors that take fields are as visible as the least visible field.

use ecs::Context as _;

#[ecs::context]
struct Game;

mod guarded {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Secret {
        pub shown: u8,
        hidden: u8,
    }
}

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_secret(1, 2);
    entity.replace_secret(1, 2);
    let _ = entity.try_add_secret(1, 2);
    entity.remove_secret();
}
