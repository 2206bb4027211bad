//! Destroying many entities.

use alloc::vec::Vec;

use super::plan::first_repeated;
use crate::reactions::subscription::Subject;
use crate::state::core::{HasCore, Registries};
use crate::state::lifecycle::{dead, destroy_listed};
use crate::storage::slots::{NodeIndex, Row, Slot, Slots};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;

/// Destroys many entities. Skips those that an observer has destroyed in the meantime.
pub(crate) fn destroy_many<C: HasCore>(context: &mut C, ids: &[EntityId<C>]) -> Result<(), Error> {
    let (core, untyped): (&mut Registries, _) = (context.core_mut(), EntityId::untyped_all(ids));
    if core.indexes.any_is_target(untyped) || core.any_destroy_is_observed(untyped) {
        check_alive(core, ids)?;
        return destroy_listed(context, ids);
    }
    core.collectors.list_all(&core.slots); // while rows still map to their ids
    let ended = Ending::of(&mut core.slots, ids)?.keep();
    core.destroy_many(untyped, &ended);
    Ok(())
}

/// Rejects a list with an entity that is dead or repeated.
fn check_alive<C: HasCore>(core: &Registries, ids: &[EntityId<C>]) -> Result<(), Error> {
    let repeated = first_repeated(ids);
    let mut places = ids.iter().zip(0..);
    let cannot = |&(&id, place): &(_, _)| core.slots.get(id).is_none() || repeated == Some(place);
    match places.find(cannot) {
        Some((&id, _)) => Err(dead::<C>(id.untyped())),
        None => Ok(()),
    }
}

impl Registries {
    /// Whether entity indexes or observers depend on the destruction of any entity.
    fn any_destroy_is_observed(&mut self, ids: &[UntypedId]) -> bool {
        let of_any = [Subject::WILL_BE_DESTROYED, Subject::DESTROYED];
        if of_any
            .iter()
            .any(|&subject| !self.observers.is_empty(subject))
        {
            return true;
        }
        self.any_node_is_observed(ids, |core, node| {
            core.graph.destroy(node, &core.groups).is_observed()
        })
    }

    /// Updates collectors for entities whose slots are free already, then drops their components.
    fn destroy_many(&mut self, ids: &[UntypedId], ended: &DestroyedRuns) {
        self.propagate_destroyed(ids, ended);
        if self.any_records_destroys() {
            for (&id, &row) in ids.iter().zip(&ended.rows) {
                self.forget_slot(id, row);
            }
        }
        let (core, next) = (self, 0);
        LeavingRuns { core, ended, next }.run();
    }

    /// Updates collectors for entities whose slots are free already, by their ids.
    fn propagate_destroyed(&mut self, ids: &[UntypedId], ended: &DestroyedRuns) {
        for &(start, node) in &ended.nodes {
            let effects = self.graph.destroy(node, &self.groups);
            let ids = &ids[start..ended.end_of(start)];
            for collector in self.graph.effects().collectors(effects) {
                self.collectors.collect_ids(&self.slots, ids, collector);
            }
        }
    }
}

/// What remains of destroyed entities: their rows, and the node and the position of the first of
/// each run.
#[derive(Default)]
struct DestroyedRuns {
    rows: Vec<Row>,
    nodes: Vec<(usize, NodeIndex)>,
}

impl DestroyedRuns {
    /// The end of the run that starts at this position.
    fn end_of(&self, start: usize) -> usize {
        let next = self.nodes.partition_point(|run| run.0 <= start);
        self.nodes.get(next).map_or(self.rows.len(), |run| run.0)
    }
}

/// Drops the values of destroyed entities, run by run; continues with the rest if a `drop` panics.
struct LeavingRuns<'a> {
    core: &'a mut Registries,
    ended: &'a DestroyedRuns,
    next: usize,
}

impl LeavingRuns<'_> {
    fn run(&mut self) {
        while let Some(&(start, node)) = self.ended.nodes.get(self.next) {
            self.next += 1;
            let components = self.core.graph.component_list(node);
            let rows = &self.ended.rows[start..self.ended.end_of(start)];
            self.core.columns.drop_left_in_rows(components, rows);
        }
    }
}

impl Drop for LeavingRuns<'_> {
    fn drop(&mut self) {
        self.run();
    }
}

/// The entities whose slots were freed so far; restored on drop unless `keep` is called.
struct Ending<'a, C> {
    slots: &'a mut Slots,
    ids: &'a [EntityId<C>],
    ended: DestroyedRuns,
}

impl<'a, C: HasCore> Ending<'a, C> {
    fn of(slots: &'a mut Slots, ids: &'a [EntityId<C>]) -> Result<Self, Error> {
        let mut ending = Self {
            slots,
            ids,
            ended: DestroyedRuns::default(),
        };
        while let Some(&id) = ids.get(ending.ended.rows.len()) {
            ending.end_run(id)?;
        }
        Ok(ending)
    }

    /// Destroys the next entity and those after it in the same node.
    fn end_run(&mut self, id: EntityId<C>) -> Result<(), Error> {
        let start = self.ended.rows.len();
        let Some(Slot { node, .. }) = self.slots.get(id) else {
            return Err(dead::<C>(id.untyped())); // also if it is in the list twice
        };
        self.ended.nodes.push((start, node));
        let (ids, rows) = (&self.ids[start..], &mut self.ended.rows);
        self.slots.destroy_run(ids, node, rows);
        Ok(())
    }

    fn keep(mut self) -> DestroyedRuns {
        core::mem::take(&mut self.ended)
    }
}

impl<C> Drop for Ending<'_, C> {
    fn drop(&mut self) {
        let mut end = self.ended.rows.len();
        for &(start, node) in self.ended.nodes.iter().rev() {
            for &id in self.ids[start..end].iter().rev() {
                self.slots.revive(id, node);
            }
            end = start;
        }
    }
}
