//! Changing one component of one entity: admit → store → propagate → notify.
//!
//! Each function here is a change, and its stages stand in files of their own:
//!
//! ```text
//! admit.rs      may it happen? ─► Vacancy, Occupied or Held: the entity's row, edge and place
//! store.rs      the value in its place, the entity at its node ─► Stored
//! propagate.rs  groups and collectors ┐
//! index.rs      entity indexes        ├ conclude.rs
//! dispatch.rs   observers             ┘
//! ```
//!
//! The functions are inlined where they are called. What is rare is a function of its own that
//! has the change prepared and then stores and concludes it like any other; so the usual way has
//! no call to come back from.

use alloc::vec::Vec;

use super::admit::{Held, Occupied, Refusal, Vacancy};
use super::conclude::{
    Gone, conclude, conclude_added, conclude_followed, conclude_taken, conclude_unfollowed,
};
use super::core::HasCore;
use super::insert::insert;
use super::merge::Present;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::field_index::are_checked;

/// A value for an entity, for the prepared ways. Made only there, so that on the usual way nothing
/// leads to the value, which can stay in registers.
struct Wanted<C, T> {
    id: EntityId<C>,
    value: T,
}

/// Adds a component the entity lacks.
#[inline(always)] // called for each component that an entity gets; by its size alone it may not be
pub(crate) fn add<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Refusal> {
    if const { T::REQUIRES } && context.core().lacks_required::<T>(id) {
        return add_with_required(context, Wanted { id, value });
    }
    let Some(vacancy) = Vacancy::known(context.core_mut(), id) else {
        return add_prepared(context, Wanted { id, value });
    };
    let stored = vacancy.fill(value);
    conclude_added::<C, T>(context, stored);
    Ok(())
}

#[cold]
#[inline(never)]
fn add_prepared<C: HasCore, T: Component<C>>(
    context: &mut C,
    Wanted { id, value }: Wanted<C, T>,
) -> Result<(), Refusal> {
    let stored = Vacancy::prepare(context.core_mut(), id, &value)?.fill(value);
    conclude_added::<C, T>(context, stored);
    Ok(())
}

/// Adds a component and what it requires, in one change.
#[cold]
#[inline(never)]
fn add_with_required<C: HasCore, T: Component<C>>(
    context: &mut C,
    Wanted { id, value }: Wanted<C, T>,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    core.check_vacant::<T>(id)?;
    core.check_value(id, &value)?;
    let inserted = insert(context, id, Present::Refuse, |writer| writer.put(value));
    inserted.expect("it has been admitted, and what can be required is never refused");
    Ok(())
}

/// Replaces a component, or adds it if the entity lacks it.
#[inline]
pub(crate) fn replace<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    mut value: T,
) -> Result<(), Refusal> {
    if const { !are_checked(T::INDEXES) }
        && let Some(occupied) = Occupied::known(context.core_mut(), id)
    {
        // Told apart first, so that the value before is not even read if nobody wants it.
        if occupied.entity.effects.is_followed() {
            let stored = occupied.swap(&mut value);
            conclude_followed(context, stored, Gone::replaced(value));
        } else {
            let stored = occupied.swap(&mut value);
            conclude_unfollowed(context, stored, Gone::replaced(value));
        }
        return Ok(());
    }
    replace_prepared(context, Wanted { id, value })
}

#[cold]
#[inline(never)]
fn replace_prepared<C: HasCore, T: Component<C>>(
    context: &mut C,
    Wanted { id, mut value }: Wanted<C, T>,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    match Occupied::<C, T>::prepare(core, id).map(|_| ()) {
        Err(Refusal::Absent) => return add(context, id, value),
        admitted => admitted?,
    }
    core.check_value(id, &value)?;
    let stored = Occupied::prepare(core, id)?.swap(&mut value);
    conclude(context, stored, Gone::replaced(value));
    Ok(())
}

/// Removes a component; its value goes to the pool stack or is dropped.
#[inline(always)] // called for each component that an entity loses, as `add` is
pub(crate) fn remove<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Refusal> {
    let held = Held::<C, T>::known(context.core_mut(), id);
    let Some((stored, value)) = held.and_then(Held::take_beside) else {
        return remove_prepared::<C, T>(context, id);
    };
    conclude(context, stored, Gone::removed(value));
    Ok(())
}

#[cold]
#[inline(never)]
fn remove_prepared<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Refusal> {
    let held = Held::<C, T>::prepare(context.core_mut(), id)?;
    let (stored, value) = held.take().ok_or(Refusal::Absent)?;
    conclude(context, stored, Gone::removed(value));
    Ok(())
}

/// Removes a component and hands its value to the caller.
#[inline]
pub(crate) fn take<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Refusal> {
    let held = Held::<C, T>::known(context.core_mut(), id);
    let Some((stored, value)) = held.and_then(Held::take_beside) else {
        return take_prepared(context, id);
    };
    conclude_taken(context, stored, &value);
    Ok(Some(value))
}

#[cold]
#[inline(never)]
fn take_prepared<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Refusal> {
    let held = match Held::<C, T>::prepare(context.core_mut(), id) {
        Err(Refusal::Absent) => return Ok(None),
        held => held?,
    };
    let (stored, value) = held.take().ok_or(Refusal::Absent)?;
    conclude_taken(context, stored, &value);
    Ok(Some(value))
}

/// Has a default value filled: in the memory of one from the pool stack, if there is one.
#[inline]
pub(crate) fn filled<C: HasCore, T: Component<C> + Default>(
    context: &mut C,
    fill: impl FnOnce(&mut T),
) -> T {
    let mut value = T::default();
    let pool = context.core_mut().columns.pool::<T>();
    if let Some(mut pooled) = pool.and_then(Vec::pop) {
        T::RECYCLE(&mut pooled, &mut value);
        value = pooled; // the fresh one is dropped
    }
    fill(&mut value);
    value
}
