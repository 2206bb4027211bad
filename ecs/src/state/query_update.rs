//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    the rows are known; what observers will be notified of is noted, with copies
//!          of the values, by runs of entities of one signature; the history gets copies, too
//! (visit)  the query hands out the values and says how far it has come
//! finish   collectors and indexes follow, by words ([gather]); then observers are notified, one
//!          by one
//! ```
//!
//! All values are final before anybody is notified. If the visit panics, the changes made so
//! far are reported to all but the observers: those are user code, which does not run while
//! a panic unwinds.

mod changes;
mod copies;
mod gather;
mod node_run;
mod notifications;
mod recorded;

use alloc::vec::Vec;

use self::changes::Changes;
pub(crate) use self::changes::WrittenRows;
pub(crate) use self::copies::Written;
use self::notifications::{Notifications, notify_all};
use self::recorded::RecordedValues;
use super::core::{HasCore, Registries};
use super::index::settle_batches;
use super::user_code::Session;
use crate::storage::row_words::RowWord;

/// An update of many entities under way.
pub(crate) struct QueryUpdate<'a, C: HasCore> {
    session: Session<'a, C>,
    changes: Changes,
    /// The rows before this one have been visited.
    reached: usize,
    notifications: Notifications,
    recorded: RecordedValues,
}

impl<'a, C: HasCore> QueryUpdate<'a, C> {
    /// Gets ready for the visit of these rows: copies the values that observers will be
    /// lent.
    pub(crate) fn begin(context: &'a mut C, rows: Vec<RowWord>, written: Vec<Written>) -> Self {
        let changes = Changes::new(rows, written);
        let core = context.core_mut();
        let recorded = core.copy_for_history(&changes);
        let notifications = core.plan(&changes);
        Self {
            session: Session::new(context),
            changes,
            reached: 0,
            notifications,
            recorded,
        }
    }

    /// An update that nobody follows.
    #[inline]
    pub(crate) fn unfollowed(context: &'a mut C) -> Self {
        Self {
            session: Session::new(context),
            changes: Changes::default(),
            reached: 0,
            notifications: Notifications::default(),
            recorded: RecordedValues::default(),
        }
    }

    /// The context, to visit the rows; where items note what they write to; and where to note how
    /// far the visit has come: the number of the row under way, plus one.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut C, &[WrittenRows], &mut usize) {
        let context = self.session.context();
        (context, self.changes.tracked(), &mut self.reached)
    }

    /// Reports the changes, all rows having been visited.
    #[inline]
    pub(crate) fn finish(self) {
        if !self.changes.is_empty() {
            self.report();
        }
    }

    #[inline(never)] // so that what nobody follows stays short
    fn report(mut self) {
        let changes = core::mem::take(&mut self.changes);
        let core = self.session.context().core_mut();
        self.notifications.leave_out_unwritten(core, &changes);
        core.record_updates(&changes, &mut self.recorded);
        core.gather_updates(&changes);
        if !core.indexes.is_empty() {
            core.prepare_updates(&changes);
            settle_batches(self.session.context());
        }
        if !self.notifications.is_empty() {
            notify_all(self.session.context(), &mut self.notifications);
        }
    }
}

impl<C: HasCore> Drop for QueryUpdate<'_, C> {
    #[inline]
    fn drop(&mut self) {
        if !self.changes.is_empty() {
            self.report_visited();
        }
    }
}

impl<C: HasCore> QueryUpdate<'_, C> {
    /// Reports the changes made up to a panic.
    #[cold]
    fn report_visited(&mut self) {
        self.changes.forget_from(self.reached);
        if let Some(core) = self.session.core_mut() {
            core.record_updates(&self.changes, &mut self.recorded);
            core.gather_updates(&self.changes);
            core.prepare_updates(&self.changes);
            core.indexes.set_dirty_apart();
        }
    }
}

impl Registries {
    /// Notes what observers will be notified of by these changes.
    fn plan(&mut self, changes: &Changes) -> Notifications {
        let mut notifications = Notifications::default();
        if self.observers.any_of_groups() {
            notifications.expect(changes.visited());
            self.for_each_run(changes.rows(), |core, run| {
                notifications.note(core, &run, changes.written());
            });
        }
        notifications
    }
}
