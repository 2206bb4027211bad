//! Replacing or adding one component of many entities.

use alloc::vec::{self, Vec};
use core::mem;

use super::add::RejectedEntity;
use super::plan::check_one_owner;
use crate::state::commit::commit_runs;
use crate::state::commit::previous::Previous;
use crate::state::core::{Core, HasCore};
use crate::state::dispatch::together;
use crate::state::entity_indexes::install_indexes_of;
use crate::state::rejection::{Rejection, rejected};
use crate::state::runs::Runs;
use crate::state::untracked::may_be_observed;
use crate::state::validate::edge::{Edge, EdgeKind};
use crate::state::write::replace;
use crate::storage::column::ColumnOf;
use crate::storage::registry::index_of;
use crate::storage::value_list::ValueList;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// Replaces or adds a component of many entities; twice, for an entity that is in the list twice.
///
/// All values are made before the first one is stored, and the previous ones are dropped at the
/// end, so user code never sees an intermediate state.
pub(crate) fn replace_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    let replaced = replace_with(context, ids, value);
    replaced.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Replace)
    })
}

fn replace_with<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), RejectedEntity> {
    let core = context.core_mut();
    install_indexes_of(&mut core.world, &mut core.subs, index_of::<C, T>());
    if let Some(&id) = ids.iter().find(|&&id| core.world.slots.get(id).is_none()) {
        return Err((id.untyped(), Rejection::Dead));
    }
    check_one_owner(&core.world, EntityId::untyped_all(ids), index_of::<C, T>())?;
    let values: Vec<T> = ids.iter().copied().map(value).collect();
    core.check_values_of(ids, &values)?;
    replace_all(context, ids, values)
}

/// Stores valid values of living entities.
pub(super) fn replace_all<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    values: Vec<T>,
) -> Result<(), RejectedEntity> {
    if const { T::UNIQUE || T::REQUIRES } {
        return together(context, |context| {
            let mut replace = |(&id, value): (&EntityId<C>, T)| {
                replace(context, id, value).map_err(|rejection| (id.untyped(), rejection))
            };
            ids.iter().zip(values).try_for_each(&mut replace)
        });
    }
    let (runs, mut previous) = context.core_mut().store_all(ids, values);
    let ids = EntityId::untyped_all(ids);
    let component = index_of::<C, T>();
    let mut next = previous.iter_mut();
    commit_runs(context, ids, &runs, || {
        match mem::take(next.next().expect("there is one for each run")) {
            None => Previous::none(component),
            Some(values) => Previous::replaced(component, ValueList::of::<C, T>(values)),
        }
    });
    for value in previous.into_iter().flatten().flatten() {
        context.core_mut().typed_mut().recycle(value);
    }
    Ok(())
}

impl<C: HasCore> Core<C> {
    /// Stores the values of living entities; returns how these have changed, and for each run of
    /// replaced values these, if they are observed, pooled, or need to be dropped.
    fn store_all<T: Component<C>>(
        &mut self,
        ids: &[EntityId<C>],
        values: Vec<T>,
    ) -> (Runs, Vec<Option<Vec<T>>>) {
        let keeps = T::POOLED || mem::needs_drop::<T>() || may_be_observed(&self.subs);
        let (edge, column) = self.edge::<T>(EdgeKind::Add);
        let mut storing = Storing {
            edge,
            column,
            values: values.into_iter(),
            keeps,
            previous: Vec::new(),
        };
        let mut done = 0;
        while done < ids.len() {
            done += match storing.edge.traverse_run(&ids[done..], done) {
                Ok(count) => storing.add_run(&ids[done..done + count]),
                Err(_) => storing.replace_run(ids, done), // it has the component
            };
        }
        (storing.edge.runs, storing.previous)
    }
}

/// Values being stored, run by run.
struct Storing<'a, T: 'static> {
    edge: Edge<'a>,
    column: &'a mut ColumnOf<T>,
    values: vec::IntoIter<T>,
    /// Whether replaced values are kept.
    keeps: bool,
    /// The replaced values of each run; none, if it was added.
    previous: Vec<Option<Vec<T>>>,
}

impl<T: 'static> Storing<'_, T> {
    /// Adds values to entities that were moved along the edge; returns their number.
    fn add_run<C>(&mut self, run: &[EntityId<C>]) -> usize {
        let values = &mut self.values;
        let value = |_| values.next().expect("there is a value for each entity");
        self.column
            .insert_all(self.edge.runs.last_rows(), run, value);
        self.previous.push(None);
        run.len()
    }

    /// Replaces the values of the entities of a list from `start` on that share a node with the
    /// component; returns their number.
    fn replace_run<C>(&mut self, ids: &[EntityId<C>], start: usize) -> usize {
        let Edge {
            slots,
            graph,
            groups,
            component,
            runs,
            ..
        } = &mut self.edge;
        let Some(node) = slots.get(ids[start]).map(|slot| slot.node) else {
            return 1;
        };
        runs.start(start, graph.update(node, *component, groups));
        let count = slots.count_in(&ids[start..], node);
        let mut previous = Vec::new();
        if self.keeps {
            previous.reserve(count);
        }
        let mut rows = runs.go_on();
        for (&id, value) in ids[start..start + count].iter().zip(&mut self.values) {
            let row = slots.row_of(id);
            rows.push(row);
            if let Some(place) = self.column.get_mut(row) {
                let before = mem::replace(place, value);
                if self.keeps {
                    previous.push(before);
                }
            }
        }
        self.previous.push(Some(previous));
        count
    }
}
