//! Components whose accessors would hide methods of the handles.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Id(u8);

#[derive(Component)]
struct Context(u8);

#[derive(Component)]
struct Component(u8);

#[derive(Component)]
struct Empty;

#[derive(Component)]
struct Living;

#[derive(Component)]
struct With(u8);

#[derive(Component)]
struct All(u8);

#[derive(Component)]
struct Destroy(u8);

#[derive(Component)]
struct TryDestroy(u8);

#[derive(Component)]
#[component(name = "any")]
struct Something(u8);

#[derive(Component)]
#[component(name = "alive")]
struct Nothing;

#[derive(Component)]
#[component(name = "identity")]
struct Update(u8);

#[derive(Component)]
#[component(name = "on_set")]
struct Listens(u8);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_id(1).add_context(1).add_destroy(1).add_any(1);
}
