//! A crate without the standard library.

#![no_std]

extern crate alloc;

use ecs::Context as _;

#[ecs::context]
pub struct Game;

#[derive(ecs::Component, Debug, Clone)]
pub struct Name {
    #[component(into)]
    pub text: alloc::string::String,
}

#[derive(ecs::Component)]
pub struct Flag;

#[derive(ecs::Contexts)]
struct World(Game);

fn count(world: &mut World) {
    world.0.create_entity();
}

fn main() {
    use ecs::prelude::*;

    let mut world = World(Game::new());
    ecs::Systems::new().add(count).execute(&mut world);
    assert_eq!(world.0.len(), 1);
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(entity.add_name("x").set_flag(true).is_flag());
}
