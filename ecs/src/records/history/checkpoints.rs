//! Marking a state of a history, and discarding what came before a mark.

use crate::reactions::history::Recording;
use crate::reactions::history::buffered::{BufferedCopy, Holders};
use crate::reactions::subscribers::Subscribers;
use crate::state::core::HasCore;
use crate::state::recording::drop_cut;
use crate::state::user_code::is_dispatching;
use crate::words::history_error::HistoryError;
use crate::world::World;

/// The history; an error if there is none, or during a notification.
pub(super) fn idle_history<'a>(
    world: &World,
    subs: &'a mut Subscribers,
) -> Result<&'a mut Recording, HistoryError> {
    let context = world.name;
    if is_dispatching(world, subs) {
        return Err(HistoryError::Busy { context });
    }
    let recording = subs.history.as_deref_mut();
    recording.ok_or(HistoryError::Ended { context })
}

/// The registries whose contents are restored by a rewind.
pub(crate) fn holders<'a>(world: &'a mut World, subs: &'a mut Subscribers) -> Holders<'a> {
    Holders {
        slots: &mut world.slots,
        collectors: &mut subs.collectors,
        events: &mut subs.events,
        removed: &mut subs.removed,
        messages: &mut subs.messages,
        indexes: &mut subs.indexes,
        entered: &mut subs.entered,
    }
}

/// Records a checkpoint of the present state; returns its number.
pub(super) fn present(world: &mut World, subs: &mut Subscribers) -> u64 {
    let buffered = BufferedCopy::copy(holders(world, subs));
    let recording = subs.history.as_deref_mut();
    recording.map_or(0, |recording| recording.mark(buffered))
}

/// Marks the present state.
pub(crate) fn mark<C: HasCore>(context: &mut C) -> Result<u64, HistoryError> {
    let core = context.core_mut();
    idle_history(&core.world, &mut core.subs)?;
    let mark = present(&mut core.world, &mut core.subs);
    drop_cut(&mut core.world, &mut core.subs);
    Ok(mark)
}

/// Discards the changes and marks before a mark.
pub(crate) fn forget_before<C: HasCore>(context: &mut C, mark: u64) -> Result<(), HistoryError> {
    let core = context.core_mut();
    let mut counts = alloc::vec![0; core.world.columns.len()];
    let checkpoints = idle_history(&core.world, &mut core.subs)?
        .forget_before(mark, |entry| counts[entry.component.get()] += 1)
        .ok_or(HistoryError::UnknownMark { context: C::NAME })?;
    let values = core.world.columns.forget_past(&counts);
    if let Some(buffered) = core
        .subs
        .history
        .as_deref()
        .and_then(|it| it.buffered_at(mark))
    {
        core.subs.indexes.forget_before(&buffered.indexes);
    }
    drop((checkpoints, values)); // user code
    let core = context.core_mut();
    drop_cut(&mut core.world, &mut core.subs);
    Ok(())
}
