//! What a mirror changes: many values of a component at once, and many changes before the first
//! observer is notified of one.

use alloc::vec::Vec;

use super::core::{Core, HasCore};
use super::dispatch::Dispatch;
use super::refusal::{Refusal, Turn};
use super::untyped::remove_at;
use super::write::replace;
use crate::storage::registry::index_of;
use crate::storage::value_list::ValueList;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::field_index::{are_checked, has_primary, has_relation};

/// Makes changes, and notifies observers of them when all are made: in the order of the changes,
/// or in their turn if a change is under way. Observers of entities that are about to be destroyed
/// are notified at once.
pub(crate) fn together<C: HasCore, R>(context: &mut C, change: impl FnOnce(&mut C) -> R) -> R {
    let mut dispatch = Dispatch::join(context);
    let result = change(dispatch.context());
    let own = dispatch.context().core_mut().queue.steps.len();
    dispatch.run_beside(own);
    result
}

/// Gives living entities values of a component, whether they have one or not. Keys and targets may
/// change places among them: then they lose the component first.
pub(crate) fn set_mirrored<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[Option<EntityId<C>>],
    values: &mut ValueList,
) -> Result<(), Error> {
    if const { are_checked(T::INDEXES) } {
        make_way::<C, T>(context, ids, values);
    }
    for &id in ids {
        let living = context.core().living(id);
        if let (Some(value), Some(id)) = (values.pop_first::<T>(), living)
            && let Err(refusal) = replace(context, id, value)
        {
            return Err(refusal.error(id, T::NAMES, Operation::Replace));
        }
    }
    Ok(())
}

impl<C: 'static> Core<C> {
    /// The entity, if there is one and it lives.
    fn living(&self, id: Option<EntityId<C>>) -> Option<EntityId<C>> {
        id.filter(|&id| self.slots.get(id).is_some())
    }
}

/// Takes the component from entities if the values cannot be put in place one after the other.
fn make_way<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[Option<EntityId<C>>],
    values: &ValueList,
) {
    let core = context.core_mut();
    let pairs = ids.iter().zip(values.as_slice::<T>().unwrap_or_default());
    let pairs = pairs.filter_map(|(id, value)| Some(((*id)?, value)));
    let pairs: Vec<_> = pairs
        .filter(|(id, _)| core.slots.get(*id).is_some())
        .collect();
    if core.check_values(&pairs, Turn::OneByOne).is_err() {
        for id in ids.iter().flatten() {
            let _ = remove_at(context, *id, index_of::<C, T>()); // it may lack it
        }
    }
}

/// Refuses a value for an entity, which may be about to be created, if one that keeps what it has is
/// in the way: the owner of a unique component, or of a key.
pub(crate) fn check_mirrored<C: HasCore, T: Component<C>>(
    core: &mut Core<C>,
    id: EntityId<C>,
    value: &T,
    keeps: impl Fn(EntityId<C>) -> bool,
) -> Result<(), Error> {
    if T::UNIQUE
        && let Some(owner) = core.owner::<T>()
        && owner != id
        && keeps(owner)
    {
        return Err(Refusal::Owned(owner.raw()).error(id, T::NAMES, Operation::Add));
    }
    // The targets of a relation are those of the origin still, so it is not checked yet.
    if const { has_primary(T::INDEXES) && !has_relation(T::INDEXES) }
        && let Err(Refusal::Taken(taken)) = core.check_value(id, value)
        && let Some(owner) = core.slots.living_in::<C>(taken.owner.index())
        && keeps(owner.0)
    {
        return Err(Refusal::Taken(taken).error(id, T::NAMES, Operation::Add));
    }
    Ok(())
}
