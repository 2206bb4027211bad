//! What slots refuse: entities of another context, and more than there can be.

use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::words::lineage::Lineage;

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn foreign<C>(id: EntityId<C>, here: Lineage) -> ! {
    let name = name_of::<C>();
    let (other, here) = (id.lineage().number(), here.number());
    panic!(
        "entity {id} is one of `{name}` number {other}, and was looked up in `{name}` number {here}: \
         an id is good for the one context that created it; use an id that this context has given \
         out, or find the entity by a key of your own, in a component with `primary_index`"
    )
}

/// The error of an entity that there is no slot for.
#[cold]
pub(super) fn too_many<C>() -> Error {
    Error::too_many_entities(name_of::<C>())
}

/// What a context is called in messages.
fn name_of<C>() -> &'static str {
    let path = core::any::type_name::<C>();
    path.rsplit("::").next().unwrap_or(path)
}
