//! Changing one component of one entity where it is: admit → store → propagate → notify, as in
//! `write.rs`, but that a closure of users stores.
//!
//! If the closure panics, what it has written is there. So it is followed like a finished update by all
//! that run no user code: collectors, the history, indexes. Observers are not notified while a panic
//! unwinds.

use core::mem::ManuallyDrop;

use super::commit::{Transition, commit, commit_component};
use super::core::{HasCore, Registries};
use super::previous::Previous;
use super::relation::check_swap;
use super::validate::fast::{FAST, Occupied};
use super::validate::{Rejection, Stored};
use super::write::replace;
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::{Buffer, Moved, Slot};
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;

/// Changes a component in place, or a copy of it if keys are to be checked first: the
/// copy then takes its place.
#[inline]
pub(crate) fn update<C: HasCore, T: Component<C>, R>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T) -> R,
) -> Result<R, Rejection> {
    if const { are_checked(T::INDEXES) }
        && let Some(mut copy) = copy_to_check::<C, T>(context, id)
    {
        let returned = change(&mut copy);
        replace(context, id, copy)?;
        return Ok(returned);
    }
    if const { FAST }
        && let Some(occupied) = Occupied::near(context.core_mut(), id)
        && occupied.effects.are_known()
    {
        let Occupied { row, effects, .. } = occupied;
        if effects == EffectsIndex::NONE {
            return Ok(change(occupied.value));
        }
        let id = id.untyped();
        let stored = Stored { id, row, effects };
        return Ok(update_notified(context, stored, index_of::<C, T>(), change));
    }
    let component = index_of::<C, T>();
    let stored = context.core_mut().occupied(id.untyped(), component)?;
    Ok(update_notified(context, stored, component, change))
}

/// Changes a value of which somebody is to be told.
#[inline]
fn update_notified<C: HasCore, T: Component<C>, R>(
    context: &mut C,
    stored: Stored,
    component: RawComponentIndex,
    change: impl FnOnce(&mut T) -> R,
) -> R {
    let mut buffer = Buffer::new(const { ComponentDescriptor::of::<C, T>() });
    let update = Update::start(context.core_mut(), stored, component, &mut buffer);
    let row = update.stored.row;
    let column = update.core.columns.at_mut(component);
    let value = column.and_then(|column| column.typed_mut::<T>()?.get_mut(row));
    let returned = change(value.expect("what is stored has a value"));
    let (stored, previous) = update.end();
    commit_component(context, stored.id, stored.effects, previous);
    returned
}

/// Changes a copy of a component, while everything can be read as it is; then the copy takes the
/// place of the value.
pub(crate) fn update_with<C: HasCore, T: Component<C> + Clone, R>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T, &C) -> R,
) -> Result<R, Rejection> {
    let mut copy = clone_of::<C, T>(context, id)?;
    let returned = change(&mut copy, context);
    let mut slot = Slot::of(copy);
    let copy = slot.moved(const { ComponentDescriptor::of::<C, T>() });
    store_copy(context, id.untyped(), index_of::<C, T>(), copy)?;
    Ok(returned)
}

/// Stores a changed copy of a value; the value takes the place of the copy.
fn store_copy<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    component: RawComponentIndex,
    mut copy: Moved<'_>,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    core.check_value(id, component, copy.view())?;
    let stored = core.occupied(id, component)?;
    core.swap_with(stored.row, component, &mut copy);
    let previous = Previous::copied(component, Some(copy));
    commit_component(context, stored.id, stored.effects, previous);
    Ok(())
}

/// A clone of a component.
pub(super) fn clone_of<C: HasCore, T: Component<C> + Clone>(
    context: &C,
    id: EntityId<C>,
) -> Result<T, Rejection> {
    let row = context.core().slots.get(id).ok_or(Rejection::Dead)?.row;
    let column = context.core().typed().of::<T>();
    let value = column.and_then(|column| column.get(row));
    value.cloned().ok_or(Rejection::Absent)
}

/// A copy of a component whose values are checked.
#[inline]
pub(super) fn copy_to_check<C: HasCore, T: Component<C>>(
    context: &C,
    id: EntityId<C>,
) -> Option<T> {
    if const { !are_checked(T::INDEXES) } {
        return None;
    }
    let row = context.core().slots.get(id)?.row;
    let value = context.core().typed().of::<T>()?.get(row)?;
    Some(T::CLONE?(value))
}

/// An update of which somebody is to be told. If it is dropped, by a panic, collectors and indexes
/// follow the entity, and the history gets the copy.
pub(super) struct Update<'a, 'b> {
    pub(super) core: &'a mut Registries,
    stored: Stored,
    component: RawComponentIndex,
    /// The value before, if observers or a history are to have it.
    copy: Option<Moved<'b>>,
}

impl<'a, 'b> Update<'a, 'b> {
    /// Gets ready for a change of the value; a copy of it goes to the buffer.
    pub(super) fn start(
        core: &'a mut Registries,
        stored: Stored,
        component: RawComponentIndex,
        buffer: &'b mut Buffer,
    ) -> Self {
        let copy = match stored.effects.is_observed() {
            true => core.copy_before(&stored, component, buffer),
            false => None,
        };
        Self {
            core,
            stored,
            component,
            copy,
        }
    }

    /// What is to be committed.
    pub(super) fn end(self) -> (Stored, Previous<'b>) {
        let mut update = ManuallyDrop::new(self);
        let Stored { id, row, effects } = update.stored;
        let previous = Previous::copied(update.component, update.copy.take());
        (Stored { id, row, effects }, previous)
    }
}

impl Drop for Update<'_, '_> {
    #[cold]
    fn drop(&mut self) {
        let Stored { id, effects, .. } = self.stored;
        self.core.propagate_panicked(id, effects);
        if effects.is_recorded()
            && let Some(copy) = self.copy.take()
        {
            self.core
                .record_moved(Kind::Replaced, id, self.component, copy);
        }
    }
}

/// Exchanges component `T` of two entities: two updates, of which observers are notified when
/// both have happened.
pub(crate) fn swap<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: [EntityId<C>; 2],
) -> Result<(), Error> {
    let swapped = swap_at(context, ids.map(EntityId::untyped), index_of::<C, T>());
    swapped.map_err(|(id, rejection)| {
        let core = context.core();
        core.rejected(rejection, id, T::NAMES, Operation::Swap)
    })
}

fn swap_at<C: HasCore>(
    context: &mut C,
    ids: [UntypedId; 2],
    component: RawComponentIndex,
) -> Result<(), (UntypedId, Rejection)> {
    let core = context.core_mut();
    check_swap(core, component, ids)?;
    let mut occupied = |id| {
        core.occupied(id, component)
            .map_err(|rejection| (id, rejection))
    };
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
    core.columns.swap([component].into_iter(), rows[0], rows[1]);
    let mut copies = copies.into_iter();
    let mut changes = stored.map(|Stored { id, effects, .. }| {
        core.mark(id, effects);
        let copy = copies.next().flatten();
        let previous = Previous::copied(component, copy);
        Transition {
            id,
            effects,
            previous,
        }
    });
    commit(context, &mut changes);
    Ok(())
}
