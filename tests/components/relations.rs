//! Relations: components that refer to another entity.

mod clones;
mod links;
mod notices;
mod order;
mod policies;
mod rejections;
mod rescues;
mod terms;

use ecs::prelude::*;

use support::game::{ChildOf, Game, GameEntity, GameEntityMut, Id, Name, Targets};

/// Sources keep the id of a dead target.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension, by_value)]
struct Remembers {
    times: u32,
    #[component(relation(reverse = remembered_by, on_target_destroyed = keep))]
    whom: Id,
}

/// The target cannot be destroyed.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Needs(#[component(relation(reverse = needed_by, on_target_destroyed = reject))] Id);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension, cleanup(destroy))]
struct Doomed;

fn called(name: &str) -> Name {
    Name(name.to_owned())
}

/// Creates an entity with a name.
fn named(game: &mut Game, name: &str) -> Id {
    game.create_with(called(name)).id()
}

/// Creates a child of an entity, with a name.
fn child(game: &mut Game, parent: Id, name: &str) -> Id {
    game.create_with((called(name), ChildOf { parent })).id()
}
