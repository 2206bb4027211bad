//! A component that cannot be sent to another thread (F37).

use std::rc::Rc;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Shared(Rc<u8>);

fn main() {
    Game::new().create_entity().add_shared(Rc::new(1));
}
