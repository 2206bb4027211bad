//! The state of a history during changes: whether there is one, its end, and swaps of rows. Changes
//! are recorded by [`commit`](super::commit); operations on histories are in
//! [`records`](crate::records).

use alloc::boxed::Box;
use core::mem;

use super::core::{Core, HasCore};
use super::user_code::is_dispatching;
use crate::reactions::history::{Forgotten, Recording};
use crate::reactions::subscribers::Subscribers;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Records that two rows were swapped.
pub(crate) fn record_swap(world: &mut World, subs: &mut Subscribers, rows: [Row; 2]) {
    let Some(recording) = subs.history.as_deref_mut() else {
        return;
    };
    match recording.is_dropped() {
        true => end_dropped_history(world, subs),
        false => recording.push_swap(rows),
    }
}

/// Clones the value of an entity whose component its caller is about to take, if the history
/// needs it: user code, before anything changes.
pub(super) fn clone_to_record<'b>(
    world: &World,
    subs: &Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    buffer: &'b mut Buffer,
) -> Option<Moved<'b>> {
    let slot = world
        .slots
        .get(id)
        .filter(|_| is_recorded(subs, component))?;
    buffer.clone_of(world.columns.at(component)?.view(slot.row)?)
}

/// Whether there is a history whose handle is alive.
pub(crate) fn has_history(subs: &Subscribers) -> bool {
    let history = subs.history.as_deref();
    history.is_some_and(|recording| !recording.is_dropped())
}

/// Whether a history with a living handle records a component.
#[inline]
pub(crate) fn is_recorded(subs: &Subscribers, component: RawComponentIndex) -> bool {
    let history = subs.history.as_deref();
    history.is_some_and(|recording| recording.records(component))
}

/// Discards the history, which starts again from here. The discarded values are dropped after
/// the current change.
pub(crate) fn forget_history(world: &mut World, subs: &mut Subscribers) {
    let Some(recording) = subs.history.as_deref_mut() else {
        return;
    };
    if recording.is_dropped() {
        return end_dropped_history(world, subs);
    }
    let checkpoints = recording.restart();
    let excluded = Some(&recording.excluded);
    subs.indexes.set_recorded(excluded);
    leave_in_history(world, subs, checkpoints);
}

/// Ends the history of a dropped handle during a change: nothing is recorded from now on. The
/// remains are dropped when the next handle is created.
pub(super) fn end_dropped_history(world: &mut World, subs: &mut Subscribers) {
    if let Some(checkpoints) = subs.history.as_deref_mut().and_then(Recording::end) {
        subs.indexes.set_recorded(None);
        leave_in_history(world, subs, checkpoints);
    }
}

/// Leaves discarded checkpoints and all past values to be dropped.
fn leave_in_history(world: &mut World, subs: &mut Subscribers, checkpoints: Forgotten) {
    let values = world.columns.end_past();
    if let Some(recording) = subs.history.as_deref_mut() {
        recording.pending_drops.push(Box::new(checkpoints));
        recording.pending_drops.push(Box::new(values));
    }
}

/// Drops what was discarded: user code.
pub(crate) fn drop_cut(world: &mut World, subs: &mut Subscribers) {
    let pending_drops = subs.history.as_deref_mut();
    let pending_drops = pending_drops.map(|recording| mem::take(&mut recording.pending_drops));
    world.columns.drop_cut();
    drop(pending_drops);
}

/// Ends the history, if there is one.
pub(crate) fn end<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    let ended = core.subs.history.take();
    if ended.is_some() {
        let dispatching = is_dispatching(&core.world, &core.subs);
        core.world.graph.set_recorded(None, dispatching);
        core.subs.indexes.set_recorded(None);
        let values = core.world.columns.end_past();
        drop((ended, values)); // user code
    }
}

/// Rejects moving all entities at once while there is a history.
#[track_caller]
pub(crate) fn check_movable<C: HasCore>(core: &Core<C>) {
    assert!(
        !has_history(&core.subs),
        "the entities of context `{}` cannot be moved all at once while a history follows: a rewind \
         could not restore the order in which they are visited; call `storage_mut().defragment_for`, \
         which is recorded, or `defragment` before `record`",
        C::NAME
    );
}
