//! What the values that a bundle puts are for, if a refusal is to be an error, or the entity lives
//! already.

use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// An attempt to put a bundle, as long as its writer is at work.
pub(crate) struct Attempt<C> {
    /// The entity that is to have the values, if not a new one.
    pub(super) entity: Option<EntityId<C>>,
    /// Why the first of them was refused.
    pub(super) refused: Option<Error>,
}
