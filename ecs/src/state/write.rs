//! Changing one component of one entity: validate → store → commit.
//!
//! ```text
//! validate.rs  validates, stores the value, moves the entity to its node ─► Stored
//! commit.rs    collectors, indexes, history, observers
//! ```
//!
//! Each change has two implementations: a typed one, inlined into the caller, for the common case
//! (`validate/fast.rs`), and an erased one, compiled once for all components, for the rest. Builds
//! with debug assertions always use the erased one, so that components cost less compile time.

use core::mem;

use super::commit::previous::Previous;
use super::commit::typed::{Gone, commit_added, commit_gone, commit_taken};
use super::commit::{commit_collected, commit_component};
use super::core::{Core, HasCore};
use super::insert::insert;
use super::merge::Present;
use super::recording::clone_to_record;
use super::rejection::{Rejection, Turn};
use super::validate::bundle_writer::BundleWriter;
use super::validate::fast::{FAST, Occupied, Removable, Vacancy};
use super::validate::required::{check_given, lacks_required};
use super::validate::{
    check_all, check_vacant, check_value, leave, occupied, store_added, swap_with,
};
use crate::reactions::history::Kind;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::{Buffer, Moved, ValueSlot};
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex, is_of_entries};
use crate::words::demands::view_any;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::field_index::{has_primary, has_relation};

/// A value for the erased path. Created only there, so that the fast path takes no reference to the
/// value, which can stay in registers.
struct NewValue<T> {
    id: UntypedId,
    value: T,
}

/// Adds a component the entity lacks.
#[inline(always)] // called for each added component; too large to be inlined by default
pub(crate) fn add<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Rejection> {
    if const { FAST && !T::REQUIRES }
        && let Some(vacancy) = Vacancy::near(context.core_mut(), id)
    {
        let effects = vacancy.effects();
        if !effects.has_subscribers() {
            vacancy.fill(value);
            let core = context.core_mut();
            commit_collected(&core.world, &mut core.subs, id.untyped(), effects);
            return Ok(());
        }
        if effects.are_known() {
            vacancy.fill(value);
            commit_added::<C, T>(context, id.untyped(), effects);
            return Ok(());
        }
    }
    add_outlined(
        context,
        NewValue {
            id: id.untyped(),
            value,
        },
    )
}

#[cold]
#[inline(never)]
fn add_outlined<C: HasCore, T: Component<C>>(
    context: &mut C,
    NewValue { id, value }: NewValue<T>,
) -> Result<(), Rejection> {
    let descriptor = const { ComponentDescriptor::of::<C, T>() };
    let component = index_of::<C, T>();
    add_moved(
        context,
        id,
        component,
        ValueSlot::of(value).moved(descriptor),
    )
}

/// Adds the component with this index, and the components it requires.
pub(crate) fn add_moved<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    component: RawComponentIndex,
    value: Moved<'_>,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    if lacks_required(&core.world, id, component, value.descriptor()) {
        check_vacant(&core.world, id, component)?;
        check_value(&mut core.world, &mut core.subs, id, component, value.view())?;
        check_given(&core.world, id, value.descriptor())?;
        let put = |writer: &mut BundleWriter<'_, C>| writer.put_moved(component, value);
        let inserted = insert(context, id.typed(), Present::Reject, put);
        inserted.expect("it was validated, and required components are never rejected");
        return Ok(());
    }
    let stored = store_added(&mut core.world, &mut core.subs, id, component, value)?;
    commit_component(
        context,
        stored.id,
        stored.effects,
        Previous::none(component),
    );
    Ok(())
}

/// Replaces a component, or adds it if the entity lacks it.
#[inline]
pub(crate) fn replace<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
    value: T,
) -> Result<(), Rejection> {
    if const { FAST && !has_primary(T::INDEXES) }
        && (const { !has_relation(T::INDEXES) } || is_valid_link(context.core(), id, &value))
        && let Some(occupied) = Occupied::near(context.core_mut(), id)
    {
        let Occupied { effects, .. } = occupied;
        // Checked first, to avoid reading the previous value if it is not needed.
        if !effects.has_subscribers() {
            let before = mem::replace(occupied.value, value);
            let core = context.core_mut();
            commit_collected(&core.world, &mut core.subs, id.untyped(), effects);
            context.core_mut().typed_mut().recycle(before);
            return Ok(());
        }
        if effects.are_known() {
            let before = mem::replace(occupied.value, value);
            commit_gone(context, id.untyped(), effects, Gone::<T, true>(before));
            return Ok(());
        }
    }
    replace_outlined(
        context,
        NewValue {
            id: id.untyped(),
            value,
        },
    )
}

