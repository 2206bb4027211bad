//! Invalid states, and systems for components that are no state.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, PartialEq)]
#[component(state)]
enum NotUnique {
    One,
}

#[derive(Component, PartialEq)]
#[component(unique, state)]
struct Flag;

#[derive(Component, PartialEq)]
#[component(unique, state = 3)]
enum WithValue {
    One,
}

#[derive(Component)]
#[component(unique, state)]
enum NotComparable {
    One,
}

#[derive(Component, PartialEq)]
#[component(unique)]
enum Mode {
    Menu,
}

fn main() {
    let _ = Systems::<Game>::new()
        .on_enter(Mode::Menu, |_| ())
        .while_in(Mode::Menu, |_: &mut Game| ());
}
