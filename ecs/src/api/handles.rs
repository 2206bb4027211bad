//! What a context lends entities as: the two types of handle that its attribute writes.

use crate::api::entity::{Entity, EntityMut};
use crate::state::HasCore;
use crate::words::origin::Origin;

/// The entity handles of a context. Implemented by `#[ecs::context]`; what one calls is in
/// [`Context`](crate::Context).
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
///
/// #[ecs::context]
/// pub struct Game;
///
/// fn first<C: Context>(context: &C) -> Option<C::Entity<'_>> {
///     context.entities().next()
/// }
///
/// let mut game = Game::new();
/// let id = game.create_entity().id();
/// assert_eq!(first(&game).unwrap().id(), id);
/// ```
pub trait Handles: HasCore {
    /// The crate that can give the handles inherent methods.
    #[doc(hidden)]
    const ORIGIN: Origin = Origin::UNKNOWN;

    /// The handle that reads an entity.
    type Entity<'a>: From<Entity<'a, Self>>;
    /// The handle that changes an entity.
    type EntityMut<'a>: From<EntityMut<'a, Self>>;
}
