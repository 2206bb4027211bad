//! Removing one component from many entities.

use alloc::vec::Vec;

use super::{Edge, Run};
use crate::column::ColumnOf;
use crate::component::Component;
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::registry::index_of;
use crate::slots::Slots;
use crate::state::write::{Refusal, remove};
use crate::state::{Core, HasCore};

/// Removes a component from many entities.
pub(crate) fn remove_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    let core = context.core_mut();
    let observed = core.any_is_observed(ids, index_of::<C, T>());
    let removal = Removal::<C, T>::of(core, ids)?;
    if !observed {
        let (values, runs) = removal.keep();
        core.settle(ids, &runs, |slots, place| slots.row_of(ids[place]));
        if T::POOLED {
            core.columns.of_mut::<T>().pool().extend(values);
        }
        return Ok(());
    }
    drop(removal); // puts the values back
    for &id in ids {
        remove::<C, T>(context, id)
            .map_err(|refusal| refusal.error::<C, T>(id, Operation::Remove))?;
    }
    Ok(())
}

/// Removes a component from those of some entities that have it when their turn
/// comes; gives the number of them.
pub(crate) fn remove_from<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> usize {
    if !context.core_mut().any_is_observed(ids, index_of::<C, T>()) {
        remove_many::<C, T>(context, ids).expect("nothing has come in between");
        return ids.len();
    }
    let removed = ids
        .iter()
        .filter(|&&id| remove::<C, T>(context, id).is_ok());
    removed.count()
}

/// The values taken out so far, of slots that have followed the edge; put back when
/// it is dropped, unless the removal is kept.
struct Removal<'a, C: 'static, T: Send + Sync + 'static> {
    edge: Edge<'a, C>,
    column: &'a mut ColumnOf<T>,
    slots: &'a mut Slots,
    ids: &'a [EntityId<C>],
    values: Vec<T>,
}

impl<'a, C: HasCore, T: Component<C>> Removal<'a, C, T> {
    /// Takes the value of every entity out.
    fn of(core: &'a mut Core<C>, ids: &'a [EntityId<C>]) -> Result<Self, Error> {
        let (component, column) = core.columns.with_index::<T>();
        let mut removal = Self {
            edge: Edge::new(&mut core.graph, &core.groups, component),
            column,
            slots: &mut core.slots,
            ids,
            values: Vec::with_capacity(ids.len()),
        };
        for (place, &id) in ids.iter().enumerate() {
            let value = removal
                .take(place, id)
                .map_err(|refusal| refusal.error::<C, T>(id, Operation::Remove))?;
            removal.values.push(value);
        }
        Ok(removal)
    }

    #[inline]
    fn take(&mut self, place: usize, id: EntityId<C>) -> Result<T, Refusal> {
        let slot = self.slots.get_mut(id).ok_or(Refusal::Dead)?;
        let value = self.column.remove(slot.row).ok_or(Refusal::Absent)?;
        self.edge.follow(place, slot);
        Ok(value)
    }

    fn keep(mut self) -> (Vec<T>, Vec<Run>) {
        let runs = core::mem::take(&mut self.edge.runs);
        (core::mem::take(&mut self.values), runs)
    }
}

impl<C: 'static, T: Send + Sync> Drop for Removal<'_, C, T> {
    fn drop(&mut self) {
        for (&id, value) in self.ids.iter().zip(self.values.drain(..)) {
            if let Some(slot) = self.slots.get_mut(id) {
                self.edge.go_back(slot);
                let _ = self.column.insert(slot.row, value); // the row has been emptied before
            }
        }
    }
}
