//! Items made by `macro_rules!`, with paths of the macro's crate.

use ecs::Context as _;

#[ecs::context]
pub struct Game;

#[macro_export]
macro_rules! part {
    ($name:ident { $field:ident : $ty:ty }) => {
        #[derive(ecs::Component)]
        #[component(context = $crate::Game)]
        pub struct $name {
            pub $field: $ty,
            pub fixed: u8,
        }
    };
}

mod parts {
    crate::part!(Listed { value: Vec<u8> });
}

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert_eq!(entity.add_listed(vec![1], 2).listed().fixed, 2);
}
