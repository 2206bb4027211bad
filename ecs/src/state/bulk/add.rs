//! Adding one component to many entities.

use alloc::vec::Vec;

use super::plan::{any_is_observed, check_edge, check_new_owner};
use crate::state::core::{Core, HasCore};
use crate::state::index::install_indexes_of;
use crate::state::propagate::propagate_runs;
use crate::state::rejection::{Rejection, rejected};
use crate::state::runs::Runs;
use crate::state::validate::edge::{Edge, EdgeKind};
use crate::state::write::add;
use crate::storage::column::ColumnOf;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};

/// The rejected entity, and why.
pub(super) type RejectedEntity = (UntypedId, Rejection);

/// Adds a component to many entities.
pub(crate) fn add_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    let core = context.core_mut();
    install_indexes_of(&mut core.world, &mut core.subs, index_of::<C, T>());
    let one_by_one = T::UNIQUE
        || T::REQUIRES
        || any_is_observed(
            &mut core.world,
            &core.subs,
            EntityId::untyped_all(ids),
            index_of::<C, T>(),
        );
    let added = match one_by_one {
        true => add_each(context, ids, value),
        false => core.add_all(ids, value),
    };
    added.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Add)
    })
}

/// Adds it to one entity after the other, after validating all of them.
fn add_each<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), RejectedEntity> {
    let (core, untyped) = (context.core_mut(), EntityId::untyped_all(ids));
    check_new_owner(&core.world, untyped, index_of::<C, T>())?;
    check_edge(&core.world, untyped, index_of::<C, T>(), EdgeKind::Add)?;
    let values: Vec<T> = ids.iter().copied().map(value).collect();
    core.check_values_of(ids, &values)?;
    for (&id, value) in ids.iter().zip(values) {
        add(context, id, value).map_err(|rejection| (id.untyped(), rejection))?;
    }
    Ok(())
}

impl<C: HasCore> Core<C> {
    /// Adds it to all of them at once, if no observer or index is concerned.
    fn add_all<T: Component<C>>(
        &mut self,
        ids: &[EntityId<C>],
        value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<(), RejectedEntity> {
        let (mut edge, column) = self.edge::<T>(EdgeKind::Add);
        edge.traverse(ids)?;
        let insertion = Insertion { edge, column, ids };
        let runs = insertion.fill(value);
        propagate_runs(&self.world, &mut self.subs, &runs, ids.len());
        Ok(())
    }
}

/// Values being made and stored for entities that were moved along the edge. If making one panics,
/// the entities are moved back, and the values made so far are dropped.
struct Insertion<'a, C: 'static, T: Send + Sync + 'static> {
    edge: Edge<'a>,
    column: &'a mut ColumnOf<T>,
    ids: &'a [EntityId<C>],
}

impl<C: HasCore, T: Component<C>> Insertion<'_, C, T> {
    /// Stores a value for every entity.
    fn fill(mut self, mut value: impl FnMut(EntityId<C>) -> T) -> Runs {
        for (_, places, rows) in self.edge.runs.iter(self.ids.len()) {
            self.column.insert_all(rows, &self.ids[places], &mut value);
        }
        self.ids = &[];
        core::mem::take(&mut self.edge.runs)
    }
}

impl<C: 'static, T: Send + Sync> Drop for Insertion<'_, C, T> {
    fn drop(&mut self) {
        self.edge.go_back(core::mem::take(&mut self.ids));
        let runs = core::mem::take(&mut self.edge.runs);
        drop(self.column.take_all(runs.rows.as_slice())); // of those made so far
    }
}
