//! Malformed display hints of fields.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Lamp {
    #[component(range)]
    without_numbers: u8,
    #[component(range = 0..100)]
    half_open: u8,
    #[component(range = 100..=0)]
    empty: u8,
    #[component(range = "0 to 100")]
    text: u8,
    #[component(hidden = true)]
    value: u8,
    #[component(hidden, color)]
    two_ways: u32,
}

#[derive(Component)]
#[component(color)]
struct OnType(u8);

fn main() {}
