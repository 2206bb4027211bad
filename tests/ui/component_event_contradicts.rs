//! Events that are given twice, or that are two in one.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(event(any, added), event(self, added), event(any, added, priority = 2))]
struct Twice(u8);

#[derive(Component)]
#[component(event(any, self, added))]
struct BothScopes;

#[derive(Component)]
#[component(event(self, added, removed))]
struct BothHappenings;

#[derive(Component)]
#[component(event(any, any, added))]
struct SameWord;

#[derive(Component)]
#[component(event(any, added, priority = 1, priority = 2))]
struct TwoPriorities;

#[derive(Component)]
#[component(event(any, foo), event(bar, removed), event(self, added))]
struct Several(u8);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.on_twice_added(|_| ());
    entity.on_several_added(|_| ());
    game.on_any_twice_added(|_| ());
}
