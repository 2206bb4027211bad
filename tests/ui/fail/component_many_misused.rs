//! Attributes that make no sense for components that an entity can have several of.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[ecs::context]
pub struct Input;

#[derive(Component)]
#[component(context = Game, many = true)]
struct WithValue(u8);

#[derive(Component)]
#[component(context = Game, many)]
struct Flag;

#[derive(Component)]
#[component(context = Game, many, unique)]
struct Score(u8);

#[derive(Component)]
#[component(context = Game, many, disables)]
struct Disables(u8);

#[derive(Component)]
#[component(context = Game, many, no_accessors)]
struct NoAccessors(u8);

#[derive(Component, Default)]
#[component(context = Game, many, pooled)]
struct Pooled(u8);

#[derive(Component)]
#[component(context = Game, many, transient)]
struct Transient(u8);

#[derive(Component)]
#[component(context = Game, many, cleanup(remove))]
struct Cleanup(u8);

#[derive(Component)]
#[component(context(Game, Input), many)]
struct OfTwo(u8);

#[derive(Component, Clone)]
#[component(context = Game, many)]
struct Twice(#[component(relation(many))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game, unique)]
struct UniqueLink(#[component(relation(many, acyclic, on_target_destroyed = destroy))] EntityId<Game>);

#[derive(Component)]
#[component(context = Game, many)]
struct Mesh(u8);

#[derive(Component, Default)]
#[component(context = Game, many)]
struct Part(u8);

#[derive(Component)]
#[component(context = Game, requires(Part))]
struct Ship(u8);

fn main() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    game.entity_mut(id).replace_mesh(1);
    game.create_with(ecs::EntryOf::<_, Ship>::new(id));
}
