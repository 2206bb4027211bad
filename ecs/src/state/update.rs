//! Changing one component of one entity where it is: admit → store → propagate → notify, as in
//! `write.rs`, but that a closure of users stores.
//!
//! If the closure panics, what it has written is there. So it is followed like a finished update by all
//! that run no user code: collectors, the history, indexes. Observers are not notified while a panic
//! unwinds.

use core::mem::ManuallyDrop;

use super::admit::{Occupied, OccupiedMany, Refusal};
use super::conclude::{Copied, conclude};
use super::core::{Core, HasCore};
use super::store::Stored;
use super::write::replace;
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::field_index::are_checked;

/// Changes a component in place, or a copy of it if keys are to be checked first: the
/// copy then takes its place.
#[inline]
pub(crate) fn update<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Refusal> {
    match copy_to_check::<C, T>(context, id) {
        Some(mut copy) => {
            change(&mut copy);
            replace(context, id, copy)
        }
        None => update_in_place(context, id, change),
    }
}

#[inline]
fn update_in_place<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Refusal> {
    let Some(occupied) = Occupied::known(context.core_mut(), id) else {
        return update_prepared(context, id, change);
    };
    if occupied.entity.effects == EffectsIndex::NONE {
        change(occupied.value);
        return Ok(());
    }
    let (copy, stored) = (occupied.copy(), occupied.entity.stored());
    update_told(context, stored, copy, change);
    Ok(())
}

#[cold]
#[inline(never)]
fn update_prepared<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T),
) -> Result<(), Refusal> {
    let occupied = Occupied::prepare(context.core_mut(), id)?;
    let (copy, stored) = (occupied.copy(), occupied.entity.stored());
    update_told(context, stored, copy, change);
    Ok(())
}

/// Changes a value of which somebody is to be told.
#[inline]
fn update_told<C: HasCore, T: Component<C>>(
    context: &mut C,
    stored: Stored<C>,
    copy: Option<T>,
    change: impl FnOnce(&mut T),
) {
    let mut update = Update {
        core: context.core_mut(),
        stored,
        copy,
    };
    update.run(change);
    let (stored, copy) = update.end();
    conclude(context, stored, Copied(copy));
}

/// Changes a copy of a component, while everything can be read as it is; then the copy takes the
/// place of the value.
pub(crate) fn update_with<C: HasCore, T: Component<C> + Clone>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T, &C),
) -> Result<(), Refusal> {
    let mut copy = clone_of::<C, T>(context, id)?;
    change(&mut copy, context);
    let core = context.core_mut();
    core.check_value(id, &copy)?;
    let stored = Occupied::prepare(core, id)?.swap(&mut copy);
    conclude(context, stored, Copied(Some(copy)));
    Ok(())
}

/// A clone of a component.
pub(super) fn clone_of<C: HasCore, T: Component<C> + Clone>(
    context: &C,
    id: EntityId<C>,
) -> Result<T, Refusal> {
    let row = context.core().slots.get(id).ok_or(Refusal::Dead)?.row;
    let column = context.core().columns.of::<T>();
    let value = column.and_then(|column| column.get(row));
    value.cloned().ok_or(Refusal::Absent)
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
    let value = context.core().columns.of::<T>()?.get(row)?;
    Some(T::CLONE?(value))
}

/// An update of which somebody is to be told. If it is dropped, by a panic, collectors and indexes
/// follow the entity, and the history gets the copy.
pub(super) struct Update<'a, C: 'static, T: Component<C>> {
    pub(super) core: &'a mut Core<C>,
    pub(super) stored: Stored<C>,
    /// The value before, if observers or a history are to have it.
    pub(super) copy: Option<T>,
}

impl<C: 'static, T: Component<C>> Update<'_, C, T> {
    /// Has the closure change the value.
    #[inline]
    pub(super) fn run(&mut self, change: impl FnOnce(&mut T)) {
        if let Some(value) = OccupiedMany::of(self.core).get_mut(self.stored.id) {
            change(value);
        }
    }

    /// What is to be concluded.
    #[inline]
    pub(super) fn end(self) -> (Stored<C>, Option<T>) {
        let mut update = ManuallyDrop::new(self);
        let Stored { id, row, effects } = update.stored;
        (Stored { id, row, effects }, update.copy.take())
    }
}

impl<C: 'static, T: Component<C>> Drop for Update<'_, C, T> {
    #[cold]
    fn drop(&mut self) {
        let Stored { id, effects, .. } = self.stored;
        self.core.follow_panicked(id, effects);
        if effects.is_recorded()
            && let Some(copy) = self.copy.take()
        {
            self.core.record_value(Kind::Replaced, id, copy);
        }
    }
}
