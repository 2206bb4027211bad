//! Exchanging a component of two entities in one step, which is how two keys of a
//! primary index change places: one after the other, the first would be refused.

use super::conclude::conclude_all;
use super::core::HasCore;
use super::previous::Previous;
use super::refusal::Refusal;
use super::relation::check_exchange;
use crate::storage::moved::Buffer;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// Exchanges component `T` of two entities: two updates, of which observers are notified when
/// both have happened.
pub(crate) fn swap<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: [EntityId<C>; 2],
) -> Result<(), Error> {
    let error = |(id, refusal): (_, Refusal)| refusal.error(id, T::NAMES, Operation::Swap);
    let (core, component) = (context.core_mut(), index_of::<C, T>());
    check_exchange(core, component, ids).map_err(error)?;
    let mut occupied = |id| core.occupied(id, component).map_err(|it| error((id, it)));
    let stored = [occupied(ids[0])?, occupied(ids[1])?];
    if ids[0] == ids[1] {
        return Ok(());
    }
    let descriptor = core.columns.describe(component);
    let (mut first, mut second) = (Buffer::new(descriptor), Buffer::new(descriptor));
    let copies = [
        core.copy_before(&stored[0], component, &mut first),
        core.copy_before(&stored[1], component, &mut second),
    ];
    let rows = stored.each_ref().map(|stored| stored.row);
    core.columns
        .exchange([component].into_iter(), rows[0], rows[1]);
    let copies = copies.map(|copy| Previous::copied(component, copy));
    conclude_all(context, stored, copies);
    Ok(())
}
