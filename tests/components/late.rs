//! Contexts that are there before some of their components: tests write these by hand, so that no
//! link-time registration tells of them, and each is numbered when it is first used.

/// Apart from all others, whose components would be numbered behind those that come late.
#[ecs::context]
pub(crate) struct Game;

/// To have two contexts of one component.
#[ecs::context]
pub(crate) struct Other;
