//! Changing the components of one entity.
//!
//! Every change takes the same way: check everything → store the value → signature
//! → groups and collectors ([`Core::apply`](super::Core::apply)) → entity indexes ([`follow`]) →
//! observers. A refused change has changed nothing. That keys are not taken is checked by the
//! callers of these functions ([`check_keys`]), but for [`update_checked`].
//!
//! The functions here are inlined where they are called, so what is rare in them
//! stands in functions of its own.

use core::any::Any;

use super::HasCore;
use super::deliver::{tell, tell_lending, tell_of_copy, tell_queued};
use super::index::{check_keys, follow};
use crate::column::ColumnOf;
use crate::component::{Component, ComponentIndex};
use crate::effects::EffectsIndex;
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::field_index::has_primary;
use crate::slots::Row;

/// Why a change of a component is refused: an [`Error`] in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The entity is dead.
    Dead,
    /// The entity has the component already, or another one has it and it is unique.
    Present,
    /// The entity lacks the component.
    Absent,
}

impl Refusal {
    /// The error that says what was tried on which entity with which component.
    #[cold]
    pub(crate) fn error<C: HasCore, T: Component<C>>(
        self,
        id: EntityId<C>,
        operation: Operation,
    ) -> Error {
        let (entity, component) = (id.raw(), T::NAMES);
        match self {
            Self::Dead => Error::NotAlive {
                entity,
                context: C::NAME,
                operation,
                component: Some(component),
            },
            Self::Present => Error::AlreadyHasComponent { entity, component },
            Self::Absent => Error::DoesNotHaveComponent {
                entity,
                component,
                operation,
            },
        }
    }
}

/// Adds a component the entity lacks.
#[inline]
pub(crate) fn add<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    core.install_indexes_of::<T>();
    if T::UNIQUE {
        core.claim::<T>(id)?;
    }
    let slot = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let row = slot.row;
    if column.insert(row, value).is_err() {
        return Err(Refusal::Present);
    }
    let (target, effects) = core.graph.toggle(slot.node, component, &core.groups);
    slot.node = target;
    if effects != EffectsIndex::NONE {
        spread::<C, T>(context, id, row, effects, None);
    }
    Ok(())
}

/// Replaces a component, or adds it where the entity lacks it.
#[inline]
pub(crate) fn replace<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let Some(place) = column.get_mut(slot.row) else {
        return add(context, id, value);
    };
    let previous = core::mem::replace(place, value);
    let effects = core.graph.update(slot.node, component, &core.groups);
    if effects == EffectsIndex::NONE {
        recycle::<C, T>(column, previous);
    } else {
        spread(context, id, slot.row, effects, Some(previous));
    }
    Ok(())
}

/// Changes a component in place.
#[inline]
fn update<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let value = column.get_mut(slot.row).ok_or(Refusal::Absent)?;
    let effects = core.graph.update(slot.node, component, &core.groups);
    let what = core.graph.effects().get(effects);
    let mut copy = None;
    if what.are_followed() {
        let clone = T::CLONE.filter(|_| what.are_observed());
        copy = clone.map(|clone| clone(value));
        core.indexes.prepare(id, &what.indexed); // `change` may panic
    }
    change(value);
    if let Some(effects) = core.apply(id, slot.row, effects)
        && follow(context, id, effects)
    {
        tell_of_copy(context, id, effects, copy);
    }
    Ok(())
}

/// Changes a component in place, or a copy of it where keys are to be checked first: the
/// copy then takes its place.
#[inline]
pub(crate) fn update_checked<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Error> {
    let updated = match copy_to_check::<C, T>(context, id) {
        Some(mut copy) => {
            change(&mut copy);
            check_keys(context.core(), &[(id.raw(), &copy)], Operation::Update)?;
            replace(context, id, copy)
        }
        None => update(context, id, change),
    };
    updated.map_err(|refusal| refusal.error::<C, T>(id, Operation::Update))
}

