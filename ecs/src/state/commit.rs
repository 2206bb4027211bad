//! Committing changes: the duties of every change of single entities, in one order.
//!
//! ```text
//! store    slots, columns, signature: by the caller
//! mark     collectors and indexes           no user code; while the entity still has its slot
//! commit   the history                      may clone
//!          previous values                  dropped, or passed to observers
//!          keys of indexes                  key functions
//!          observers                        immediately, or queued
//! ```
//!
//! New consumers of such changes are added here, unless they are observers of each change
//! ([`changes`](super::changes)); `tests/systems/audit.rs` is an example in one file. Queries that
//! write report their changes by rows ([`query_update`](super::query_update)), and so do bulk
//! changes that concern only collectors.

use alloc::vec::Vec;
use core::mem;

use super::core::HasCore;
use super::dispatch::Dispatch;
use super::index::{flush, prepare_indexes, while_unsettled};
use super::previous::{Previous, PreviousValue};
use super::propagate::{propagate, propagate_runs};
use super::runs::Runs;
use super::user_code::is_dispatching;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// A change of one entity that is stored and marked.
pub(super) struct Transition<'a> {
    pub(super) id: UntypedId,
    pub(super) effects: EffectsIndex,
    /// The state before the change.
    pub(super) previous: Previous<'a>,
}

/// Updates collectors and indexes after a change interrupted by a panic. Runs no user code.
#[cold]
pub(super) fn propagate_panicked(
    world: &World,
    subs: &mut Subscribers,
    id: UntypedId,
    effects: EffectsIndex,
) {
    mark(world, subs, id, effects);
    subs.indexes.set_dirty_apart();
}

/// Updates collectors and indexes after a change. Runs no user code.
#[inline]
pub(super) fn mark(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    if effects.propagates() {
        propagate(world, subs, id, effects);
    }
    if effects.is_indexed() {
        prepare_indexes(world, subs, id, effects);
    }
}

/// Whether observers must be notified of a change.
fn is_observed(world: &World, subs: &Subscribers, change: &Transition<'_>) -> bool {
    let Transition { effects, .. } = *change;
    let of_lifetimes = match change.previous {
        Previous::Created(_) => !subs.observers.is_empty(Subject::CREATED),
        Previous::Destroyed(_) => !subs.observers.is_empty(Subject::DESTROYED),
        Previous::Bundle { .. } | Previous::Component { .. } => false,
    };
    of_lifetimes || effects.is_observed() && world.graph.effects().are_observed(effects)
}

/// Queues notifications of observers; returns the number of steps.
fn queue(world: &mut World, subs: &mut Subscribers, changes: &mut [Transition<'_>]) -> usize {
    let before = subs.queue.steps.len();
    for change in changes {
        let previous = change.previous.take();
        previous.queue(world, subs, change.id, change.effects);
    }
    subs.queue.steps.len() - before
}

/// Commits a change of a component. If it is not observed, the previous value is dropped or pooled.
pub(super) fn commit_component<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    let core = context.core_mut();
    mark(&core.world, &mut core.subs, id, effects);
    if effects.is_observed() {
        commit_one(context, id, effects, previous);
    } else {
        previous.retire(&mut core.world);
    }
}

/// Commits one change.
#[inline(never)] // keeps unobserved changes short
pub(super) fn commit_one<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    let change = Transition {
        id,
        effects,
        previous,
    };
    commit(context, &mut [change]);
}

/// Commits a change of a component of many entities, which is stored; `previous` returns the state
/// of each, in order, before it. Without observers, the caller retires the previous values.
pub(super) fn commit_runs<'p, C: HasCore>(
    context: &mut C,
    ids: &[UntypedId],
    runs: &Runs,
    previous: &mut dyn FnMut(&World, UntypedId) -> Previous<'p>,
) {
    let core = context.core_mut();
    propagate_runs(&core.world, &mut core.subs, runs, ids.len());
    if !runs.are_observed() {
        return;
    }
    let mut changes = Vec::with_capacity(ids.len());
    for (effects, places, _) in runs.iter(ids.len()) {
        for &id in &ids[places] {
            if effects.is_indexed() {
                prepare_indexes(&core.world, &mut core.subs, id, effects);
            }
            changes.push(Transition {
                id,
                effects,
                previous: previous(&core.world, id),
            });
        }
    }
    commit(context, &mut changes);
}

