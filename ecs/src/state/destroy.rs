//! Destroying entities, one or many, as one change: plan → announce → store → commit.
//!
//! ```text
//! plan      which entities are destroyed with these, or why not        destroy_plan.rs
//! announce  observers of *will be destroyed*, which may change that    announcing.rs
//! store     collectors and indexes are marked, slots freed, relations to destroyed targets removed
//! commit    runs of entities with the same signature; the history records lost relations first,
//!           because a rewind revives targets before it gives relations to them back
//! ```
//!
//! An observer of *will be destroyed* runs before its change, so a destroy that it requests can
//! neither be queued nor run inside itself: it is executed right after the one under way.

use alloc::vec::Vec;
use core::ops::Range;

use super::announcing::{announce, announce_all, plan_destroy};
use super::bulk::plan::first_repeated;
use super::commit::mark::{mark, mark_destroyed, mark_indexes};
use super::commit::previous::{Previous, drop_components};
use super::commit::run::{Ids, Run};
use super::commit::{commit_destroyed, commit_marked_one};
use super::core::HasCore;
use super::destroy_plan::{DestroyPlan, Loss};
use super::dispatch::{Dispatch, check_limit};
use super::groups::collect_signatures;
use super::user_code::is_dispatching;
use crate::matching::effects::EffectsIndex;
use crate::reactions::queue::Step;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::world::World;

/// Whether anything depends on destroyed entities: observers, collectors with contents,
/// relations, or a traversal.
#[inline]
fn any_records_destroys(world: &World, subs: &Subscribers) -> bool {
    let is_recorded = subs.observers.any_of_one() || subs.collectors.any_is_filled();
    let is_visited = world.slots.any_traversal_by_rows();
    is_recorded || is_visited || subs.observers.any_of_lifetimes() || subs.indexes.any_relation()
}

#[cold]
fn dead<C: HasCore>(id: UntypedId) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Destroy)
}

/// Destroys an entity.
#[inline(always)] // called for each destroyed entity; too large to be inlined by default
#[track_caller]
pub(crate) fn destroy<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core_mut();
    let id = id.untyped();
    let Some(slot) = core.world.slots.get(id) else {
        return Err(dead::<C>(id));
    };
    if let Some(components) = core.world.graph.is_destroyed_alone(slot.node)
        && !any_records_destroys(&core.world, &core.subs)
    {
        core.world.slots.destroy(id);
        core.world.columns.drop_left(components, slot.row);
        return Ok(());
    }
    destroy_recorded(context, id, slot)
}

/// Destroys an entity if anything depends on it, or if no entity of its node was destroyed before.
#[inline(never)]
fn destroy_recorded<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) -> Result<(), Error> {
    let subs = &context.core().subs;
    if !subs.observers.is_empty(Subject::WILL_BE_DESTROYED) || subs.indexes.is_target(id) {
        return destroy_living(context, &[id]);
    }
    destroy_alone(context, id, slot);
    Ok(())
}

/// Destroys an entity that is no target and need not be announced.
fn destroy_alone<C: HasCore>(context: &mut C, id: UntypedId, slot: Slot) {
    let core = context.core_mut();
    let effects = core.world.graph.destroy(slot.node, &core.world.groups);
    mark(&core.world, &mut core.subs, id, effects);
    core.world.slots.list_traversals();
    let destroyed = (&[id][..], &[slot.row][..]);
    mark_destroyed(&core.world, &mut core.subs, destroyed, EffectsIndex::NONE);
    core.world.slots.destroy(id);
    if effects.has_subscribers() || core.subs.observers.any_of_lifetimes() {
        let (node, rows) = (slot.node, &[slot.row]);
        commit_marked_one(context, id, effects, Previous::Destroyed { node, rows });
    } else {
        drop_components(&mut core.world, slot);
    }
}

/// Destroys many entities, or none if one of them is dead, repeated or in use.
pub(crate) fn destroy_many<C: HasCore>(context: &mut C, ids: &[EntityId<C>]) -> Result<(), Error> {
    let (slots, repeated) = (&context.core().world.slots, first_repeated(ids));
    let mut places = ids.iter().zip(0..);
    match places.find(|&(&id, place)| slots.get(id).is_none() || repeated == Some(place)) {
        Some((&id, _)) => Err(dead::<C>(id.untyped())),
        None => destroy_living(context, EntityId::untyped_all(ids)),
    }
}

/// Destroys every entity that is alive at the call, in order of index.
pub(crate) fn destroy_all<C: HasCore>(context: &mut C) {
    let all = context.core().world.slots.iter().map(|(id, _)| id);
    let ids: Vec<_> = all.collect();
    let _ = destroy_living(context, &ids); // no entity remains to reject it
}

/// Destroys living entities with all that are destroyed with them.
pub(crate) fn destroy_living<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let core = context.core();
    if !core.subs.observers.is_empty(Subject::WILL_BE_DESTROYED) {
        return announce_and_destroy(context, ids);
    }
    destroy_planned(context, ids)
}

