//! Changing the components of one entity.
//!
//! Every change takes the same way: check everything → store the value → signature,
//! groups, collectors ([`Core::toggle`], [`Core::touch`]) → observers. A refused
//! change has changed nothing.

use core::any::Any;

use super::deliver::{tell, tell_lending, tell_queued};
use super::{Core, HasCore};
use crate::component::{Component, ComponentIndex};
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::registry::index_of;
use crate::slots::Slot;

/// The slot of an entity that a component is to be changed of.
#[inline]
fn slot<C: HasCore, T: Component<C>>(
    core: &Core<C>,
    id: EntityId<C>,
    operation: Operation,
) -> Result<Slot, Error> {
    core.slots.get(id).ok_or(Error::NotAlive {
        entity: id.raw(),
        context: C::NAME,
        operation,
        component: Some(T::NAMES),
    })
}

fn lacks<C, T: Component<C>>(id: EntityId<C>, operation: Operation) -> Error {
    Error::DoesNotHaveComponent {
        entity: id.raw(),
        component: T::NAMES,
        operation,
    }
}

/// Adds a component the entity lacks.
#[inline]
pub(crate) fn add<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Error> {
    let core = context.core_mut();
    let slot = slot::<C, T>(core, id, Operation::Add)?;
    let component = index_of::<C, T>();
    let column = core.columns.of_mut::<T>();
    if column.contains(slot.row) {
        return Err(Error::AlreadyHasComponent {
            entity: id.raw(),
            component: T::NAMES,
        });
    }
    column.insert(slot.row, value);
    if let Some(effects) = core.toggle(id, slot, component) {
        tell::<C, T>(context, id, effects, None);
    }
    Ok(())
}

/// Replaces a component, or adds it where the entity lacks it.
#[inline]
pub(crate) fn replace<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Error> {
    let core = context.core_mut();
    let slot = slot::<C, T>(core, id, Operation::Replace)?;
    let component = index_of::<C, T>();
    let column = core.columns.of_mut::<T>();
    let Some(place) = column.get_mut(slot.row) else {
        return add(context, id, value);
    };
    let previous = core::mem::replace(place, value);
    match core.touch(id, slot, component) {
        Some(effects) => tell(context, id, effects, Some(previous)),
        None => core.columns.of_mut::<T>().recycle(previous),
    }
    Ok(())
}

/// Changes a component in place.
#[inline]
pub(crate) fn update<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Error> {
    let core = context.core_mut();
    let slot = slot::<C, T>(core, id, Operation::Update)?;
    let component = index_of::<C, T>();
    let effects = core.graph.update(slot.node, component, &core.groups);
    let observed = core.graph.is_observed(effects);
    let value = core.columns.of_mut::<T>().get_mut(slot.row);
    let value = value.ok_or_else(|| lacks::<C, T>(id, Operation::Update))?;
    let previous = if observed {
        T::CLONE.map(|clone| clone(value))
    } else {
        None
    };
    change(value);
    if let Some(effects) = core.apply(id, slot.row, effects) {
        tell(context, id, effects, previous);
    }
    Ok(())
}

/// Removes a component; its value goes to the pool stack or is dropped.
#[inline]
pub(crate) fn remove<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Error> {
    let core = context.core_mut();
    let slot = slot::<C, T>(core, id, Operation::Remove)?;
    let component = index_of::<C, T>();
    let value = core.columns.of_mut::<T>().remove(slot.row);
    let value = value.ok_or_else(|| lacks::<C, T>(id, Operation::Remove))?;
    match core.toggle(id, slot, component) {
        Some(effects) => tell(context, id, effects, Some(value)),
        None => core.columns.of_mut::<T>().recycle(value),
    }
    Ok(())
}

/// Removes a component and hands its value to the caller.
#[inline]
pub(crate) fn take<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Error> {
    let core = context.core_mut();
    let slot = slot::<C, T>(core, id, Operation::Remove)?;
    let component = index_of::<C, T>();
    let Some(value) = core.columns.of_mut::<T>().remove(slot.row) else {
        return Ok(None);
    };
    if let Some(effects) = core.toggle(id, slot, component) {
        tell_lending(context, id, effects, &value as &dyn Any);
    }
    Ok(Some(value))
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
fn remove_at<C: HasCore>(context: &mut C, id: EntityId<C>, component: ComponentIndex) {
    let core = context.core_mut();
    let Some(slot) = core.slots.get(id) else {
        return;
    };
    let column = core.columns.at_mut(component);
    let Some(value) = column.and_then(|column| column.take_boxed(slot.row)) else {
        return;
    };
    match core.toggle(id, slot, component) {
        Some(effects) => {
            core.queue_change(id, Some(component), Some(value));
            core.queue_effects(effects);
            tell_queued(context);
        }
        None => {
            if let Some(column) = core.columns.at_mut(component) {
                column.recycle_boxed(value);
            }
        }
    }
}
