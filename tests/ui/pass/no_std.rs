//! A crate that does not name the standard library.

#![no_std]

extern crate alloc;

#[ecs::context]
pub struct Game;

#[derive(ecs::Component, Debug, Clone)]
pub struct Name {
    #[component(into)]
    pub text: alloc::string::String,
}

#[derive(ecs::Component)]
pub struct Flag;

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(entity.add_name("x").set_flag(true).is_flag());
}
