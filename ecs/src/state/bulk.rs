//! Adding one component to many entities, or removing it: the edge of the signature
//! graph is looked up once for each run of entities of one signature.
//!
//! 1. Every id is checked as its value is stored or taken out. If one cannot take
//!    part, all values go back to where they were: nothing has changed.
//! 2. Then signatures, groups and collectors follow, id by id.
//!
//! Where observers are to be told, each must find the entities whose turn has not
//! come yet as they were. So the values go back then too, and the changes are made
//! one by one.

use alloc::vec::Vec;

use super::write::{Refusal, add, remove};
use super::{Core, HasCore};
use crate::column::ColumnOf;
use crate::component::{Component, ComponentIndex};
use crate::effects::EffectsIndex;
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::registry::index_of;
use crate::row_set::RowWords;
use crate::slots::Slots;

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
        insertion.keep();
        core.follow(ids, index_of::<C, T>());
        return Ok(());
    }
    let values = insertion.undo();
    for (&id, value) in ids.iter().zip(values) {
        add(context, id, value).map_err(|refusal| refusal.error::<C, T>(id, Operation::Add))?;
    }
    Ok(())
}

/// Removes a component from many entities.
pub(crate) fn remove_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    let core = context.core_mut();
    let observed = core.any_is_observed(ids, index_of::<C, T>());
    let removal = Removal::<C, T>::of(core, ids)?;
    if !observed {
        let values = removal.keep();
        core.follow(ids, index_of::<C, T>());
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

impl<C: 'static> Core<C> {
    /// Whether observers are to be told of the change of some entity.
    fn any_is_observed(&mut self, ids: &[EntityId<C>], component: ComponentIndex) -> bool {
        if !self.observers.any_of_groups() {
            return false;
        }
        ids.iter().any(|&id| {
            let Some(slot) = self.slots.get(id) else {
                return false; // refused later
            };
            let (_, effects) = self.graph.toggle(slot.node, component, &self.groups);
            self.graph.effects().get(effects).are_observed()
        })
    }

    /// Lets signatures, groups and collectors follow what has been stored or taken,
    /// run by run of entities of one node.
    fn follow(&mut self, ids: &[EntityId<C>], component: ComponentIndex) {
        let mut rows = RowWords::default();
        let mut rest = ids;
        while let Some(slot) = rest.first().and_then(|&id| self.slots.get(id)) {
            let (target, effects) = self.graph.toggle(slot.node, component, &self.groups);
            rows.clear();
            let count = self
                .slots
                .move_run(rest, slot.node, target, |row| rows.push(row));
            let (run, later) = rest.split_at(count);
            self.apply_to_run(run, &rows, effects);
            rest = later;
        }
    }

    /// Does what [`apply`](Self::apply) does for each entity of a run.
    fn apply_to_run(&mut self, run: &[EntityId<C>], rows: &RowWords, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        for &group in &what.flips {
            self.groups.members_mut(group).flip_words(rows);
        }
        self.collectors
            .collect_run(run, what.collectors, &what.more_collectors);
    }
}

/// The values stored so far; taken out again when it is dropped, unless all are kept.
struct Insertion<'a, C, T: Send + Sync + 'static> {
    column: &'a mut ColumnOf<T>,
    slots: &'a Slots,
    stored: &'a [EntityId<C>],
}

impl<'a, C: HasCore, T: Component<C>> Insertion<'a, C, T> {
    /// Stores a value for every entity.
    fn of(
        core: &'a mut Core<C>,
        ids: &'a [EntityId<C>],
        mut value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<Self, Error> {
        let column = core.columns.of_mut::<T>();
        let mut insertion = Self {
            column,
            slots: &core.slots,
            stored: &[],
        };
        for (at, &id) in ids.iter().enumerate() {
            insertion
                .store(id, value(id))
                .map_err(|refusal| refusal.error::<C, T>(id, Operation::Add))?;
            insertion.stored = &ids[..=at];
        }
        Ok(insertion)
    }

    #[inline]
    fn store(&mut self, id: EntityId<C>, value: T) -> Result<(), Refusal> {
        let slot = self.slots.get(id).ok_or(Refusal::Dead)?;
        self.column
            .insert(slot.row, value)
            .map_err(|_| Refusal::Present)
    }

    fn keep(mut self) {
        self.stored = &[];
    }

    /// Takes the values out again, in the order of the ids.
    fn undo(mut self) -> Vec<T> {
        self.take_out()
    }
}

impl<C, T: Send + Sync> Insertion<'_, C, T> {
    fn take_out(&mut self) -> Vec<T> {
        let stored = core::mem::take(&mut self.stored).iter();
        let rows = stored.filter_map(|&id| Some(self.slots.get(id)?.row));
        rows.filter_map(|row| self.column.remove(row)).collect()
    }
}

impl<C, T: Send + Sync> Drop for Insertion<'_, C, T> {
    fn drop(&mut self) {
        drop(self.take_out());
    }
}

/// The values taken out so far; put back when it is dropped, unless the removal is
/// kept.
struct Removal<'a, C, T: Send + Sync + 'static> {
    column: &'a mut ColumnOf<T>,
    slots: &'a Slots,
    ids: &'a [EntityId<C>],
    values: Vec<T>,
}

impl<'a, C: HasCore, T: Component<C>> Removal<'a, C, T> {
    /// Takes the value of every entity out.
    fn of(core: &'a mut Core<C>, ids: &'a [EntityId<C>]) -> Result<Self, Error> {
        let column = core.columns.of_mut::<T>();
        let values = Vec::with_capacity(ids.len());
        let mut removal = Self {
            column,
            slots: &core.slots,
            ids,
            values,
        };
        for &id in ids {
            let value = removal
                .take(id)
                .map_err(|refusal| refusal.error::<C, T>(id, Operation::Remove))?;
            removal.values.push(value);
        }
        Ok(removal)
    }

    #[inline]
    fn take(&mut self, id: EntityId<C>) -> Result<T, Refusal> {
        let slot = self.slots.get(id).ok_or(Refusal::Dead)?;
        self.column.remove(slot.row).ok_or(Refusal::Absent)
    }

    fn keep(mut self) -> Vec<T> {
        core::mem::take(&mut self.values)
    }
}

impl<C, T: Send + Sync> Drop for Removal<'_, C, T> {
    fn drop(&mut self) {
        let rows = self
            .ids
            .iter()
            .filter_map(|&id| Some(self.slots.get(id)?.row));
        for (row, value) in rows.zip(self.values.drain(..)) {
            let _ = self.column.insert(row, value); // the row has been emptied before
        }
    }
}