/// Whether a relation can have this value; false if that is uncertain, or its links have not been created.
fn is_valid_link<C: HasCore, T: Component<C>>(core: &Core<C>, id: EntityId<C>, value: &T) -> bool {
    let component = index_of::<C, T>();
    let values = [(id.untyped(), view_any::<C, T>(value))];
    core.subs.indexes.components > component.get()
        && check_all(&core.world, &core.subs, component, &values, Turn::OneByOne).is_ok()
}

#[cold]
#[inline(never)]
fn replace_outlined<C: HasCore, T: Component<C>>(
    context: &mut C,
    NewValue { id, value }: NewValue<T>,
) -> Result<(), Rejection> {
    let descriptor = const { ComponentDescriptor::of::<C, T>() };
    let component = index_of::<C, T>();
    replace_moved(
        context,
        id,
        component,
        ValueSlot::of(value).moved(descriptor),
    )
}

/// Replaces or adds the component with this index.
pub(crate) fn replace_moved<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    component: RawComponentIndex,
    mut value: Moved<'_>,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    match occupied(&mut core.world, id, component) {
        Err(Rejection::Absent) => return add_moved(context, id, component, value),
        occupied => occupied?,
    };
    check_value(&mut core.world, &mut core.subs, id, component, value.view())?;
    let stored = occupied(&mut core.world, id, component)?; // includes indexes installed by the check
    swap_with(&mut core.world, stored.row, component, &mut value);
    let previous = Previous::gone(component, Kind::Replaced, value);
    commit_component(context, stored.id, stored.effects, previous);
    Ok(())
}

/// Removes a component; its value is pooled or dropped. An entry is nothing without its value or its owner, and destroyed.
#[inline(always)] // called for each removed component, like `add`
pub(crate) fn remove<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<(), Rejection> {
    if const { is_of_entries::<C, T>() } {
        return super::untyped::remove_entry(context, id, index_of::<C, T>());
    }
    if const { FAST }
        && let Some(removable) = Removable::<T>::near(context.core_mut(), id)
    {
        let effects = removable.effects();
        // Checked first, to avoid reading the value if it is not needed.
        if !effects.has_subscribers() {
            if let Some(value) = removable.take_inline() {
                let core = context.core_mut();
                commit_collected(&core.world, &mut core.subs, id.untyped(), effects);
                context.core_mut().typed_mut().recycle(value);
                return Ok(());
            }
        } else if effects.are_known()
            && let Some(value) = removable.take_inline()
        {
            commit_gone(context, id.untyped(), effects, Gone::<T, false>(value));
            return Ok(());
        }
    }
    super::untyped::remove_at(context, id.untyped(), index_of::<C, T>())
}

/// Removes a component and returns its value.
#[inline]
pub(crate) fn take<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Rejection> {
    if const { FAST && !is_of_entries::<C, T>() }
        && let Some(removable) = Removable::<T>::near(context.core_mut(), id)
        && let effects = removable.effects()
        && effects.are_known()
        && !effects.is_recorded()
        && let Some(value) = removable.take_inline()
    {
        if effects.has_subscribers() {
            commit_taken(context, id.untyped(), effects, &value);
        } else {
            let core = context.core_mut();
            commit_collected(&core.world, &mut core.subs, id.untyped(), effects);
        }
        return Ok(Some(value));
    }
    take_outlined(context, id)
}

#[cold]
#[inline(never)]
fn take_outlined<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: EntityId<C>,
) -> Result<Option<T>, Rejection> {
    let (core, component) = (context.core_mut(), index_of::<C, T>());
    let mut buffer = Buffer::new(const { ComponentDescriptor::of::<C, T>() });
    let clone = clone_to_record(
        &core.world,
        &core.subs,
        id.untyped(),
        component,
        &mut buffer,
    );
    let stored = match leave(&mut core.world, &core.subs, id.untyped(), component) {
        Err(Rejection::Absent) => return Ok(None),
        stored => stored?,
    };
    let value = core.typed_mut().take_left_as::<T>(component, stored.row);
    if let Some(value) = &value {
        let previous = Previous::taken(component, view_any::<C, T>(value), clone);
        commit_component(context, stored.id, stored.effects, previous);
    }
    if const { is_of_entries::<C, T>() } {
        let _ = super::destroy::destroy(context, id); // its observers may have done so
    }
    Ok(value)
}

/// Fills a default value, reusing the memory of a pooled one if there is one.
#[inline]
pub(crate) fn filled<C: HasCore, T: Component<C> + Default>(
    context: &mut C,
    fill: impl FnOnce(&mut T),
) -> T {
    let mut value = T::default();
    if let Some(mut pooled) = context.core_mut().typed_mut().take_pooled::<T>() {
        T::RECYCLE(&mut pooled, &mut value);
        value = pooled; // drops the new one
    }
    fill(&mut value);
    value
}
