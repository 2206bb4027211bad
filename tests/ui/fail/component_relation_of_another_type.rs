//! The field of a relation must be an entity id of the component's context.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[ecs::context]
pub struct Input;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Several(#[component(relation)] Vec<EntityId<Game>>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Optional(#[component(relation)] Option<EntityId<Game>>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct OfAnother(#[component(relation)] EntityId<Input>);

fn main() {}
