//! Labels that are not text.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(label)]
struct NotText(Vec<u8>);

#[derive(Component)]
#[component(label)]
struct TwoFields {
    first: String,
    last: String,
}

#[derive(Component)]
#[component(label)]
enum Kind {
    Orc,
}

#[derive(Component)]
#[component(label)]
struct Flag;

#[derive(Component)]
#[component(label = "name")]
struct WithValue(String);

#[derive(Component)]
struct OnField(#[component(label)] String);

fn main() {}
