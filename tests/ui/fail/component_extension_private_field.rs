//! A trait has no private methods that could take a private field.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(extension)]
pub struct Secret {
    pub shown: u8,
    pub(crate) known: u8,
    hidden: u8,
}

#[derive(Component)]
#[component(extension)]
pub struct Tuple(pub u8, u8);

#[derive(Component)]
#[component(extension)]
pub struct Link(&'static Self);

fn main() {}
