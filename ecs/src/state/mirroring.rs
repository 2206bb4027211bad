//! What a mirror changes: many values of a component at once, and many changes before the first
//! observer is notified of one.

use alloc::vec::Vec;

use super::bulk::{remove_from, replace_many};
use super::core::{Core, HasCore};
use super::dispatch::Dispatch;
use super::refusal::{Refusal, Turn};
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

/// Gives entities values of a component, whether they have one or not. Keys and targets may change
/// places among them: then they lose the component first.
pub(crate) fn set_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    values: Vec<T>,
) -> Result<(), Error> {
    if const { are_checked(T::INDEXES) } {
        let pairs: Vec<_> = ids.iter().copied().zip(&values).collect();
        let core = context.core_mut();
        if core.check_values(&pairs, Turn::OneByOne).is_err() {
            remove_present::<C, T>(context, ids);
        }
    }
    let mut values = values.into_iter();
    replace_many(context, ids, |_| values.next().expect("a value for each"))
}

/// Takes a component from those of some entities that live and have it.
pub(crate) fn remove_present<C: HasCore, T: Component<C>>(context: &mut C, ids: &[EntityId<C>]) {
    let core = context.core();
    let mut present: Vec<_> = ids
        .iter()
        .copied()
        .filter(|&id| has::<C, T>(core, id))
        .collect();
    present.sort_unstable();
    present.dedup();
    remove_from::<C, T>(context, &present);
}

/// Whether an entity lives and has a component.
pub(crate) fn has<C: HasCore, T: Component<C>>(core: &Core<C>, id: EntityId<C>) -> bool {
    let (slot, column) = (core.slots.get(id), core.columns.of::<T>());
    let (Some(slot), Some(column)) = (slot, column) else {
        return false;
    };
    column.contains(slot.row)
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
        return Err(Refusal::Owned(owner.raw()).error::<C, T>(id, Operation::Add));
    }
    // The targets of a relation are those of the origin still, so it is not checked yet.
    if const { has_primary(T::INDEXES) && !has_relation(T::INDEXES) }
        && let Err(Refusal::Taken(taken)) = core.check_value(id, value)
        && let Some(owner) = core.slots.living_in::<C>(taken.owner.index())
        && keeps(owner.0)
    {
        return Err(Refusal::Taken(taken).error::<C, T>(id, Operation::Add));
    }
    Ok(())
}
