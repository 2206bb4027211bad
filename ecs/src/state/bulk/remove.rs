//! Removing one component from many entities.

use alloc::vec::Vec;

use super::Toggle;
use crate::state::core::HasCore;
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
    let followed = core.any_is_followed(ids, index_of::<C, T>());
    let (mut edge, column) = core.edge::<T>(Toggle::Remove);
    let walked = edge.walk(ids);
    walked.map_err(|(id, refusal)| refusal.error::<C, T>(id, Operation::Remove))?;
    if followed {
        edge.go_back(ids);
        return remove_each::<C, T>(context, ids);
    }
    let runs = edge.runs;
    let rows = runs.rows.as_slice();
    let values: Vec<T> = if T::POOLED || core::mem::needs_drop::<T>() {
        column.take_all(rows)
    } else {
        column.forget(rows);
        Vec::new()
    };
    core.settle(ids, &runs);
    if T::POOLED {
        core.columns.of_mut::<T>().pool().extend(values);
    }
    Ok(())
}

fn remove_each<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
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
    if !context.core_mut().any_is_followed(ids, index_of::<C, T>()) {
        remove_many::<C, T>(context, ids).expect("nothing has come in between");
        return ids.len();
    }
    let removed = ids
        .iter()
        .filter(|&&id| remove::<C, T>(context, id).is_ok());
    removed.count()
}
