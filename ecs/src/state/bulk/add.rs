//! Adding one component to many entities.

use alloc::vec::Vec;

use super::{Edge, Runs, Toggle};
use crate::state::core::{Core, HasCore};
use crate::state::index::check_keys;
use crate::state::unique::add_unique_to;
use crate::state::write::add;
use crate::storage::column::ColumnOf;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::field_index::has_primary;

/// Adds a component to many entities.
pub(crate) fn add_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    if T::UNIQUE {
        return add_unique_to(context, ids, value);
    }
    let core = context.core_mut();
    core.install_indexes_of::<T>();
    let followed = core.any_is_followed(ids, index_of::<C, T>());
    let insertion = Insertion::of(core, ids, value)?;
    if !followed {
        let runs = insertion.keep();
        core.settle(ids, &runs);
        return Ok(());
    }
    let values = insertion.undo();
    if const { has_primary(T::INDEXES) } {
        let ids = ids.iter().map(|id| id.raw());
        check_keys(core, &ids.zip(&values).collect::<Vec<_>>(), Operation::Add)?;
    }
    for (&id, value) in ids.iter().zip(values) {
        check_keys(context.core(), &[(id.raw(), &value)], Operation::Add)?;
        add(context, id, value).map_err(|refusal| refusal.error::<C, T>(id, Operation::Add))?;
    }
    Ok(())
}

/// The values stored so far for slots that have followed the edge; all is undone when
/// it is dropped, unless it is kept.
struct Insertion<'a, C: 'static, T: Send + Sync + 'static> {
    edge: Edge<'a, C>,
    column: &'a mut ColumnOf<T>,
    ids: &'a [EntityId<C>],
}

impl<'a, C: HasCore, T: Component<C>> Insertion<'a, C, T> {
    /// Stores a value for every entity.
    fn of(
        core: &'a mut Core<C>,
        ids: &'a [EntityId<C>],
        mut value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<Self, Error> {
        let (mut edge, column) = core.edge::<T>(Toggle::Add);
        let walked = edge.walk(ids);
        walked.map_err(|(id, refusal)| refusal.error::<C, T>(id, Operation::Add))?;
        let insertion = Self { edge, column, ids };
        for (_, places, rows) in insertion.edge.runs.iter(ids.len()) {
            insertion.column.insert_all(rows, &ids[places], &mut value);
        }
        Ok(insertion)
    }
}

impl<C: 'static, T: Send + Sync> Insertion<'_, C, T> {
    fn keep(mut self) -> Runs {
        self.ids = &[];
        core::mem::take(&mut self.edge.runs)
    }

    /// Takes the values out again, in the order of the ids.
    fn undo(mut self) -> Vec<T> {
        self.take_out()
    }

    /// Takes out as many values as there are: no row had one before.
    fn take_out(&mut self) -> Vec<T> {
        self.edge.go_back(core::mem::take(&mut self.ids));
        let runs = core::mem::take(&mut self.edge.runs);
        self.column.take_all(runs.rows.as_slice())
    }
}

impl<C: 'static, T: Send + Sync> Drop for Insertion<'_, C, T> {
    fn drop(&mut self) {
        drop(self.take_out());
    }
}
