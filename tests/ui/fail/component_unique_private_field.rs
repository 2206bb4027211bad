//! Accessors of a unique component that would set a private field from outside.

use ecs::Context as _;

#[ecs::context]
struct Game;

mod guarded {
    use ecs::prelude::*;

    #[derive(Component)]
    #[component(unique)]
    pub struct Secret {
        pub shown: u8,
        hidden: u8,
    }
}

fn main() {
    let mut game = Game::new();
    game.set_secret(1, 2);
    game.replace_secret(1, 2);
    let _ = (game.secret().shown, game.has_secret());
    game.remove_secret();
}
