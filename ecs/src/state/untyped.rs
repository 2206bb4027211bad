//! Removing a component by its index: the same change as in `write.rs`, without the type, so that
//! nothing is compiled per component.

use alloc::boxed::Box;

use super::commit::previous::Previous;
use super::commit::{commit_collected, commit_component};
use super::core::HasCore;
use super::destroy::destroy;
use super::recording::clone_to_record;
use super::rejection::Rejection;
use super::validate::leave;
use crate::reactions::history::Kind;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::Buffer;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};

/// Removes every component, in ascending order, one change each. Stops if an observer destroys the
/// entity.
pub(crate) fn remove_all<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core();
    let own = core.world.own_components_of(id);
    let own = own.ok_or_else(|| Error::not_alive(id.raw(), C::NAME, Operation::Remove))?;
    for component in own.iter() {
        let _ = remove_at(context, id.untyped(), component); // an observer may have removed it
    }
    Ok(())
}

/// Destroys an entry that has this component, or, if a relation forbids that, removes the component alone.
pub(crate) fn remove_entry<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    component: RawComponentIndex,
) -> Result<(), Rejection> {
    let components = context.core().world.components_of(id);
    let components = components.ok_or(Rejection::Dead)?;
    if !components.contains(component) {
        return Err(Rejection::Absent);
    }
    destroy(context, id).or_else(|_| remove_at(context, id.untyped(), component))
}

/// Removes the component with this index; its value is pooled or dropped.
#[inline(never)] // keeps the typed path short
pub(crate) fn remove_at<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    component: RawComponentIndex,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    let stored = leave(&mut core.world, &core.subs, id, component)?;
    if !stored.effects.has_subscribers() {
        commit_collected(&core.world, &mut core.subs, id, stored.effects);
        core.world.columns.drop_left(&[component], stored.row);
        return Ok(());
    }
    let mut buffer = Buffer::new(core.world.columns.describe(component));
    let value = core
        .world
        .columns
        .take_left_to(component, stored.row, &mut buffer);
    let value = value.expect("an entity has the components of its node");
    let previous = Previous::gone(component, Kind::Removed, value);
    commit_component(context, id, stored.effects, previous);
    Ok(())
}

/// Removes the component with this index and returns its value.
pub(crate) fn take_at<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    component: RawComponentIndex,
) -> Result<Option<Box<AnyValue>>, Rejection> {
    let core = context.core_mut();
    let mut buffer = Buffer::new(core.world.columns.describe(component));
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
    let value = core.world.columns.take_left(component, stored.row);
    if let Some(value) = &value {
        let previous = Previous::taken(component, &**value, clone);
        commit_component(context, stored.id, stored.effects, previous);
    }
    Ok(value)
}
