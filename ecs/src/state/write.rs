//! Changing the components of one entity.
//!
//! Every change takes the same way: check everything → store the value → signature
//! → groups and collectors ([`Core::spread`](super::Core::spread)) → entity indexes ([`follow`]) →
//! observers. A refused change has changed nothing. That keys are not taken is checked by the
//! callers of these functions ([`check_keys`]), but for [`update_checked`].
//!
//! The functions here are inlined where they are called. What is rare stands in a function of
//! its own that does the whole change, so that the usual way has no call to come back from:
//!
//! ```text
//! add ─ alive, numbered, edge known, block there, row free? ─yes─► value, node ─► pass_on_new
//!                            │no                                                     ▲
//!                            ▼                                                       │
//!                       add_slowly: numbers, learns, opens; or refuses ──────────────┘
//! ```

use alloc::boxed::Box;
use core::any::Any;

use super::core::{Core, HasCore};
use super::deliver::{hear, tell_queued};
use super::index::{check_keys, follow};
use crate::matching::effects::EffectsIndex;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::field_index::has_primary;

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
            Self::Dead => Error::not_alive_for(entity, component, operation),
            Self::Present => Error::already_has(entity, component),
            Self::Absent => Error::does_not_have(entity, component, operation),
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
    let (row, node) = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
    if !T::UNIQUE
        && T::INDEXES.is_empty()
        && let Some((component, column)) = core.columns.known::<T>()
        && let Some((target, effects)) = core.graph.known_toggle(*node, component)
        && let Some(place) = column.place_beside(row)
    {
        place.fill(value);
        *node = target;
        pass_on_new(context, id, row, effects);
        return Ok(());
    }
    add_slowly(context, id, value)
}

/// The same, where anything is to be done for the first time, or is refused.
#[cold]
#[inline(never)]
fn add_slowly<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    core.install_indexes_of::<T>();
    core.collect_signatures();
    if T::UNIQUE {
        core.claim::<T>(id)?;
    }
    let (row, node) = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    if column.insert(row, value).is_err() {
        return Err(Refusal::Present);
    }
    let (target, effects) = core.graph.toggle(*node, component, &mut core.groups);
    *node = target;
    pass_on_new(context, id, row, effects);
    Ok(())
}

/// Replaces a component, or adds it where the entity lacks it.
#[inline]
pub(crate) fn replace<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    mut value: T,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get(id).ok_or(Refusal::Dead)?;
    if let Some((component, column)) = core.columns.known::<T>()
        && let Some(effects) = core.graph.known_update(slot.node, component)
        && let Some(place) = column.get_mut(slot.row)
    {
        core::mem::swap(place, &mut value);
        pass_on(context, id, slot.row, effects, value);
        return Ok(());
    }
    replace_slowly(context, id, value)
}

/// The same, where anything is to be done for the first time, or the component is missing.
#[cold]
#[inline(never)]
fn replace_slowly<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    mut value: T,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let slot = core.slots.get(id).ok_or(Refusal::Dead)?;
    let (component, column) = core.columns.with_index::<T>();
    let Some(place) = column.get_mut(slot.row) else {
        return add(context, id, value);
    };
    core::mem::swap(place, &mut value);
    let effects = core.graph.update(slot.node, component, &core.groups);
    pass_on(context, id, slot.row, effects, value);
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
    let mut copy = None;
    if effects.is_followed() {
        let what = core.graph.effects().get(effects);
        let clone = T::CLONE.filter(|_| what.are_observed());
        copy = clone.map(|clone| clone(value));
        core.indexes.prepare(id, &what.indexed); // `change` may panic
    }
    change(value);
    if effects != EffectsIndex::NONE {
        let previous = copy.as_ref().map(|copy| copy as &dyn Any);
        if carry(context, id, slot.row, effects, previous) {
            queue(context, id, effects, None, copy);
        }
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
    let (row, node) = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
    if let Some((component, column)) = core.columns.known::<T>()
        && let Some((target, effects)) = core.graph.known_toggle(*node, component)
        && let Some(value) = column.remove_beside(row)
    {
        *node = target;
        pass_on(context, id, row, effects, value);
        return Ok(());
    }
    remove_slowly::<C, T>(context, id)
}

