//! Several malformed events at once.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event(any()))]
struct Nothing;

#[derive(Component)]
#[component(event(any(set), removed))]
struct Mixed;

#[derive(Component)]
#[component(event(each(set)))]
struct UnknownScope;

#[derive(Component)]
#[component(event(any(changed)))]
struct UnknownHappening;

#[derive(Component)]
#[component(event(any(set, set)))]
struct Twice;

#[derive(Component)]
#[component(event(any(set), self(removed, priority = 1, priority = 2)))]
struct TwoPriorities;

fn main() {}
