//! Committing changes: what every change does after it was stored, in four steps. A change is a
//! [`Run`] of entities that change in the same way, mostly of one.
//!
//! ```text
//! mark     collectors and indexes      no user code                          commit/mark.rs
//! record   the history                 may clone values; others are moved    commit/record.rs
//! flush    keys of indexes             key functions                         reindex.rs
//! notify   observers                   immediately, or queued                dispatch.rs
//!          previous values             passed to observers, or retired       commit/previous.rs
//! ```
//!
//! Nothing else takes these steps; `tests/sources/steps.rs` lists the few files that take one of
//! them before they call [`commit_marked`] or [`commit_recorded`], with the reasons. Values whose
//! type is known are committed by [`typed`].
//!
//! A new kind of subscriber that needs marks alone is a kind of collector: every change reaches it,
//! and marks of a history and snapshots keep its contents. One that needs previous values is an
//! observer of each change ([`observe_changes`](mod@super::observe_changes));
//! `tests/systems/audit.rs` is an example in one file. Queries that write report their changes by
//! rows ([`query_update`](super::query_update)).

pub(super) mod mark;
pub(super) mod previous;
mod queue;
pub(super) mod record;
pub(super) mod run;
pub(super) mod typed;

use alloc::vec::Vec;
use core::mem;

use self::mark::{collect, mark, mark_indexes};
pub(crate) use self::mark::{
    commit_collected, commit_rewound, commit_rewound_destroy, commit_rows,
};
use self::previous::Previous;
use self::run::{Ids, Run};
use super::core::{Core, HasCore};
use super::dispatch::{Dispatch, notify_now};
use super::reindex::{flush, flush_batches, guard_dirty};
use super::runs::Runs;
use super::terms::{any_changed, update_flags};
use super::user_code::is_dispatching;
use crate::matching::effects::EffectsIndex;
use crate::reactions::queue::DispatchRight;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Whether observers must be notified of a change.
fn is_observed(world: &World, subs: &Subscribers, run: &Run<'_>) -> bool {
    let effects = run.effects;
    let of_lifetimes = match run.previous {
        Previous::Created => !subs.observers.is_empty(Subject::CREATED),
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
        commit_marked_one(context, id, effects, previous);
    } else {
        previous.retire(&mut core.world, &[id]);
    }
}

/// Commits a new entity that concerns a collector or an observer.
#[inline(never)]
pub(super) fn commit_created<C: HasCore>(context: &mut C, id: UntypedId, effects: EffectsIndex) {
    let core = context.core_mut();
    mark(&core.world, &mut core.subs, id, effects);
    if effects.has_subscribers() || core.subs.observers.any_of_lifetimes() {
        commit_marked_one(context, id, effects, Previous::Created);
    }
}

/// Commits a change of a component that concerns neither indexes nor a history, outside of a
/// dispatch.
#[inline(never)] // one function for all components
pub(super) fn commit_plain<C: HasCore>(
    context: &mut C,
    right: DispatchRight,
    id: UntypedId,
    effects: EffectsIndex,
    previous: &AnyValue,
) {
    let core = context.core_mut();
    if effects.propagates() {
        collect(&core.world, &mut core.subs, id, effects);
    }
    notify_now(context, right, id, effects, previous);
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
    for (effects, _, rows) in runs.iter(ids.len()) {
        commit_rows(&core.world, &mut core.subs, rows, effects);
    }
    if !runs.are_observed() {
        return;
    }
    let runs = runs
        .iter(ids.len())
        .map(|(effects, places, _)| Run::new(Ids::Many(&ids[places]), effects, previous()));
    let mut runs: Vec<_> = runs.collect();
    for run in &runs {
        mark_indexes(&core.world, &mut core.subs, run.ids.as_slice(), run.effects);
    }
    commit_marked(context, &mut runs);
}

/// Commits changes: when all state is final, observers are notified in order.
pub(super) fn commit<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    let Core { world, subs, .. } = context.core_mut();
    mark_runs(world, subs, runs);
    commit_marked(context, runs);
}