/// Commits changes: when all state is final, observers are notified in order.
pub(super) fn commit<C: HasCore>(context: &mut C, changes: &mut [Transition<'_>]) {
    commit_from(context, changes, 0);
}

/// Commits changes like [`commit`], but records those from `first` on before the others.
pub(super) fn commit_from<C: HasCore>(
    context: &mut C,
    changes: &mut [Transition<'_>],
    first: usize,
) {
    let core = context.core_mut();
    if core.subs.history.is_some() {
        changes.rotate_left(first);
        while_unsettled(&mut core.world, &mut core.subs, |world, subs| {
            record(world, subs, changes)
        });
        changes.rotate_right(first);
    }
    commit_recorded(context, changes);
}

/// Commits changes that are recorded already, or need not be.
pub(super) fn commit_recorded<C: HasCore>(context: &mut C, changes: &mut [Transition<'_>]) {
    let core = context.core_mut();
    if !changes
        .iter()
        .any(|change| is_observed(&core.world, &core.subs, change))
    {
        while_unsettled(&mut core.world, &mut core.subs, |world, _| {
            retire_all(world, changes)
        });
        return flush_all(context, changes);
    }
    if let [change] = changes
        && let Previous::Component { value, .. } = &change.previous
        && !matches!(value, PreviousValue::Left(_)) // taken out of its row below
        && !is_dispatching(&core.world, &core.subs)
    {
        let Transition { id, effects, .. } = *change;
        let previous = change.previous.take();
        flush(context, id, effects);
        Dispatch::start(context).notify_all(id, effects, previous.passed_value());
        let core = context.core_mut();
        return previous.retire(&mut core.world);
    }
    let mut dispatch = Dispatch::join(context);
    let core = dispatch.context().core_mut();
    let own = queue(&mut core.world, &mut core.subs, changes);
    flush_all(dispatch.context(), changes);
    dispatch.run_inline(own);
}

/// Records changes in the history with their previous values, cloned if observers need them too. If
/// a clone panics, there are no notifications: all remaining changes are recorded with the values
/// themselves.
#[cold]
fn record(world: &mut World, subs: &mut Subscribers, changes: &mut [Transition<'_>]) {
    let mut recording = Recording {
        world,
        subs,
        changes,
        done: 0,
    };
    recording.run(true);
    mem::forget(recording);
}

/// Changes that are being recorded.
struct Recording<'a, 'p> {
    world: &'a mut World,
    subs: &'a mut Subscribers,
    changes: &'a mut [Transition<'p>],
    done: usize,
}

impl Recording<'_, '_> {
    fn run(&mut self, notifies: bool) {
        while let Some(change) = self.changes.get_mut(self.done) {
            self.done += 1; // also if it panics: it is recorded then
            if change.effects.is_recorded() {
                let passed = notifies && is_observed(self.world, self.subs, change);
                change
                    .previous
                    .record(self.world, self.subs, change.id, passed);
            }
        }
    }
}

impl Drop for Recording<'_, '_> {
    fn drop(&mut self) {
        self.run(false);
        retire_all(self.world, self.changes);
    }
}

/// Computes the keys of the changed entities, and drops keys without entities.
fn flush_all<C: HasCore>(context: &mut C, changes: &[Transition<'_>]) {
    for &Transition { id, effects, .. } in changes {
        flush(context, id, effects);
    }
}

/// Retires the previous values of changes. If a `drop` panics, the rest is still retired.
pub(super) fn retire_all(world: &mut World, changes: &mut [Transition<'_>]) {
    let mut retiring = Retiring {
        world,
        changes,
        done: 0,
    };
    retiring.run();
}

/// Changes whose previous values are being retired.
struct Retiring<'a, 'p> {
    world: &'a mut World,
    changes: &'a mut [Transition<'p>],
    done: usize,
}

impl Retiring<'_, '_> {
    fn run(&mut self) {
        while let Some(change) = self.changes.get_mut(self.done) {
            self.done += 1;
            change.previous.take().retire(self.world);
        }
    }
}

impl Drop for Retiring<'_, '_> {
    fn drop(&mut self) {
        self.run();
    }
}
