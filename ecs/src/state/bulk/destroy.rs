//! Destroying many entities.

use alloc::vec::Vec;

use super::plan::first_repeated;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::state::core::HasCore;
use crate::state::destroy::forget_slot;
use crate::state::lifecycle::{any_records_destroys, dead, destroy_listed};
use crate::state::untracked::may_be_observed;
use crate::storage::slots::{NodeIndex, Row, Slot, Slots};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::world::World;

/// Destroys many entities. Skips those that an observer has destroyed in the meantime.
pub(crate) fn destroy_many<C: HasCore>(context: &mut C, ids: &[EntityId<C>]) -> Result<(), Error> {
    let (core, untyped) = (context.core_mut(), EntityId::untyped_all(ids));
    if core.subs.indexes.any_is_target(untyped)
        || any_destroy_is_observed(&mut core.world, &core.subs, untyped)
    {
        check_alive(&core.world, ids)?;
        return destroy_listed(context, ids);
    }
    core.subs.collectors.list_all(&core.world.slots); // while rows still map to their ids
    let ended = Ending::of(&mut core.world.slots, ids)?.keep();
    leave_many(&mut core.world, &mut core.subs, untyped, &ended);
    Ok(())
}

/// Rejects a list with an entity that is dead or repeated.
fn check_alive<C: HasCore>(world: &World, ids: &[EntityId<C>]) -> Result<(), Error> {
    let repeated = first_repeated(ids);
    let mut places = ids.iter().zip(0..);
    let cannot = |&(&id, place): &(_, _)| world.slots.get(id).is_none() || repeated == Some(place);
    match places.find(cannot) {
        Some((&id, _)) => Err(dead::<C>(id.untyped())),
        None => Ok(()),
    }
}

/// Whether entity indexes or observers depend on the destruction of any entity.
fn any_destroy_is_observed(world: &mut World, subs: &Subscribers, ids: &[UntypedId]) -> bool {
    let of_any = [Subject::WILL_BE_DESTROYED, Subject::DESTROYED];
    if of_any
        .iter()
        .any(|&subject| !subs.observers.is_empty(subject))
    {
        return true;
    }
    if !may_be_observed(subs) {
        return false;
    }
    ids.iter().any(|&id| {
        let node = world.slots.get(id).map(|slot| slot.node); // dead entities are rejected later
        node.is_some_and(|node| world.graph.destroy(node, &world.groups).is_observed())
    })
}

/// Updates collectors for entities whose slots are free already, then drops their components.
fn leave_many(world: &mut World, subs: &mut Subscribers, ids: &[UntypedId], ended: &DestroyedRuns) {
    propagate_destroyed(world, subs, ids, ended);
    if any_records_destroys(world, subs) {
        for (&id, &row) in ids.iter().zip(&ended.rows) {
            forget_slot(world, subs, id, row);
        }
    }
    LeavingRuns {
        world,
        ended,
        next: 0,
    }
    .run();
}

/// Updates collectors for entities whose slots are free already, by their ids.
fn propagate_destroyed(
    world: &mut World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    ended: &DestroyedRuns,
) {
    for &(start, node) in &ended.nodes {
        let effects = world.graph.destroy(node, &world.groups);
        let ids = &ids[start..ended.end_of(start)];
        for collector in world.graph.effects().collectors(effects) {
            subs.collectors.collect_ids(&world.slots, ids, collector);
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
    world: &'a mut World,
    ended: &'a DestroyedRuns,
    next: usize,
}

impl LeavingRuns<'_> {
    fn run(&mut self) {
        while let Some(&(start, node)) = self.ended.nodes.get(self.next) {
            self.next += 1;
            let components = self.world.graph.component_list(node);
            let rows = &self.ended.rows[start..self.ended.end_of(start)];
            self.world.columns.drop_left_in_rows(components, rows);
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
