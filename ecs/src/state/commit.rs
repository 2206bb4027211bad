//! Committing changes: the duties of every change, in one order. A change is a [`Run`] of entities
//! that change in the same way, mostly of one.
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
//! New consumers of changes are added here, unless they are observers of each change
//! ([`observe_changes`](mod@super::observe_changes)); `tests/systems/audit.rs` is an example in one file. Queries that
//! write report their changes by rows ([`query_update`](super::query_update)).

use alloc::vec::Vec;
use core::mem;

use super::core::{Core, HasCore};
use super::dispatch::Dispatch;
use super::entity_indexes::prepare_indexes;
use super::previous::Previous;
use super::propagate::{propagate, propagate_runs};
use super::queueing::next_change;
use super::reindex::{flush, guard_dirty};
use super::run::{Ids, Run};
use super::runs::Runs;
use super::user_code::is_dispatching;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::words::entity_id::UntypedId;
use crate::world::World;

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
fn is_observed(world: &World, subs: &Subscribers, run: &Run<'_>) -> bool {
    let effects = run.effects;
    let of_lifetimes = match run.previous {
        Previous::Created(_) => !subs.observers.is_empty(Subject::CREATED),
        Previous::Destroyed { .. } => !subs.observers.is_empty(Subject::DESTROYED),
        Previous::Bundle { .. } | Previous::Component { .. } | Previous::Done => false,
    };
    of_lifetimes || effects.has_subscribers() && world.graph.effects().are_observed(effects)
}

/// Queues notifications of observers, entity by entity; returns the number of steps.
fn queue(world: &mut World, subs: &mut Subscribers, runs: &mut [Run<'_>]) -> usize {
    let before = subs.queue.steps.len();
    for runs in runs.chunk_by_mut(Run::is_of_same) {
        for nth in 0..runs[0].ids.as_slice().len() {
            for run in &mut *runs {
                let id = run.ids.as_slice()[nth];
                run.previous.queue(world, subs, (id, nth), run.effects);
            }
        }
        for run in runs {
            drop(run.previous.take());
        }
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
    if effects.has_subscribers() {
        commit_one(context, id, effects, previous);
    } else {
        previous.retire(&mut core.world, &[id]);
    }
}

/// Commits one change.
#[inline(never)] // keeps unobserved changes short
pub(super) fn commit_one<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    mut previous: Previous<'_>,
) {
    let Core { world, subs, .. } = context.core_mut();
    let is_plain = effects.are_plain() && previous.is_of_component();
    if is_plain && world.graph.effects().are_observed(effects) && is_dispatching(world, subs) {
        previous.queue(world, subs, (id, 0), effects); // the running dispatch notifies
    } else {
        commit(context, &mut [Run::of(id, effects, previous)]);
    }
}

/// Commits a change of a component of many entities, which is stored; `previous` returns the state
/// before it of each run of `ids`, in order. Without observers, the caller retires the previous
/// values.
pub(super) fn commit_runs<'p, C: HasCore>(
    context: &mut C,
    ids: &'p [UntypedId],
    runs: &Runs,
    mut previous: impl FnMut() -> Previous<'p>,
) {
    let core = context.core_mut();
    propagate_runs(&core.world, &mut core.subs, runs, ids.len());
    if !runs.are_observed() {
        return;
    }
    let runs = runs.iter(ids.len()).map(|(effects, places, _)| Run {
        ids: Ids::Many(&ids[places]),
        effects,
        previous: previous(),
    });
    let mut runs: Vec<_> = runs.collect();
    for run in &runs {
        if run.effects.is_indexed() {
            for &id in run.ids.as_slice() {
                prepare_indexes(&core.world, &mut core.subs, id, run.effects);
            }
        }
    }
    commit(context, &mut runs);
}

/// Commits changes: when all state is final, observers are notified in order.
pub(super) fn commit<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    commit_from(context, runs, 0);
}