/// A copy of a component that has a primary index.
#[inline]
fn copy_to_check<C: HasCore, T: Component<C>>(context: &C, id: EntityId<C>) -> Option<T> {
    if !const { has_primary(T::INDEXES) } {
        return None;
    }
    let row = context.core().slots.get(id)?.row;
    let value = context.core().columns.of::<T>()?.get(row)?;
    Some(T::CLONE?(value))
}

/// Removes a component; its value goes to the pool stack or is dropped.
#[inline]
pub(crate) fn remove<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let row = slot.row;
    let value = column.remove(row).ok_or(Refusal::Absent)?;
    let (target, effects) = core.graph.toggle(slot.node, component, &core.groups);
    slot.node = target;
    if effects == EffectsIndex::NONE {
        recycle::<C, T>(column, value);
    } else {
        spread(context, id, row, effects, Some(value));
    }
    Ok(())
}

/// Removes a component and hands its value to the caller.
#[inline]
pub(crate) fn take<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let Some(value) = column.remove(slot.row) else {
        return Ok(None);
    };
    if let Some(effects) = core.toggle(id, slot, component)
        && follow(context, id, effects)
    {
        tell_lending(context, id, effects, &value as &dyn Any);
    }
    Ok(Some(value))
}

/// Carries a change that concerns some group on: to the groups, the collectors, the
/// entity indexes, and the observers, who are lent the previous value, which is recycled at last.
#[inline(never)]
fn spread<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    mut previous: Option<T>,
) {
    if let Some(effects) = context.core_mut().apply(id, row, effects)
        && follow(context, id, effects)
    {
        tell(context, id, effects, &mut previous);
    }
    if T::POOLED
        && let Some(value) = previous
    {
        context.core_mut().columns.of_mut::<T>().pool().push(value);
    }
}

/// Puts a value that was moved out on the pool stack, or drops it.
#[inline]
fn recycle<C, T: Component<C>>(column: &mut ColumnOf<T>, value: T) {
    if T::POOLED {
        column.pool().push(value);
    }
}

/// Takes a value from the pool stack, or a default one, and has it filled.
#[inline]
pub(crate) fn filled<C: HasCore, T: Component<C> + Default>(
    context: &mut C,
    fill: impl FnOnce(&mut T),
) -> T {
    let pooled = context.core_mut().columns.of_mut::<T>().pool().pop();
    let mut value = pooled.unwrap_or_default();
    fill(&mut value);
    value
}

/// Removes every component, in ascending order, one change each. Ends early where
/// an observer destroys the entity.
pub(crate) fn remove_all<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core();
    let slot = core.slots.get(id).ok_or(Error::NotAlive {
        entity: id.raw(),
        context: C::NAME,
        operation: Operation::Remove,
        component: None,
    })?;
    for component in core.graph.components(slot.node).clone().iter() {
        remove_at(context, id, component);
    }
    Ok(())
}

/// Removes the component with an index, if the entity lives and has it.
pub(crate) fn remove_at<C: HasCore>(context: &mut C, id: EntityId<C>, component: ComponentIndex) {
    let core = context.core_mut();
    let Some(slot) = core.slots.get(id) else {
        return;
    };
    if !core.graph.components(slot.node).contains(component) {
        return;
    }
    let Some(effects) = core.toggle(id, slot, component) else {
        core.columns.discard(&[component], &[slot.row]);
        return;
    };
    let column = core.columns.at_mut(component);
    let value = column.and_then(|column| column.take_boxed(slot.row));
    let observed = follow(context, id, effects);
    let core = context.core_mut();
    if observed {
        core.queue_change(id, Some(component), value);
        core.queue_effects(effects);
        tell_queued(context);
    } else if let (Some(column), Some(value)) = (core.columns.at_mut(component), value) {
        column.recycle_boxed(value);
    }
}
