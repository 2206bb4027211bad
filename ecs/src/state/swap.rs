//! Exchanging a component of two entities in one step, which is how two keys of a
//! primary index change places: one after the other, the first would be refused.

use super::admit::Pair;
use super::conclude::{Copied, conclude_all};
use super::core::HasCore;
use super::refusal::Refusal;
use super::relation::check_exchange;
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
    let core = context.core_mut();
    check_exchange::<C, T>(core, ids).map_err(error)?;
    let pair = Pair::<C, T>::prepare(core, ids).map_err(error)?;
    if ids[0] == ids[1] {
        return Ok(());
    }
    let copies = pair.copies().map(Copied);
    let stored = pair.swap();
    conclude_all(context, stored, copies);
    Ok(())
}
