//! A state whose context is not in the world.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component, PartialEq)]
#[component(unique, state)]
enum Mode {
    Menu,
}

fn main() {
    let _ = Systems::<Input>::new().on_enter(Mode::Menu, |_| ());
}
