//! Naming moments of a history, and forgetting what came before one.

use core::mem;

use crate::reactions::history::Recording;
use crate::reactions::history::held::{HeldThen, Holders};
use crate::state::core::{HasCore, Registries};
use crate::state::index::drop_all_spent;
use crate::storage::past::Past;

/// Why a history cannot be asked for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoMoment {
    /// A change is under way.
    Busy,
    /// Nothing is recorded by this history any more.
    Ended,
    /// The mark is of a later moment than the present.
    Ahead,
    /// The mark is of an earlier moment than the present.
    Behind,
    /// The mark is not known: it has been forgotten, or was of changes that have been undone.
    Unknown,
}

impl Registries {
    /// Refuses while a change is under way, or if there is no history.
    pub(super) fn check_moment(&mut self) -> Result<(), NoMoment> {
        match (self.is_dispatching(), &self.history) {
            (true, _) => Err(NoMoment::Busy),
            (false, None) => Err(NoMoment::Ended),
            (false, Some(_)) => Ok(()),
        }
    }
}

impl Registries {
    /// Those who hold something for handles.
    pub(crate) fn holders(&mut self) -> Holders<'_> {
        Holders {
            slots: &self.slots,
            collectors: &mut self.collectors,
            events: &mut self.events,
            removed: &mut self.removed,
            messages: &mut self.messages,
            indexes: &mut self.indexes,
        }
    }

    /// The number of a mark, for the present moment.
    pub(super) fn present(&mut self) -> u64 {
        let held = HeldThen::copy(self.holders());
        let recording = self.history.as_deref_mut();
        recording.map_or(0, |recording| recording.mark(held))
    }

    /// The bytes held for the history, but for what values have put elsewhere.
    pub(crate) fn history_bytes(&self) -> usize {
        let pasts = self.columns.iter().filter_map(|column| column.past());
        let recording = self.history.as_deref().map(Recording::bytes);
        recording.unwrap_or(0) + pasts.map(Past::bytes).sum::<usize>()
    }

    /// Drops what has been cut off: user code.
    pub(super) fn drop_cut(&mut self) {
        let spent = self.history.as_deref_mut();
        let spent = spent.map(|recording| mem::take(&mut recording.spent));
        self.columns.drop_cut();
        drop(spent);
    }
}

/// Names the present moment.
pub(crate) fn mark<C: HasCore>(context: &mut C) -> Result<u64, NoMoment> {
    let core = context.core_mut();
    core.check_moment()?;
    let mark = core.present();
    core.drop_cut();
    Ok(mark)
}

/// Forgets all that came before a mark.
pub(crate) fn forget_before<C: HasCore>(context: &mut C, mark: u64) -> Result<(), NoMoment> {
    let core: &mut Registries = context.core_mut();
    core.check_moment()?;
    let recording = core.history.as_deref_mut().ok_or(NoMoment::Ended)?;
    let mut counts = alloc::vec![0; core.columns.len()];
    let moments = recording
        .forget_before(mark, |entry| counts[entry.component.get()] += 1)
        .ok_or(NoMoment::Unknown)?;
    let values = core.columns.forget_past(&counts);
    if let Some(held) = core.history.as_deref().and_then(|it| it.held_at(mark)) {
        core.indexes.forget_before(&held.indexes);
    }
    drop((moments, values)); // user code
    drop_forgotten(context);
    Ok(())
}

/// Drops what nobody can go back to any more: values, what marks held, and keys of indexes.
pub(crate) fn drop_forgotten<C: HasCore>(context: &mut C) {
    context.core_mut().drop_cut();
    drop_all_spent(context);
}
