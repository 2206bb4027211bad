//! Malformed events.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event)]
struct Bare;

#[derive(Component)]
#[component(event = "set")]
struct Quoted;

#[derive(Component)]
#[component(event())]
struct Nothing;

#[derive(Component)]
#[component(event(any))]
struct WithoutHappening;

#[derive(Component)]
#[component(event(removed, priority = 1))]
struct WithoutScope;

#[derive(Component)]
#[component(event(foo, set))]
struct Unknown;

#[derive(Component)]
#[component(event(any set))]
struct WithoutComma;

#[derive(Component)]
#[component(event("any", set))]
struct InQuotes;

#[derive(Component)]
#[component(event(any, set, priority))]
struct WithoutNumber;

#[derive(Component)]
#[component(event(any, set, priority = "high"))]
struct Words;

#[derive(Component)]
#[component(event(any, set, priority = 1.5))]
struct Fraction;

#[derive(Component)]
#[component(event(any, set, priority = 1u8))]
struct Suffix;

#[derive(Component)]
#[component(event(any, set, priority = 3000000000))]
struct TooMuch;

#[derive(Component)]
struct OnField(#[component(event(any, set))] u8);

fn main() {
    let mut game = Game::new();
    game.create_entity().set_bare(true);
}