fn mark_runs(world: &World, subs: &mut Subscribers, runs: &[Run<'_>]) {
    for run in runs {
        let (ids, effects) = (run.ids.as_slice(), run.effects);
        if effects.propagates() {
            ids.iter().for_each(|id| collect(world, subs, *id, effects));
        }
        mark_indexes(world, subs, ids, effects);
    }
}

/// Commits changes interrupted by a panic, which are not notified. Runs no user code.
#[cold]
pub(super) fn commit_panicked(world: &mut World, subs: &mut Subscribers, runs: &mut [Run<'_>]) {
    mark_runs(world, subs, runs);
    commit_panicked_marked(world, subs, runs);
}

/// Commits marked changes interrupted by a panic.
pub(super) fn commit_panicked_marked(
    world: &mut World,
    subs: &mut Subscribers,
    runs: &mut [Run<'_>],
) {
    if any_changed(subs) {
        update_flags(world, subs);
    }
    subs.indexes.set_dirty_apart();
    record(world, subs, runs, false);
}

/// Commits one change that is marked already.
#[inline(never)] // keeps unobserved changes short
pub(super) fn commit_marked_one<C: HasCore>(
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
        commit_marked(context, &mut [Run::of(id, effects, previous)]);
    }
}

/// Commits destroyed entities and those that have lost a relation to them, `lost` in number, which
/// come last. All are marked. The history records these first, because a rewind revives targets
/// before it gives relations to them back.
pub(super) fn commit_destroyed<C: HasCore>(context: &mut C, runs: &mut [Run<'_>], lost: usize) {
    runs.rotate_right(lost);
    record_runs(context.core_mut(), runs);
    runs.rotate_left(lost);
    commit_recorded(context, runs);
}

/// Commits updates that are marked by rows: the keys of indexes are computed as a batch.
pub(super) fn commit_updates<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    record_runs(context.core_mut(), runs);
    if !context.core().subs.indexes.is_empty() {
        flush_batches(context);
    }
    commit_recorded(context, runs);
}

/// Commits changes that are marked already.
fn commit_marked<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    record_runs(context.core_mut(), runs);
    commit_recorded(context, runs);
}

/// Records changes in the history, if there is one.
fn record_runs<C>(core: &mut Core<C>, runs: &mut [Run<'_>]) {
    if core.subs.history.is_some() {
        guard_dirty(&mut core.world, &mut core.subs, |world, subs| {
            record(world, subs, runs, true)
        });
    }
}

/// Commits changes that are recorded already, or need not be, together with the changes of flags of terms
/// that follow from them.
pub(super) fn commit_recorded<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    let Core { world, subs, .. } = context.core_mut();
    if any_changed(subs) {
        let flips = update_flags(world, subs);
        let mut all: Vec<Run<'_>> = runs.iter_mut().map(Run::take).collect();
        all.extend(flips.into_iter().map(|flip| flip.run()));
        return commit_final(context, &mut all);
    }
    commit_final(context, runs);
}

fn commit_final<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
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
fn notify<C: HasCore>(context: &mut C, runs: &mut [Run<'_>]) {
    let Core { world, subs, .. } = context.core_mut();
    let number = subs.queue.next_change();
    for run in &mut *runs {
        run.to_notify = world.graph.effects().to_notify(run.effects);
    }
    let mut dispatch = Dispatch::start(context);
    for runs in runs.chunk_by(Run::is_of_same) {
        if let [run] = runs {
            let values = run.previous.passed_values();
            let (ids, value) = (run.ids.as_slice(), |nth| values.get(nth));
            dispatch.notify_run(number, ids, run.to_notify.clone(), value);
            continue;
        }
        for nth in 0..runs[0].ids.as_slice().len() {
            for run in runs {
                let (id, values) = (run.ids.as_slice()[nth], run.previous.passed_values());
                dispatch.notify_groups(number, id, run.to_notify.clone(), values.get(nth));
            }
        }
    }
    dispatch.run();
}

/// Records changes in the history with their previous values, cloned if observers are notified and
/// need them too. If a clone panics, there are no notifications: all remaining changes are recorded
/// with the values themselves.
#[cold]
fn record(world: &mut World, subs: &mut Subscribers, runs: &mut [Run<'_>], notifies: bool) {
    let mut recording = Recording {
        world,
        subs,
        runs,
        done: 0,
    };
    recording.run(notifies);
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
        flush(context, run.ids.as_slice(), run.effects);
    }
}

/// Retires the previous values of changes. If a `drop` panics, the rest is still retired.
pub(super) fn retire_all(world: &mut World, runs: &mut [Run<'_>]) {
    let mut retiring = Retiring { world, runs };
    retiring.run();
    mem::forget(retiring);
}

/// Changes whose previous values are being retired.
struct Retiring<'a, 'p> {
    world: &'a mut World,
    runs: &'a mut [Run<'p>],
}

impl Retiring<'_, '_> {
    fn run(&mut self) {
        for run in &mut *self.runs {
            run.previous.take().retire(self.world, run.ids.as_slice());
        }
    }
}

impl Drop for Retiring<'_, '_> {
    fn drop(&mut self) {
        self.run();
    }
}
