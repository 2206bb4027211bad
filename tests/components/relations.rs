//! Relations: components that lead from one entity to another one.

mod clones;
mod links;
mod notices;
mod policies;
mod refusals;

use ecs::prelude::*;

#[ecs::context]
struct Game;

/// Sources end with their target.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: EntityId<Game>,
}

/// Sources lose the component.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Targets(#[component(relation(reverse = targeted_by))] EntityId<Game>);

/// Sources keep the dead id.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, by_value)]
struct Remembers {
    times: u32,
    #[component(relation(reverse = remembered_by, on_target_destroyed = keep))]
    whom: EntityId<Game>,
}

/// The target cannot be destroyed.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Needs(
    #[component(relation(reverse = needed_by, on_target_destroyed = refuse))] EntityId<Game>,
);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, cleanup(destroy))]
struct Doomed;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Name(&'static str);

/// An entity with a name.
fn named(game: &mut Game, name: &'static str) -> EntityId<Game> {
    game.create_with(Name(name)).id()
}

/// A child of an entity, with a name.
fn child(game: &mut Game, parent: EntityId<Game>, name: &'static str) -> EntityId<Game> {
    game.create_with((Name(name), ChildOf { parent })).id()
}
