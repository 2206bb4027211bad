//! Transitions of a state without `Clone`; a clock and a list of the wrong type.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, PartialEq)]
#[component(unique, state)]
enum Mode {
    Menu,
}

fn main() {
    let _ = Systems::new().on_transition(|_: &mut Game, _: Option<&Mode>, _: Option<&Mode>| ());
    let _ = Systems::<Game>::new().repeat_while(|_| ());
    let _ = Systems::<Game>::new().add(Expire::remove(|_: &Game, _: &u8| true));
}
