//! Adding one component to many entities.

use alloc::vec::Vec;

use super::plan::{check_edge, check_new_owner};
use crate::state::commit::commit_runs;
use crate::state::commit::previous::Previous;
use crate::state::core::{Core, HasCore};
use crate::state::dispatch::together;
use crate::state::entity_indexes::install_indexes_of;
use crate::state::rejection::{Rejection, rejected};
use crate::state::runs::Runs;
use crate::state::validate::edge::{Edge, EdgeKind};
use crate::state::write::add;
use crate::storage::column::ColumnOf;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;

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
    let added = match const { T::UNIQUE || T::REQUIRES || are_checked(T::INDEXES) } {
        true => add_checked(context, ids, value),
        false => add_all(context, ids, value),
    };
    added.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Add)
    })
}

/// Makes all values and validates them before the first one is stored.
fn add_checked<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), RejectedEntity> {
    let (core, untyped) = (context.core_mut(), EntityId::untyped_all(ids));
    check_new_owner(&core.world, untyped, index_of::<C, T>())?;
    check_edge(&core.world, untyped, index_of::<C, T>(), EdgeKind::Add)?;
    let values: Vec<T> = ids.iter().copied().map(value).collect();
    core.check_values_of(ids, &values)?;
    let mut values = values.into_iter();
    let mut next = move |_| values.next().expect("there is a value for each entity");
    if const { !T::UNIQUE && !T::REQUIRES } {
        return add_all(context, ids, next);
    }
    together(context, |context| {
        let mut add = |&id| add(context, id, next(id)).map_err(|it| (id.untyped(), it));
        ids.iter().try_for_each(&mut add)
    })
}

/// Adds it to all of them at once.
fn add_all<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), RejectedEntity> {
    let core: &mut Core<C> = context.core_mut();
    let (mut edge, column) = core.edge::<T>(EdgeKind::Add);
    edge.traverse(ids)?;
    let runs = Insertion { edge, column, ids }.fill(value);
    commit_runs(context, EntityId::untyped_all(ids), &runs, || {
        Previous::none(index_of::<C, T>())
    });
    Ok(())
}

/// Values being made and stored for entities that were moved along the edge. If making one panics,
/// the entities are moved back, and the values made so far are dropped.
struct Insertion<'a, C: 'static, T: 'static> {
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

impl<C: 'static, T> Drop for Insertion<'_, C, T> {
    fn drop(&mut self) {
        self.edge.go_back(core::mem::take(&mut self.ids));
        let runs = core::mem::take(&mut self.edge.runs);
        drop(self.column.take_all(runs.rows.as_slice())); // of those made so far
    }
}