/// The same, where anything is to be done for the first time, or is refused.
#[cold]
#[inline(never)]
fn remove_slowly<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    core.collect_signatures();
    let (value, row, effects) = core.detach::<T>(id)?.ok_or(Refusal::Absent)?;
    pass_on(context, id, row, effects, value);
    Ok(())
}

/// Removes a component and hands its value to the caller.
#[inline]
pub(crate) fn take<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Refusal> {
    let Some((value, row, effects)) = context.core_mut().detach::<T>(id)? else {
        return Ok(None);
    };
    if effects != EffectsIndex::NONE && carry(context, id, row, effects, Some(&value)) {
        queue::<C, T>(context, id, effects, None, None); // the value is the caller's
    }
    Ok(Some(value))
}

impl<C: 'static> Core<C> {
    /// Moves the value of a component out, if the entity has one, and the entity to the
    /// node without it.
    fn detach<T: Component<C>>(
        &mut self,
        id: EntityId<C>,
    ) -> Result<Option<(T, Row, EffectsIndex)>, Refusal> {
        let (row, node) = self.slots.get_mut(id).ok_or(Refusal::Dead)?;
        let (component, column) = self.columns.with_index::<T>();
        let Some(value) = column.remove(row) else {
            return Ok(None);
        };
        let (target, effects) = self.graph.toggle(*node, component, &mut self.groups);
        *node = target;
        Ok(Some((value, row, effects)))
    }
}

/// Carries an addition on, if it concerns anybody.
#[inline]
fn pass_on_new<C: HasCore>(context: &mut C, id: EntityId<C>, row: Row, effects: EffectsIndex) {
    if effects.is_followed() {
        tell_new(context, id, row, effects);
    } else if effects != EffectsIndex::NONE {
        context.core_mut().spread(id, row, effects);
    }
}

#[inline(never)]
fn tell_new<C: HasCore>(context: &mut C, id: EntityId<C>, row: Row, effects: EffectsIndex) {
    if hear(context, id, row, effects, None) {
        queue::<C, ()>(context, id, effects, None, None);
    }
}

/// Carries a change on, if it concerns anybody; then the previous value goes to the pool
/// stack or is dropped.
#[inline]
fn pass_on<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: T,
) {
    if effects.is_followed() {
        return tell::<C, T>(context, id, row, effects, previous);
    }
    let core = context.core_mut();
    if effects != EffectsIndex::NONE {
        core.spread(id, row, effects);
    }
    if T::POOLED {
        core.columns.of_mut::<T>().pool().push(previous);
    }
}

/// The same, where entity indexes or observers follow. These are lent the previous value,
/// or it waits with the news.
#[inline(never)]
fn tell<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: T,
) {
    if hear(context, id, row, effects, Some(&previous)) {
        queue(
            context,
            id,
            effects,
            Some(index_of::<C, T>()),
            Some(previous),
        );
    } else if T::POOLED {
        context
            .core_mut()
            .columns
            .of_mut::<T>()
            .pool()
            .push(previous);
    }
}

/// Carries a change on that concerns somebody, lending the previous value. Gives true where
/// the caller has to [`queue`] the news.
#[inline(never)]
fn carry<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: Option<&dyn Any>,
) -> bool {
    if effects.is_followed() {
        return hear(context, id, row, effects, previous);
    }
    context.core_mut().spread(id, row, effects);
    false
}

/// Queues the news of a change behind the delivery under way. Its previous value is put
/// on the pool stack of `recycle_to` at last, or dropped.
#[cold]
#[inline(never)]
fn queue<C: HasCore, T: Any + Send + Sync>(
    context: &mut C,
    id: EntityId<C>,
    effects: EffectsIndex,
    recycle_to: Option<ComponentIndex>,
    previous: Option<T>,
) {
    let core = context.core_mut();
    let previous = previous.map(|value| Box::new(value) as Box<AnyValue>);
    core.queue_change(id, recycle_to, previous);
    core.queue_effects(effects);
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
    let slot = core.slots.get(id);
    let slot = slot.ok_or_else(|| Error::not_alive(id.raw(), C::NAME, Operation::Remove))?;
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
