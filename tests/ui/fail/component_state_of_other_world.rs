//! A state whose context is not in the world, and the methods that a state has not.

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
    Game::new().replace_mode(Mode::Menu);
}
