//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    rows are known; notifications are recorded with copies of the values, by runs of entities
//!          with one signature; values are copied for the history, too
//! (visit)  the query passes the values on and records its progress
//! finish   collectors and indexes are updated by words ([collect]); then observers are notified,
//!          one by one
//! ```
//!
//! If the rows are not known in advance, as in a view, each is [recorded](RowRecorder) before the first
//! write, with a copy of the value; notifications are computed at the end.
//!
//! All values are final before the first notification. If the visit panics, the changes made so far
//! are reported, except to observers: they are user code, which does not run while a panic unwinds.

mod changes;
mod collect;
mod copies;
mod node_run;
mod notifications;
mod recorded;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use self::changes::Changes;
pub use self::changes::WrittenRows;
use self::copies::Copies;
pub use self::copies::Written;
use self::notifications::{Notifications, notify_all};
use self::recorded::RecordedValues;
use super::collectors::{spare_rows, take_rows};
use super::core::{HasCore, Registries};
use super::index::flush_batches;
use super::user_code::Session;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::limits::ROWS;

/// An update of many entities in progress.
pub(crate) struct QueryUpdate<'a, C: HasCore> {
    session: Session<'a, C>,
    /// Rows before this one have been visited.
    reached: usize,
    /// What to report, if anything; boxed, so that it costs nothing otherwise.
    reporting: Option<Box<Reporting>>,
}

/// Changes to be reported.
#[derive(Default)]
struct Reporting {
    changes: Changes,
    notifications: Notifications,
    recorded: RecordedValues,
    /// For rows that are recorded one by one: `Some`, with the previous values if they are needed.
    rows: Option<Option<Copies>>,
}

/// Records rows before they are written to, if they are not known in advance.
pub(crate) struct RowRecorder<'a> {
    changes: &'a mut Changes,
    before: Option<&'a mut Copies>,
}

impl RowRecorder<'_> {
    /// Records a row that has the component; the first time with a copy of its value.
    pub(crate) fn record(&mut self, core: &Registries, row: Row) {
        if self.changes.contains(row) {
            return;
        }
        if let Some(before) = &mut self.before {
            let rows = (row.get() / ROWS, 1 << (row.get() % ROWS));
            before.keep(core, self.changes.written()[0].component, rows); // user code
        }
        self.changes.add(row);
    }
}

impl<'a, C: HasCore> QueryUpdate<'a, C> {
    /// Prepares to visit these rows: copies the values for observers.
    pub(crate) fn begin(context: &'a mut C, rows: Vec<RowWord>, written: Vec<Written>) -> Self {
        let changes = Changes::new(rows, written);
        let core = context.core_mut();
        let recorded = core.copy_for_history(&changes);
        let notifications = core.plan(&changes, None);
        Self::reporting(
            context,
            0,
            Reporting {
                changes,
                notifications,
                recorded,
                rows: None,
            },
        )
    }

    /// Prepares to visit rows that are [recorded](Self::recorder) one by one.
    pub(crate) fn of_recorded(context: &'a mut C, written: Written) -> Self {
        let core = context.core_mut();
        let is_wanted = core.is_recorded(written.component) || core.observers.any_of_groups();
        let before = Copies::new(&written, 0).filter(|_| is_wanted);
        let mut changes = Changes::new(Vec::new(), alloc::vec![written]);
        changes.added = spare_rows(core, false);
        let reporting = Reporting {
            changes,
            rows: Some(before),
            ..Reporting::default()
        };
        Self::reporting(context, usize::MAX, reporting)
    }

    /// An update without anything to report.
    #[inline]
    pub(crate) fn unreported(context: &'a mut C) -> Self {
        Self {
            session: Session::new(context),
            reached: 0,
            reporting: None,
        }
    }

    fn reporting(context: &'a mut C, reached: usize, reporting: Reporting) -> Self {
        Self {
            session: Session::new(context),
            reached,
            reporting: Some(Box::new(reporting)),
        }
    }

