//! Components that are not `Send`, or not `Sync` (F36, F37).

use std::cell::Cell;
use std::rc::Rc;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Shared(Rc<u8>);

#[derive(Component)]
struct Counter(Cell<u16>);

#[derive(Component)]
struct Foreign(*mut u32);

fn main() {
    Game::new().create_entity().add_shared(Rc::new(1));
}
