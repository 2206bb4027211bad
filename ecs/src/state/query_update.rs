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
//! If the rows are not known in advance, because a view writes to any of them or an iterator may stop
//! early, they are [recorded](RowRecorder) before the first write, with copies of their values;
//! notifications are computed at the end.
//!
//! All values are final before the first notification. If the visit panics, the changes made so far
//! are reported, except to observers: they are user code, which does not run while a panic unwinds.

mod changes;
mod collect;
mod copied;
mod copies;
mod node_run;
mod notifications;
mod recorded;

use alloc::boxed::Box;
use alloc::vec::Vec;

pub use self::changes::WrittenRows;
use self::changes::{Changes, VisitedRows};
use self::copied::CopiedValues;
pub(crate) use self::copied::RowRecorder;
use self::copies::Copies;
pub use self::copies::Written;
use self::notifications::{Notifications, notify_all};
use self::recorded::RecordedValues;
use super::collectors::{spare_rows, take_rows};
use super::core::HasCore;
use super::query_update::changes::{reuse_written_rows, written_rows};
use super::query_update::collect::{collect_updates, prepare_updates};
use super::query_update::node_run::for_each_run;
use super::query_update::recorded::{copy_for_history, record_updates};
use super::reindex::flush_batches;
use super::user_code::Session;
use crate::reactions::subscribers::Subscribers;
use crate::storage::row_words::RowWord;
use crate::words::limits::ROWS;
use crate::world::World;

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
    /// The previous values, if rows are recorded during the visit.
    copied: Option<CopiedValues>,
}

/// What a visit needs of an update.
pub(crate) struct Visit<'a, C> {
    pub(crate) context: &'a mut C,
    /// Where items record that they were written to.
    pub(crate) written: &'a [WrittenRows],
    /// Where to record rows before they are written to, if they are reported and not known.
    pub(crate) recorder: Option<RowRecorder<'a>>,
    /// The number of the current row plus one.
    pub(crate) reached: &'a mut usize,
}

impl<'a, C: HasCore> QueryUpdate<'a, C> {
    /// Prepares to visit these rows: copies the values for observers. `shared` if several items exist
    /// at a time.
    pub(crate) fn begin(
        context: &'a mut C,
        rows: Vec<RowWord>,
        written: Vec<Written>,
        shared: bool,
    ) -> Self {
        let core = context.core_mut();
        let blocks = rows.last().map_or(0, |(at, _)| at + 1);
        let changes = Changes {
            visited: VisitedRows::of(rows),
            tracked: written_rows(&mut core.subs, &written, blocks, shared),
            written,
        };
        let recorded = copy_for_history(&mut core.world, &mut core.subs, &changes);
        let notifications = plan(&mut core.world, &mut core.subs, &changes, None);
        Self::reporting(
            context,
            0,
            Reporting {
                changes,
                notifications,
                recorded,
                copied: None,
            },
        )
    }

    /// Prepares to visit rows that are recorded one by one, in any order.
    pub(crate) fn of_recorded_rows(context: &'a mut C, written: Written) -> Self {
        let rows = VisitedRows::one_by_one({
            let core = context.core_mut();
            spare_rows(&mut core.subs, false)
        });
        Self::recorded(context, usize::MAX, (rows, alloc::vec![written]), false)
    }

    /// Prepares to visit rows that are recorded block by block, in ascending order; `shared` as for
    /// [`begin`](Self::begin).
    pub(crate) fn of_recorded_blocks(
        context: &'a mut C,
        written: Vec<Written>,
        shared: bool,
    ) -> Self {
        Self::recorded(context, 0, (VisitedRows::default(), written), shared)
    }

    fn recorded(
        context: &'a mut C,
        reached: usize,
        (visited, written): (VisitedRows, Vec<Written>),
        shared: bool,
    ) -> Self {
        let core = context.core_mut();
        let copied = Some(CopiedValues::new(&core.world, &core.subs, &written));
        let blocks = core.world.slots.rows().div_ceil(ROWS);
        let changes = Changes {
            visited,
            tracked: written_rows(&mut core.subs, &written, blocks, shared),
            written,
        };
        let reporting = Reporting {
            changes,
            copied,
            ..Reporting::default()
        };
        Self::reporting(context, reached, reporting)
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

    /// Starts the visit.
    #[inline]
    pub(crate) fn visit(&mut self) -> Visit<'_, C> {
        let mut visit = Visit {
            context: self.session.context(),
            written: &[],
            recorder: None,
            reached: &mut self.reached,
        };
        if let Some(Reporting {
            changes, copied, ..
        }) = self.reporting.as_deref_mut()
        {
            let Changes {
                visited,
                written,
                tracked,
            } = changes;
            visit.written = tracked;
            visit.recorder = copied.as_mut().map(|values| RowRecorder {
                rows: visited,
                written,
                values,
            });
        }
        visit
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
            let core = self.session.context().core_mut();
            reporting.plan_copied(&mut core.world, &mut core.subs);
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
        notifications.exclude_unwritten(&core.world, changes);
        record_updates(&mut core.world, &mut core.subs, changes, recorded);
        collect_updates(&core.world, &mut core.subs, changes);
        if !core.subs.indexes.is_empty() {
            prepare_updates(&core.world, &mut core.subs, changes);
        }
        reuse_written_rows(&mut core.subs, changes);
        if !core.subs.indexes.is_empty() {
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
            reporting.keep_copied();
            let Reporting {
                changes, recorded, ..
            } = reporting;
            changes.forget_from(self.reached);
            record_updates(&mut core.world, &mut core.subs, changes, recorded);
            collect_updates(&core.world, &mut core.subs, changes);
            prepare_updates(&core.world, &mut core.subs, changes);
            core.subs.indexes.set_dirty_apart();
        }
    }
}

impl Reporting {
    /// Keeps the previous values of recorded rows for the history; returns those for observers.
    fn keep_copied(&mut self) -> Option<Vec<Option<Copies>>> {
        let [recorded, notified] = self.copied.take()?.into_parts();
        self.recorded = RecordedValues::of(recorded);
        Some(notified)
    }

    /// Plans the notifications for recorded rows.
    fn plan_copied(&mut self, world: &mut World, subs: &mut Subscribers) {
        if let Some(before) = self.keep_copied() {
            let added = self.changes.visited.take_added();
            if added.len() > 0 {
                take_rows(subs, added, false); // for reuse
            }
            self.notifications = plan(world, subs, &self.changes, Some(before));
        }
    }
}

/// Plans the notifications of these changes. The previous values are still stored, or in
/// `before`.
fn plan(
    world: &mut World,
    subs: &mut Subscribers,
    changes: &Changes,
    before: Option<Vec<Option<Copies>>>,
) -> Notifications {
    let mut notifications = Notifications::of(before);
    if subs.observers.any_of_groups() {
        notifications.expect(changes.visited());
        for_each_run(world, subs, changes.rows(), |world, _subscribers, run| {
            notifications.record(world, &run, changes.written());
        });
    }
    notifications
}
