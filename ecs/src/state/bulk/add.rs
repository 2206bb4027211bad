//! Adding one component to many entities.

use alloc::vec::Vec;

use super::{Edge, Run};
use crate::column::ColumnOf;
use crate::component::Component;
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::registry::index_of;
use crate::slots::Slots;
use crate::state::write::{Refusal, add};
use crate::state::{Core, HasCore};

/// Adds a component to many entities.
pub(crate) fn add_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    let core = context.core_mut();
    let observed = core.any_is_observed(ids, index_of::<C, T>());
    let insertion = Insertion::of(core, ids, value)?;
    if !observed {
        let runs = insertion.keep();
        core.settle(ids, &runs, |slots, place| slots.row_of(ids[place]));
        return Ok(());
    }
    let values = insertion.undo();
    for (&id, value) in ids.iter().zip(values) {
        add(context, id, value).map_err(|refusal| refusal.error::<C, T>(id, Operation::Add))?;
    }
    Ok(())
}

/// The values stored so far, in slots that have followed the edge; taken out again
/// when it is dropped, unless all are kept.
struct Insertion<'a, C: 'static, T: Send + Sync + 'static> {
    edge: Edge<'a, C>,
    column: &'a mut ColumnOf<T>,
    slots: &'a mut Slots,
    stored: &'a [EntityId<C>],
}

impl<'a, C: HasCore, T: Component<C>> Insertion<'a, C, T> {
    /// Stores a value for every entity.
    fn of(
        core: &'a mut Core<C>,
        ids: &'a [EntityId<C>],
        mut value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<Self, Error> {
        let (component, column) = core.columns.with_index::<T>();
        let mut insertion = Self {
            edge: Edge::new(&mut core.graph, &core.groups, component),
            column,
            slots: &mut core.slots,
            stored: &[],
        };
        for (place, &id) in ids.iter().enumerate() {
            insertion
                .store(place, id, value(id))
                .map_err(|refusal| refusal.error::<C, T>(id, Operation::Add))?;
            insertion.stored = &ids[..=place];
        }
        Ok(insertion)
    }

    #[inline]
    fn store(&mut self, place: usize, id: EntityId<C>, value: T) -> Result<(), Refusal> {
        let slot = self.slots.get_mut(id).ok_or(Refusal::Dead)?;
        let stored = self.column.insert(slot.row, value);
        stored.map_err(|_| Refusal::Present)?;
        self.edge.follow(place, slot);
        Ok(())
    }

    fn keep(mut self) -> Vec<Run> {
        self.stored = &[];
        core::mem::take(&mut self.edge.runs)
    }

    /// Takes the values out again, in the order of the ids.
    fn undo(mut self) -> Vec<T> {
        self.take_out()
    }
}

impl<C: 'static, T: Send + Sync> Insertion<'_, C, T> {
    fn take_out(&mut self) -> Vec<T> {
        let mut values = Vec::with_capacity(self.stored.len());
        for &id in core::mem::take(&mut self.stored) {
            if let Some(slot) = self.slots.get_mut(id) {
                self.edge.go_back(slot);
                values.extend(self.column.remove(slot.row));
            }
        }
        values
    }
}

impl<C: 'static, T: Send + Sync> Drop for Insertion<'_, C, T> {
    fn drop(&mut self) {
        drop(self.take_out());
    }
}