/// Destroys entities that are announced or need not be.
fn destroy_planned<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let core = context.core();
    if core.subs.indexes.any_is_target(ids) {
        let plan = plan_destroy(&core.world, &core.subs, ids)?;
        store_and_commit(context, &plan.ids, Some(&plan));
    } else {
        store_and_commit(context, ids, None);
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn announce_and_destroy<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let core = context.core_mut();
    if !is_dispatching(&core.world, &core.subs) {
        let mut dispatch = Dispatch::start(context);
        let ended = announce_and_destroy_all(dispatch.context(), ids);
        dispatch.run(); // also if rejected: observers may have changed something
        return ended;
    }
    let queue = &mut core.subs.queue;
    if let [id] = *ids
        && queue.is_destroy_pending(id)
    {
        let error = Error::being_destroyed(id.raw(), C::NAME);
        return Err(core.world.named(error));
    }
    if queue.destroying.is_none() {
        return announce_and_destroy_all(context, ids);
    }
    for &id in ids {
        if !queue.is_destroy_pending(id) {
            queue.pending.push(id.raw());
        }
    }
    Ok(())
}

/// Destroys entities, and then those that their observers have requested to destroy.
fn announce_and_destroy_all<C: HasCore>(context: &mut C, ids: &[UntypedId]) -> Result<(), Error> {
    let mut notified = 1;
    let ended = announce_and_destroy_together(context, ids);
    while let Some(id) = context.core_mut().subs.queue.pending.pop() {
        let id = context.core().world.slots.own(id);
        if context.core().world.slots.get(id).is_none() {
            continue; // destroyed with another one
        }
        notified += 1;
        check_limit(context, notified, &Step::Entity(Subject::WILL_BE_DESTROYED));
        let _ = announce_and_destroy_together(context, &[id]); // there is no caller to report to
    }
    ended
}

/// Destroys entities with all that are destroyed with them, after notifying the observers of each.
fn announce_and_destroy_together<C: HasCore>(
    context: &mut C,
    ids: &[UntypedId],
) -> Result<(), Error> {
    if context.core().subs.indexes.any_relation() {
        let plan = announce_all(context, ids)?;
        store_and_commit(context, &plan.ids, Some(&plan));
        return Ok(());
    }
    for &id in ids {
        if context.core().world.slots.get(id).is_some() {
            announce(context, id.typed());
        }
    }
    destroy_planned(context, ids)
}

/// Destroys these entities; with a plan, all that lose a relation to them.
fn store_and_commit<C: HasCore>(context: &mut C, ids: &[UntypedId], plan: Option<&DestroyPlan>) {
    let core = context.core_mut();
    collect_signatures(&mut core.world, &core.subs);
    let losses = plan.map(|plan| plan.detach(&mut core.subs.indexes));
    let destroyed = Destroyed::store(&mut core.world, &mut core.subs, ids);
    let mut runs: Vec<_> = destroyed.runs(ids).collect();
    let losses = losses.into_iter().flatten();
    runs.extend(losses.filter_map(|loss| strip(&mut core.world, &mut core.subs, loss)));
    let lost = runs.len() - destroyed.runs.len();
    commit_destroyed(context, &mut runs, lost);
}

/// Removes a component from an entity whose target is destroyed.
fn strip(world: &mut World, subs: &mut Subscribers, (id, component): Loss) -> Option<Run<'static>> {
    let Slot { node, .. } = world.slots.get(id)?;
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.slots.set_node(id, target);
    mark(world, subs, id, effects);
    Some(Run::of(id, effects, Previous::left(component)))
}

/// What remains of destroyed entities.
struct Destroyed {
    rows: Vec<Row>,
    runs: Vec<DestroyedRun>,
}

/// Adjacent entities of one node in the list of destroyed ones.
struct DestroyedRun {
    ids: Range<usize>,
    rows: Range<usize>,
    node: NodeIndex,
    effects: EffectsIndex,
}

impl Destroyed {
    /// Frees the slots of entities, after marking them where slots are needed; their values stay in
    /// their rows. Runs no user code.
    fn store(world: &mut World, subs: &mut Subscribers, ids: &[UntypedId]) -> Self {
        let mut destroyed = Self {
            rows: Vec::with_capacity(ids.len()),
            runs: Vec::new(),
        };
        subs.collectors.list_all(&world.slots); // while rows still map to their ids
        let mut done = 0;
        while done < ids.len() {
            done += destroyed.store_run(world, subs, ids, done);
        }
        destroyed
    }

    /// Frees the slots of the next entities of one node; returns their number.
    fn store_run(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        ids: &[UntypedId],
        start: usize,
    ) -> usize {
        let Some(Slot { node, .. }) = world.slots.get(ids[start]) else {
            return 1; // destroyed with another one
        };
        let effects = world.graph.destroy(node, &world.groups);
        let left = &ids[start..];
        if effects.is_indexed() {
            let run = &left[..world.slots.count_in(left, node)];
            mark_indexes(world, subs, run, effects);
        }
        let first = self.rows.len();
        let count = world.slots.destroy_run(left, node, &mut self.rows);
        let run = &left[..count];
        mark_destroyed(world, subs, (run, &self.rows[first..]), effects);
        self.runs.push(DestroyedRun {
            ids: start..start + count,
            rows: first..first + count,
            node,
            effects,
        });
        count
    }

    /// The runs to commit.
    fn runs<'a>(&'a self, ids: &'a [UntypedId]) -> impl Iterator<Item = Run<'a>> {
        self.runs.iter().map(move |run| {
            let ids = Ids::Many(&ids[run.ids.clone()]);
            let previous = Previous::Destroyed {
                node: run.node,
                rows: &self.rows[run.rows.clone()],
            };
            Run::new(ids, run.effects, previous)
        })
    }
}
