//! Contexts that exist before some of their components: tests write these by hand, without a
//! link-time registration, so each is numbered on first use.

/// Used by no other test, because the components of a test must not be numbered after late ones.
#[ecs::context]
pub(crate) struct Game;

/// A second context, for a component of both.
#[ecs::context]
pub(crate) struct Other;
