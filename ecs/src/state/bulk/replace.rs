//! Replacing or adding one component of many entities.

use alloc::vec::{self, Vec};
use core::mem;

use super::add::RejectedEntity;
use super::plan::{any_node_is_observed, check_one_owner};
use crate::reactions::subscribers::Subscribers;
use crate::state::core::{Core, HasCore, TypedParts};
use crate::state::index::install_indexes_of;
use crate::state::propagate::{apply_to_updated, propagate_runs};
use crate::state::rejection::Rejection;
use crate::state::rejection::rejected;
use crate::state::validate::OccupiedMany;
use crate::state::validate::edge::EdgeKind;
use crate::state::write::replace;
use crate::storage::registry::index_of;
use crate::storage::slots::NodeIndex;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;
use crate::world::World;

/// Replaces or adds a component of many entities; twice, for an entity that is in the list twice.
///
/// All values are made before the first one is stored, and the previous ones are dropped at the
/// end, so user code never sees an intermediate state.
pub(crate) fn replace_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    let replaced = replace_all(context, ids, value);
    replaced.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Replace)
    })
}

fn replace_all<C: HasCore, T: Component<C>>(
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
    let one_by_one = T::UNIQUE || T::REQUIRES || const { are_checked(T::INDEXES) };
    if one_by_one
        || any_replace_is_observed(
            &mut core.world,
            &core.subs,
            EntityId::untyped_all(ids),
            index_of::<C, T>(),
        )
    {
        return replace_each(context, ids, values);
    }
    let previous = core.replace_all(ids, values);
    for value in previous {
        core.typed_mut().recycle(value);
    }
    Ok(())
}

pub(super) fn replace_each<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    values: Vec<T>,
) -> Result<(), RejectedEntity> {
    for (&id, value) in ids.iter().zip(values) {
        replace(context, id, value).map_err(|rejection| (id.untyped(), rejection))?;
    }
    Ok(())
}

/// Whether entity indexes or observers depend on the change of any entity, or on a second
/// change after it.
fn any_replace_is_observed(
    world: &mut World,
    subs: &Subscribers,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> bool {
    any_node_is_observed(world, subs, ids, |world, mut node| {
        if !world.graph.components(node).contains(component) {
            let (target, effects) = world.graph.edge(node, component, &world.groups);
            if effects.is_observed() {
                return true;
            }
            node = target;
        }
        let effects = world.graph.update(node, component, &world.groups);
        effects.is_observed()
    })
}

impl<C: HasCore> Core<C> {
    /// Stores the values of living entities; returns the previous ones, in order, if they are
    /// pooled or need to be dropped.
    fn replace_all<T: Component<C>>(&mut self, ids: &[EntityId<C>], values: Vec<T>) -> Vec<T> {
        let mut previous = Vec::new();
        let mut values = values.into_iter();
        let mut left = ids;
        while let Some(node) = left
            .first()
            .and_then(|&id| Some(self.world.slots.get(id)?.node))
        {
            let count = if self
                .world
                .graph
                .components(node)
                .contains(index_of::<C, T>())
            {
                self.replace_run(left, node, &mut values, &mut previous)
            } else {
                self.add_run(left, &mut values)
            };
            left = &left[count..];
        }
        previous
    }

    /// Replaces the values of the leading entities of a list in `node`, which has the component;
    /// returns their number.
    fn replace_run<T: Component<C>>(
        &mut self,
        ids: &[EntityId<C>],
        node: NodeIndex,
        values: &mut vec::IntoIter<T>,
        previous: &mut Vec<T>,
    ) -> usize {
        let run = &ids[..self.world.slots.count_in(ids, node)];
        let mut occupied = OccupiedMany::<T>::of(self);
        for (&id, value) in run.iter().zip(values) {
            if let Some(place) = occupied.get_mut(id) {
                let before = mem::replace(place, value);
                if T::POOLED || mem::needs_drop::<T>() {
                    previous.push(before);
                }
            }
        }
        let TypedParts { graph, groups, .. } = self.parts();
        let effects = graph.update(node, index_of::<C, T>(), groups);
        apply_to_updated(
            &self.world,
            &mut self.subs,
            EntityId::untyped_all(run),
            effects,
        );
        run.len()
    }

    /// Adds values to the leading entities of a list that share a node without the component;
    /// returns their number.
    fn add_run<T: Component<C>>(
        &mut self,
        ids: &[EntityId<C>],
        values: &mut vec::IntoIter<T>,
    ) -> usize {
        let (mut edge, column) = self.edge::<T>(EdgeKind::Add);
        let count = edge.traverse_run(ids, 0).expect("it lacks the component");
        let (run, runs) = (&ids[..count], edge.runs);
        let value = |_| values.next().expect("there is a value for each entity");
        column.insert_all(runs.rows.as_slice(), run, value);
        propagate_runs(&self.world, &mut self.subs, &runs, run.len());
        count
    }
}
