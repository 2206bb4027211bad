//! Taking a component from an entity that is known by its index alone: the same change as in
//! `write.rs`, made without the type, so that nothing is compiled for each component.

use alloc::boxed::Box;

use super::admit::Refusal;
use super::conclude::{Taken, Untyped, conclude};
use super::core::{Core, HasCore};
use super::store::Stored;
use crate::storage::descriptor::AnyValue;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// Removes every component, in ascending order, one change each. Ends early if an observer
/// destroys the entity.
pub(crate) fn remove_all<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core();
    let slot = core.slots.get(id);
    let slot = slot.ok_or_else(|| Error::not_alive(id.raw(), C::NAME, Operation::Remove))?;
    for component in core.graph.components(slot.node).clone().iter() {
        let _ = remove_at(context, id, component); // an observer may have removed it
    }
    Ok(())
}

/// Removes the component with an index; its value goes to the pool stack or is dropped.
pub(crate) fn remove_at<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    component: ComponentIndex,
) -> Result<(), Refusal> {
    let core = context.core_mut();
    let stored = core.leave(id, component)?;
    let is_followed = stored.effects.is_followed();
    let value = is_followed.then(|| core.columns.take_left(component, stored.row));
    let previous = Untyped {
        component,
        row: stored.row,
        value: value.flatten(),
    };
    conclude(context, stored, previous);
    Ok(())
}

/// Removes the component with an index and hands its value to the caller.
pub(crate) fn take_at<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    component: ComponentIndex,
) -> Result<Option<Box<AnyValue>>, Refusal> {
    let core = context.core_mut();
    let stored = match core.leave(id, component) {
        Err(Refusal::Absent) => return Ok(None),
        stored => stored?,
    };
    let value = core.columns.take_left(component, stored.row);
    if let Some(value) = &value {
        let value = &**value;
        conclude(context, stored, Taken { component, value });
    }
    Ok(value)
}

impl<C: 'static> Core<C> {
    /// Has an entity walk the edge to where it lacks a component; the value is left behind.
    fn leave(&mut self, id: EntityId<C>, component: ComponentIndex) -> Result<Stored<C>, Refusal> {
        self.collect_signatures();
        let slot = self.slots.get(id).ok_or(Refusal::Dead)?;
        if !self.graph.components(slot.node).contains(component) {
            return Err(Refusal::Absent);
        }
        let (target, effects) = self.graph.toggle(slot.node, component, &self.groups);
        self.slots.set_node(id, target);
        let row = slot.row;
        Ok(Stored { id, row, effects })
    }
}
