//! Exchanging a component of two entities in one step, which is how two keys of a
//! primary index change places: one after the other, the first would be refused.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::admit::Refusal;
use super::core::{Core, HasCore};
use super::deliver::notify_queued;
use super::index::settle;
use crate::matching::effects::EffectsIndex;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Slot;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// One of the two entities.
struct Side<C> {
    id: EntityId<C>,
    slot: Slot,
    effects: EffectsIndex,
}

/// Exchanges component `T` of two entities: two updates, of which observers are notified when
/// both have happened.
pub(crate) fn swap<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: [EntityId<C>; 2],
) -> Result<(), Error> {
    let core = context.core_mut();
    let sides = [core.side::<T>(ids[0])?, core.side::<T>(ids[1])?];
    if ids[0] == ids[1] {
        return Ok(());
    }
    let copies = sides.each_ref().map(|side| core.copy::<T>(side));
    core.exchange_values::<T>(&sides);
    for side in &sides {
        if core.apply(side.id, side.slot.row, side.effects).is_some() {
            core.prepare_indexes(side.id, side.effects);
        }
    }
    for side in &sides {
        settle(context, side.id, side.effects);
    }
    let core = context.core_mut();
    for (side, copy) in sides.iter().zip(copies) {
        core.queue_change(side.id, None, copy);
        core.queue_effects(side.effects);
    }
    notify_queued(context);
    Ok(())
}

impl<C: HasCore> Core<C> {
    fn side<T: Component<C>>(&mut self, id: EntityId<C>) -> Result<Side<C>, Error> {
        let refused = |refusal: Refusal| refusal.error::<C, T>(id, Operation::Update);
        let slot = self.slots.get(id).ok_or_else(|| refused(Refusal::Dead))?;
        let (component, column) = self.columns.with_index::<T>();
        if !column.contains(slot.row) {
            return Err(refused(Refusal::Absent));
        }
        let effects = self.graph.update(slot.node, component, &self.groups);
        Ok(Side { id, slot, effects })
    }

    /// The value before the change, for observers.
    fn copy<T: Component<C>>(&self, side: &Side<C>) -> Option<Box<AnyValue>> {
        let clone = T::CLONE?;
        if !self.graph.effects().get(side.effects).are_observed() {
            return None;
        }
        let value = self.columns.of::<T>()?.get(side.slot.row)?;
        Some(Box::new(clone(value)))
    }

    fn exchange_values<T: Component<C>>(&mut self, sides: &[Side<C>; 2]) {
        let column = self.columns.of_mut::<T>();
        let rows = sides.each_ref().map(|side| side.slot.row);
        let values = rows.into_iter().rev();
        let values: Vec<_> = values.filter_map(|row| column.remove(row)).collect();
        for (row, value) in rows.into_iter().zip(values) {
            let _ = column.insert(row, value); // the row has been emptied before
        }
    }
}