/// Commits changes like [`commit`], but records those from `first` on before the others.
pub(super) fn commit_from<C: HasCore>(context: &mut C, runs: &mut [Run<'_>], first: usize) {
    runs.rotate_left(first);
    record_runs(context.core_mut(), runs);
    runs.rotate_right(first);
    commit_recorded(context, runs);
}

/// Records changes in the history, if there is one.
pub(super) fn record_runs<C>(core: &mut Core<C>, runs: &mut [Run<'_>]) {
    if core.subs.history.is_some() {
        guard_dirty(&mut core.world, &mut core.subs, |world, subs| {
            record(world, subs, runs)
        });
    }
}

/// Records changes interrupted by a panic, which are not notified. Runs no user code.
pub(super) fn record_panicked(world: &mut World, subs: &mut Subscribers, runs: &mut [Run<'_>]) {
    let mut recording = Recording {
        world,
        subs,
        runs,
        done: 0,
    };
    recording.run(false);
    mem::forget(recording);
}

/// Commits changes that are recorded already, or need not be.
pub(super) fn commit_recorded<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    let Core { world, subs, .. } = context.core_mut();
    if !runs.iter().any(|run| is_observed(world, subs, run)) {
        guard_dirty(world, subs, |world, _| retire_all(world, runs));
        return flush_all(context, runs);
    }
    if !is_dispatching(world, subs) && runs.iter().all(|run| run.previous.is_of_component()) {
        for run in &mut *runs {
            run.previous.take_out(world, run.ids.as_slice());
        }
        flush_all(context, runs);
        notify(context, runs);
        return retire_all(&mut context.core_mut().world, runs);
    }
    let mut dispatch = Dispatch::join(context);
    let core = dispatch.context().core_mut();
    let own = queue(&mut core.world, &mut core.subs, runs);
    flush_all(dispatch.context(), runs);
    dispatch.run_inline(own);
}

/// Notifies observers of changes of components without a queue. All have the same number, because
/// all of them are stored: later observers are not notified.
fn notify<C: HasCore>(context: &mut C, runs: &[Run<'_>]) {
    let number = next_change(&mut context.core_mut().subs);
    let mut dispatch = Dispatch::start(context);
    for runs in runs.chunk_by(Run::is_of_same) {
        if let [run] = runs {
            let values = run.previous.passed_values();
            let (ids, value) = (run.ids.as_slice(), |nth| values.get(nth));
            dispatch.notify_run(number, ids, run.effects, value);
            continue;
        }
        for nth in 0..runs[0].ids.as_slice().len() {
            for run in runs {
                let (id, values) = (run.ids.as_slice()[nth], run.previous.passed_values());
                dispatch.notify_groups(number, id, run.effects, values.get(nth));
            }
        }
    }
    dispatch.run();
}

/// Records changes in the history with their previous values, cloned if observers need them too. If
/// a clone panics, there are no notifications: all remaining changes are recorded with the values
/// themselves.
#[cold]
fn record(world: &mut World, subs: &mut Subscribers, runs: &mut [Run<'_>]) {
    let mut recording = Recording {
        world,
        subs,
        runs,
        done: 0,
    };
    recording.run(true);
    mem::forget(recording);
}

/// Changes that are being recorded.
struct Recording<'a, 'p> {
    world: &'a mut World,
    subs: &'a mut Subscribers,
    runs: &'a mut [Run<'p>],
    done: usize,
}

impl Recording<'_, '_> {
    fn run(&mut self, notifies: bool) {
        while let Some(run) = self.runs.get_mut(self.done) {
            self.done += 1; // also if it panics: it is recorded then
            if run.effects.is_recorded() {
                let passed = notifies && is_observed(self.world, self.subs, run);
                let ids = run.ids.as_slice();
                run.previous.record(self.world, self.subs, ids, passed);
            }
        }
    }
}

impl Drop for Recording<'_, '_> {
    fn drop(&mut self) {
        self.run(false);
        retire_all(self.world, self.runs);
    }
}

/// Computes the keys of the changed entities, and drops keys without entities.
fn flush_all<C: HasCore>(context: &mut C, runs: &[Run<'_>]) {
    for run in runs {
        for &id in run.ids.as_slice() {
            flush(context, id, run.effects);
        }
    }
}

/// Retires the previous values of changes. If a `drop` panics, the rest is still retired.
pub(super) fn retire_all(world: &mut World, runs: &mut [Run<'_>]) {
    let mut retiring = Retiring {
        world,
        runs,
        done: 0,
    };
    retiring.run();
}

/// Changes whose previous values are being retired.
struct Retiring<'a, 'p> {
    world: &'a mut World,
    runs: &'a mut [Run<'p>],
    done: usize,
}

impl Retiring<'_, '_> {
    fn run(&mut self) {
        while let Some(run) = self.runs.get_mut(self.done) {
            self.done += 1;
            run.previous.take().retire(self.world, run.ids.as_slice());
        }
    }
}

impl Drop for Retiring<'_, '_> {
    fn drop(&mut self) {
        self.run();
    }
}
