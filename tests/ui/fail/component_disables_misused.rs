//! Components that cannot disable entities, and queries by a component that does not.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(unique, disables)]
struct Unique;

#[derive(Component)]
#[component(disables = 3)]
struct WithValue;

#[derive(Component)]
#[component(disabled)]
struct Misspelt;

fn main() {}
