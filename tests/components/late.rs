//! Contexts that exist before some of their components: tests write these by hand, without a
//! link-time registration, so each is numbered on first use.

use ecs::prelude::*;

/// Used by no other test, because the components of a test must not be numbered after late ones.
#[ecs::context]
pub(crate) struct Game;

/// Not late, so its index is there when a tree is checked whose other components are.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Under(#[component(relation(reverse = those_under))] pub(crate) EntityId<Game>);

/// A second context, for a component of both.
#[ecs::context]
pub(crate) struct Other;
