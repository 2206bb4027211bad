//! Removing one component from many entities.

use alloc::vec::Vec;

use super::add::RejectedEntity;
use super::plan::{any_is_observed, check_edge};
use crate::state::core::{Core, HasCore};
use crate::state::propagate::propagate_runs;
use crate::state::rejection::rejected;
use crate::state::validate::edge::EdgeKind;
use crate::state::write::remove;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// Removes a component from many entities.
pub(crate) fn remove_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    let core = context.core_mut();
    let removed = match any_is_observed(
        &mut core.world,
        &core.subs,
        EntityId::untyped_all(ids),
        index_of::<C, T>(),
    ) {
        true => remove_each::<C, T>(context, ids),
        false => core.remove_all::<T>(ids),
    };
    removed.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Remove)
    })
}

/// Removes it from one entity after the other, after checking that all have it.
fn remove_each<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), RejectedEntity> {
    let core = context.core_mut();
    check_edge(
        &core.world,
        EntityId::untyped_all(ids),
        index_of::<C, T>(),
        EdgeKind::Remove,
    )?;
    for &id in ids {
        remove::<C, T>(context, id).map_err(|rejection| (id.untyped(), rejection))?;
    }
    Ok(())
}

impl<C: HasCore> Core<C> {
    /// Removes it from all of them at once, if no observer or index is concerned.
    fn remove_all<T: Component<C>>(&mut self, ids: &[EntityId<C>]) -> Result<(), RejectedEntity> {
        let (mut edge, column) = self.edge::<T>(EdgeKind::Remove);
        edge.traverse(ids)?;
        let runs = edge.runs;
        let rows = runs.rows.as_slice();
        let values: Vec<T> = if T::POOLED || core::mem::needs_drop::<T>() {
            column.take_all(rows)
        } else {
            column.forget(rows);
            Vec::new()
        };
        propagate_runs(&self.world, &mut self.subs, &runs, ids.len());
        for value in values {
            self.typed_mut().recycle(value);
        }
        Ok(())
    }
}

/// Removes a component from those of some entities that have it at that point; returns their
/// number.
pub(crate) fn remove_from<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> usize {
    if !{
        let core = context.core_mut();
        any_is_observed(
            &mut core.world,
            &core.subs,
            EntityId::untyped_all(ids),
            index_of::<C, T>(),
        )
    } {
        remove_many::<C, T>(context, ids).expect("nothing has come in between");
        return ids.len();
    }
    let removed = ids
        .iter()
        .filter(|&&id| remove::<C, T>(context, id).is_ok());
    removed.count()
}
