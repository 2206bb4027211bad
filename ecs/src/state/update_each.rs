//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    the rows are known; what observers will be notified of is noted, with copies
//!          of the values, by runs of entities of one signature
//! (visit)  the query hands out the values and says how far it has come
//! finish   collectors follow, by words ([gather]); then observers are notified, one by one
//! ```
//!
//! All values are final before anybody is notified. If the visit panics, the changes made so
//! far are reported to all but the observers: those are user code, which does not run while
//! a panic unwinds.

mod copies;
mod gather;
mod node_run;
mod notifications;

use alloc::vec::Vec;

pub(crate) use self::copies::Written;
use self::notifications::{Notifications, notify_all};
use super::core::{Core, HasCore};
use super::index::settle;
use super::user_code::Session;
use crate::matching::effects::EffectsIndex;
use crate::storage::row_words::RowWord;
use crate::words::entity_id::EntityId;

/// An update of many entities under way.
pub(crate) struct UpdateEach<'a, C: HasCore> {
    session: Session<'a, C>,
    rows: Vec<RowWord>,
    written: Vec<Written<C>>,
    /// The rows before this one have been visited.
    reached: usize,
    notifications: Notifications<C>,
}

impl<'a, C: HasCore> UpdateEach<'a, C> {
    /// Gets ready for the visit of these rows: copies the values that observers will be
    /// lent.
    pub(crate) fn begin(context: &'a mut C, rows: Vec<RowWord>, written: Vec<Written<C>>) -> Self {
        let core = context.core_mut();
        let notifications = core.plan(&rows, &written);
        if !core.indexes.is_empty() {
            core.prepare_updates(&rows, &written); // the visit may panic
        }
        Self {
            session: Session::new(context),
            rows,
            written,
            reached: 0,
            notifications,
        }
    }

    /// The context, to visit the rows, and where to note how far the visit has come: the
    /// number of the row under way, plus one.
    pub(crate) fn split(&mut self) -> (&mut C, &mut usize) {
        (self.session.context(), &mut self.reached)
    }

    /// Reports the changes, all rows having been visited.
    pub(crate) fn finish(mut self) {
        let rows = core::mem::take(&mut self.rows);
        let core = self.session.context().core_mut();
        core.gather_updates(&rows, &self.written);
        if !core.indexes.is_empty() {
            settle_updates(self.session.context(), &rows, &self.written);
        }
        if !self.notifications.is_empty() {
            notify_all(self.session.context(), &mut self.notifications);
        }
    }
}

impl<C: HasCore> Drop for UpdateEach<'_, C> {
    fn drop(&mut self) {
        forget_from(&mut self.rows, self.reached);
        if let Some(core) = self.session.core_mut() {
            core.gather_updates(&self.rows, &self.written);
        }
    }
}

/// Forgets all rows from `end` on.
fn forget_from(rows: &mut Vec<RowWord>, end: usize) {
    rows.retain_mut(|(at, bits)| {
        let below = end.saturating_sub(*at * 64);
        if below < 64 {
            *bits &= (1 << below) - 1;
        }
        *bits != 0
    });
}

impl<C: HasCore> Core<C> {
    /// Notes what observers will be notified of by the update of these rows.
    fn plan(&mut self, rows: &[RowWord], written: &[Written<C>]) -> Notifications<C> {
        let visited = rows.iter().map(|(_, bits)| bits.count_ones() as usize);
        let mut notifications = Notifications::new(visited.sum());
        if self.observers.any_of_groups() {
            self.for_each_run(rows, |core, run| notifications.note(core, &run, written));
        }
        notifications
    }

    /// Marks the entities of these rows dirty in the indexes that follow their update.
    fn prepare_updates(&mut self, rows: &[RowWord], written: &[Written<C>]) {
        self.for_each_indexed(rows, written, |core, id, effects| {
            core.prepare_indexes(id, effects);
        });
    }

    /// Calls `each` for every update of these rows that entity indexes follow.
    fn for_each_indexed(
        &mut self,
        rows: &[RowWord],
        written: &[Written<C>],
        mut each: impl FnMut(&mut Self, EntityId<C>, EffectsIndex),
    ) {
        self.for_each_run(rows, |core, run| {
            for written in written {
                let effects = core.effects_of_update(run.node, written.component);
                if !core.graph.effects().get(effects).indexed.is_empty() {
                    run.ids.iter().for_each(|&id| each(core, id, effects));
                }
            }
        });
    }
}

/// Has entity indexes follow the update of these rows.
#[inline(never)]
fn settle_updates<C: HasCore>(context: &mut C, rows: &[RowWord], written: &[Written<C>]) {
    let mut indexed = Vec::new();
    let core = context.core_mut();
    core.for_each_indexed(rows, written, |_, id, effects| indexed.push((id, effects)));
    for (id, effects) in indexed {
        settle(context, id, effects);
    }
}
