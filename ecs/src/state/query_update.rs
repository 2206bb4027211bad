//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    rows are known; values are copied if a history or an observer needs them
//! (visit)  the query passes the values on and records its progress
//! finish   collectors and indexes are marked by words ([mark]); the changes are committed as
//!          runs ([update_runs])
//! ```
//!
//! If the rows are not known in advance, because a view writes to any of them or an iterator may stop
//! early, they are [recorded](RowRecorder) before the first write, with copies of their values.
//!
//! All values are final before the first notification. If the visit panics, the changes made so far
//! are reported, except to observers: they are user code, which does not run while a panic unwinds.

mod changes;
mod copied;
mod mark;
mod node_run;
mod update_runs;

use alloc::boxed::Box;
use alloc::vec::Vec;

use self::changes::{Changes, VisitedRows, reuse_written_rows, written_rows};
pub use self::changes::{Written, WrittenRows};
use self::copied::CopiedValues;
pub(crate) use self::copied::RowRecorder;
use self::mark::mark_updates;
use self::update_runs::UpdateRuns;
use super::collectors::{spare_rows, take_rows};
use super::commit::{commit_panicked_marked, commit_updates};
use super::core::HasCore;
use super::user_code::Session;
use crate::storage::row_words::RowWord;
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
    /// The previous values.
    copied: CopiedValues,
    /// Whether rows are recorded during the visit.
    is_recording: bool,
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
        let (world, written, count) = (&core.world, changes.written(), changes.visited());
        let mut copied = CopiedValues::new(world, &core.subs, written, count);
        for &rows in changes.rows() {
            copied.keep(world, written, rows);
        }
        let reporting = Reporting {
            changes,
            copied,
            is_recording: false,
        };
        Self::reporting(context, 0, reporting)
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
        let copied = CopiedValues::new(&core.world, &core.subs, &written, 0);
        let blocks = core.world.slots.rows().div_ceil(ROWS);
        let changes = Changes {
            visited,
            tracked: written_rows(&mut core.subs, &written, blocks, shared),
            written,
        };
        let reporting = Reporting {
            changes,
            copied,
            is_recording: true,
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
            changes,
            copied,
            is_recording,
        }) = self.reporting.as_deref_mut()
        {
            let Changes {
                visited,
                written,
                tracked,
            } = changes;
            visit.written = tracked;
            visit.recorder = is_recording.then_some(RowRecorder {
                rows: visited,
                written,
                values: copied,
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
        let Some(mut reporting) = self.reporting.take() else {
            return;
        };
        let Reporting {
            changes, copied, ..
        } = &mut *reporting;
        let context = self.session.context();
        let core = context.core_mut();
        let is_needed = copied.is_needed();
        let mut runs = is_needed.then(|| UpdateRuns::of(&mut core.world, changes, copied.take()));
        mark_updates(&core.world, &mut core.subs, changes);
        reuse_written_rows(&mut core.subs, changes);
        let added = changes.visited.take_added();
        if added.len() > 0 {
            take_rows(&mut core.subs, added, false); // for reuse
        }
        let mut runs = runs.as_mut().map_or(Vec::new(), UpdateRuns::take_runs);
        commit_updates(context, &mut runs);
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
            let Reporting {
                changes, copied, ..
            } = reporting;
            changes.forget_from(self.reached);
            mark_updates(&core.world, &mut core.subs, changes);
            let mut runs = UpdateRuns::of(&mut core.world, changes, copied.take());
            commit_panicked_marked(&mut core.world, &mut core.subs, &mut runs.take_runs());
        }
    }
}
