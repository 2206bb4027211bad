//! The handles of the context are needed, too: `context = crate::Game` finds all three.

#[ecs::context]
pub struct Game;

mod parts {
    use ecs::prelude::*;

    use crate::Game;

    #[derive(Component)]
    #[component(context = Game)]
    struct Health(u8);
}

fn main() {}
