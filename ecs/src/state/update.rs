//! Changing a component in place: validate → store → commit, as in `write.rs`, but a user closure
//! stores.
//!
//! If the closure panics, its writes remain. So collectors, history and indexes are updated as for
//! a finished update, without user code. Observers are not notified while a panic unwinds.

use core::mem::ManuallyDrop;

use super::commit::previous::Previous;
use super::commit::run::Run;
use super::commit::{commit, commit_component, commit_panicked};
use super::core::HasCore;
use super::rejection::{Rejection, rejected};
use super::relation::check_swap;
use super::validate::fast::{FAST, Occupied};
use super::validate::{Stored, check_value, copy_before, occupied, swap_with};
use super::write::replace;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::{Buffer, Moved, ValueSlot};
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;
use crate::world::World;

/// Changes a component in place; or, if keys must be validated, a copy that then replaces it.
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
    let core = context.core_mut(); // asked once, so that what is stored is stored there
    let mut stored = None;
    if const { FAST }
        && let Some(occupied) = Occupied::near(core, id)
        && occupied.effects.are_known()
    {
        let Occupied { row, effects, .. } = occupied;
        if effects == EffectsIndex::NONE {
            return Ok(change(occupied.value));
        }
        let id = id.untyped();
        stored = Some(Stored { id, row, effects });
    }
    let component = index_of::<C, T>();
    let stored = match stored {
        Some(stored) => stored,
        None => occupied(&mut core.world, id.untyped(), component)?,
    };
    let mut buffer = Buffer::new(const { ComponentDescriptor::of::<C, T>() });
    let (world, subs) = (&mut core.world, &mut core.subs);
    let mut update = Update::start(world, subs, stored, component, &mut buffer);
    let returned = change(update.value());
    let (stored, previous) = update.end();
    commit_component(context, stored.id, stored.effects, previous);
    Ok(returned)
}

/// Changes a copy of a component while the closure can read the context; then the copy replaces the
/// value.
pub(crate) fn update_with<C: HasCore, T: Component<C> + Clone, R>(
    context: &mut C,
    id: EntityId<C>,
    change: impl FnOnce(&mut T, &C) -> R,
) -> Result<R, Rejection> {
    let mut copy = clone_of::<C, T>(context, id)?;
    let returned = change(&mut copy, context);
    let mut slot = ValueSlot::of(copy);
    let copy = slot.moved(const { ComponentDescriptor::of::<C, T>() });
    store_copy(context, id.untyped(), index_of::<C, T>(), copy)?;
    Ok(returned)
}

/// Swaps a changed copy with the value.
fn store_copy<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    component: RawComponentIndex,
    mut copy: Moved<'_>,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    check_value(&mut core.world, &mut core.subs, id, component, copy.view())?;
    let stored = occupied(&mut core.world, id, component)?;
    swap_with(&mut core.world, stored.row, component, &mut copy);
    let previous = Previous::copied(component, Some(copy));
    commit_component(context, stored.id, stored.effects, previous);
    Ok(())
}

/// Clones a component.
pub(super) fn clone_of<C: HasCore, T: Component<C> + Clone>(
    context: &C,
    id: EntityId<C>,
) -> Result<T, Rejection> {
    let row = context
        .core()
        .world
        .slots
        .get(id)
        .ok_or(Rejection::Dead)?
        .row;
    let column = context.core().typed().of::<T>();
    let value = column.and_then(|column| column.get(row));
    value.cloned().ok_or(Rejection::Absent)
}

/// Clones a component whose values are validated.
#[inline]
pub(super) fn copy_to_check<C: HasCore, T: Component<C>>(
    context: &C,
    id: EntityId<C>,
) -> Option<T> {
    if const { !are_checked(T::INDEXES) } {
        return None;
    }
    let row = context.core().world.slots.get(id)?.row;
    let value = context.core().typed().of::<T>()?.get(row)?;
    Some(T::CLONE?(value))
}

/// An update whose changes are observed. If it is dropped by a panic, collectors and indexes are
/// updated, and the history records the copy.
struct Update<'a, 'b> {
    world: &'a mut World,
    subs: &'a mut Subscribers,
    stored: Stored,
    component: RawComponentIndex,
    /// The previous value, if observers or a history need it.
    copy: Option<Moved<'b>>,
}

impl<'a, 'b> Update<'a, 'b> {
    /// Prepares a change of the value; a copy of it is put into the buffer.
    fn start(
        world: &'a mut World,
        subs: &'a mut Subscribers,
        stored: Stored,
        component: RawComponentIndex,
        buffer: &'b mut Buffer,
    ) -> Self {
        let copy = match stored.effects.has_subscribers() {
            true => copy_before(world, &stored, component, buffer),
            false => None,
        };
        Self {
            world,
            subs,
            stored,
            component,
            copy,
        }
    }

    #[inline]
    fn value<T: 'static>(&mut self) -> &mut T {
        let column = self.world.columns.at_mut(self.component);
        let value = column.and_then(|column| column.typed_mut()?.get_mut(self.stored.row));
        value.expect("what is stored has a value")
    }

    /// Returns what to commit.
    fn end(self) -> (Stored, Previous<'b>) {
        let mut update = ManuallyDrop::new(self);
        let previous = Previous::copied(update.component, update.copy.take());
        (update.stored, previous)
    }
}

impl Drop for Update<'_, '_> {
    #[cold]
    fn drop(&mut self) {
        let Stored { id, effects, .. } = self.stored;
        let previous = Previous::copied(self.component, self.copy.take());
        let run = Run::of(id, effects, previous);
        commit_panicked(self.world, self.subs, &mut [run]);
    }
}

/// Swaps component `T` of two entities: two updates, whose observers are notified after both.
pub(crate) fn swap<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: [EntityId<C>; 2],
) -> Result<(), Error> {
    let swapped = swap_at(context, ids.map(EntityId::untyped), index_of::<C, T>());
    swapped.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Swap)
    })
}

fn swap_at<C: HasCore>(
    context: &mut C,
    ids: [UntypedId; 2],
    component: RawComponentIndex,
) -> Result<(), (UntypedId, Rejection)> {
    let core = context.core_mut();
    check_swap(&core.world, &core.subs, component, ids)?;
    let mut occupied =
        |id| occupied(&mut core.world, id, component).map_err(|rejection| (id, rejection));
    let stored = [occupied(ids[0])?, occupied(ids[1])?];
    if ids[0] == ids[1] {
        return Ok(());
    }
    let descriptor = core.world.columns.describe(component);
    let (mut first, mut second) = (Buffer::new(descriptor), Buffer::new(descriptor));
    let copies = [
        copy_before(&core.world, &stored[0], component, &mut first),
        copy_before(&core.world, &stored[1], component, &mut second),
    ];
    let rows = stored.each_ref().map(|stored| stored.row);
    core.world
        .columns
        .swap([component].into_iter(), rows[0], rows[1]);
    let mut copies = copies.into_iter();
    let mut changes = stored.map(|Stored { id, effects, .. }| {
        let copy = copies.next().flatten();
        Run::of(id, effects, Previous::copied(component, copy))
    });
    commit(context, &mut changes);
    Ok(())
}
