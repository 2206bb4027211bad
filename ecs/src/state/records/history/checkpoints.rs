//! Marking a state of a history, and discarding what came before a mark.

use crate::reactions::history::Recording;
use crate::reactions::history::buffered::{BufferedThen, Holders};
use crate::state::core::{HasCore, Registries};
use crate::state::recording::drop_forgotten;
use crate::words::history_error::HistoryError;

impl Registries {
    /// The history; an error if there is none, or during a notification.
    pub(super) fn idle_history(&mut self) -> Result<&mut Recording, HistoryError> {
        let context = self.name;
        if self.is_dispatching() {
            return Err(HistoryError::Busy { context });
        }
        let recording = self.history.as_deref_mut();
        recording.ok_or(HistoryError::Ended { context })
    }

    /// The registries whose contents are restored by a rewind.
    pub(crate) fn holders(&mut self) -> Holders<'_> {
        Holders {
            slots: &mut self.slots,
            collectors: &mut self.collectors,
            events: &mut self.events,
            removed: &mut self.removed,
            messages: &mut self.messages,
            indexes: &mut self.indexes,
            entered: &mut self.entered,
        }
    }

    /// Records a checkpoint of the present state; returns its number.
    pub(super) fn present(&mut self) -> u64 {
        let buffered = BufferedThen::copy(self.holders());
        let recording = self.history.as_deref_mut();
        recording.map_or(0, |recording| recording.mark(buffered))
    }
}

/// Marks the present state.
pub(crate) fn mark<C: HasCore>(context: &mut C) -> Result<u64, HistoryError> {
    let core = context.core_mut();
    core.idle_history()?;
    let mark = core.present();
    core.drop_cut();
    Ok(mark)
}

/// Discards the changes and marks before a mark.
pub(crate) fn forget_before<C: HasCore>(context: &mut C, mark: u64) -> Result<(), HistoryError> {
    let core: &mut Registries = context.core_mut();
    let mut counts = alloc::vec![0; core.columns.len()];
    let checkpoints = core
        .idle_history()?
        .forget_before(mark, |entry| counts[entry.component.get()] += 1)
        .ok_or(HistoryError::UnknownMark { context: C::NAME })?;
    let values = core.columns.forget_past(&counts);
    if let Some(buffered) = core.history.as_deref().and_then(|it| it.buffered_at(mark)) {
        core.indexes.forget_before(&buffered.indexes);
    }
    drop((checkpoints, values)); // user code
    drop_forgotten(context);
    Ok(())
}
