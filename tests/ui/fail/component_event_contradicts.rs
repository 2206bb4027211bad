//! Duplicate events, and two events in one.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event(any, set), event(self, set), event(any, set, priority = 2))]
struct Twice(u8);

#[derive(Component)]
#[component(event(any, self, set))]
struct BothScopes;

#[derive(Component)]
#[component(event(self, set, removed))]
struct BothHappenings;

#[derive(Component)]
#[component(event(any, any, set))]
struct SameWord;

#[derive(Component)]
#[component(event(any, set, priority = 1, priority = 2))]
struct TwoPriorities;

#[derive(Component)]
#[component(event(any, foo), event(bar, removed), event(self, set))]
struct Several(u8);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.on_twice_set(|_| ());
    entity.on_several_set(|_| ());
    game.on_any_twice_set(|_| ());
}
