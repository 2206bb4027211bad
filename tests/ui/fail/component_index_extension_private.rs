//! All lookups of a trait are as visible as the trait.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(extension, by_value)]
pub struct Name {
    #[component(index)]
    text: String,
}

fn main() {}
