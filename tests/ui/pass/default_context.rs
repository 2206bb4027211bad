//! By default, components belong to `crate::Game`.

use ecs::Context as _;

pub mod parts {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Health(pub u8);

    pub mod deeper {
        #[derive(ecs::Component)]
        pub(super) struct Hidden {
            pub(in super::super::parts) value: u8,
        }
    }

    pub fn hide(game: &mut crate::Game) -> u8 {
        game.create_entity().add_hidden(3).hidden().value
    }
}

#[ecs::context]
pub struct Game;

fn main() {
    let mut game = Game::new();
    assert_eq!(game.create_entity().add_health(2).health().0, 2);
    assert_eq!(parts::hide(&mut game), 3);
}