    /// The context to visit, and where to record rows before they are written to, if they are
    /// reported.
    pub(crate) fn recorder(&mut self) -> (&mut C, Option<RowRecorder<'_>>) {
        let recorder = self.reporting.as_deref_mut().map(|reporting| RowRecorder {
            before: reporting.rows.as_mut().and_then(Option::as_mut),
            changes: &mut reporting.changes,
        });
        (self.session.context(), recorder)
    }

    /// The context to visit; the rows written by items; and the progress of the visit: the number
    /// of the current row plus one.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut C, &[WrittenRows], &mut usize) {
        let tracked = self.reporting.as_deref().map(|it| it.changes.tracked());
        let context = self.session.context();
        (context, tracked.unwrap_or(&[]), &mut self.reached)
    }

    /// Reports the changes after all rows were visited.
    #[inline]
    pub(crate) fn finish(self) {
        if self.is_reported() {
            self.report();
        }
    }

    /// Reports the changes in the rows visited so far; the visit has ended early.
    #[inline]
    pub(crate) fn finish_early(mut self) {
        if let Some(reporting) = &mut self.reporting {
            reporting.changes.forget_from(self.reached);
            let core: &Registries = self.session.context().core();
            reporting.notifications.forget_from(core, self.reached);
        }
        self.finish();
    }

    #[inline]
    fn is_reported(&self) -> bool {
        let reporting = self.reporting.as_ref();
        reporting.is_some_and(|it| !it.changes.is_empty())
    }

    #[inline(never)] // keeps unreported updates short
    fn report(mut self) {
        if let Some(reporting) = &mut self.reporting {
            reporting.plan_recorded(self.session.context().core_mut());
        }
        let Some(mut reporting) = self.reporting.take() else {
            return;
        };
        let Reporting {
            changes,
            notifications,
            recorded,
            ..
        } = &mut *reporting;
        let core = self.session.context().core_mut();
        notifications.exclude_unwritten(core, changes);
        core.record_updates(changes, recorded);
        core.collect_updates(changes);
        if !core.indexes.is_empty() {
            core.prepare_updates(changes);
            flush_batches(self.session.context());
        }
        if !notifications.is_empty() {
            notify_all(self.session.context(), notifications);
        }
    }
}

impl<C: HasCore> Drop for QueryUpdate<'_, C> {
    #[inline]
    fn drop(&mut self) {
        if self.is_reported() {
            self.report_visited();
        }
    }
}

impl<C: HasCore> QueryUpdate<'_, C> {
    /// Reports the changes made before a panic.
    #[cold]
    fn report_visited(&mut self) {
        let (reporting, core) = (self.reporting.as_deref_mut(), self.session.core_mut());
        if let (Some(reporting), Some(core)) = (reporting, core) {
            reporting.keep_recorded();
            let Reporting {
                changes, recorded, ..
            } = reporting;
            changes.forget_from(self.reached);
            core.record_updates(changes, recorded);
            core.collect_updates(changes);
            core.prepare_updates(changes);
            core.indexes.set_dirty_apart();
        }
    }
}

impl Reporting {
    /// Keeps the previous values of recorded rows for the history; returns whether there may be
    /// such rows.
    fn keep_recorded(&mut self) -> bool {
        let rows = self.rows.take();
        rows.map(|before| self.recorded = RecordedValues::of(before))
            .is_some()
    }

    /// Plans the notifications for recorded rows.
    fn plan_recorded(&mut self, core: &mut Registries) {
        if self.keep_recorded() {
            take_rows(core, mem::take(&mut self.changes.added), false); // for reuse
            let before = match core.observers.any_of_groups() {
                true => self.recorded.duplicate(), // user code
                false => None,
            };
            self.notifications = core.plan(&self.changes, before);
        }
    }
}

impl Registries {
    /// Plans the notifications of these changes. The previous values are still stored, or in
    /// `before`.
    fn plan(&mut self, changes: &Changes, before: Option<Copies>) -> Notifications {
        let mut notifications = Notifications::of(before);
        if self.observers.any_of_groups() {
            notifications.expect(changes.visited());
            self.for_each_run(changes.rows(), |core, run| {
                notifications.record(core, &run, changes.written());
            });
        }
        notifications
    }
}
