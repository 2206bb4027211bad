//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    rows are known; values are copied if a history or an observer needs them
//! (visit)  the query passes the values on and records its progress
//! finish   collectors and indexes are marked by words ([mark]); the changes are committed as
//!          runs ([update_runs])
//! ```
//!
//! If the rows are not known in advance, because a view writes to any of them or a loop may stop
//! early, they are [recorded](RowRecorder) before the first write, with copies of their values.
//!
//! A loop over a borrowed query is reported when its query is dropped. Until then the world rejects
//! handles, so that a leaked query does not go unnoticed.
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
use crate::words::unwinding::is_unwinding;

/// An update of many entities, begun or not.
pub(crate) struct QueryUpdate<'a, C: HasCore> {
    /// Absent only after [`into_context`](Self::into_context).
    context: Option<&'a mut C>,
    /// Rows before this one have been visited.
    reached: usize,
    /// What to report, if anything; boxed, so that it costs nothing otherwise.
    reporting: Option<Box<Reporting>>,
}

/// Changes to be reported.
struct Reporting {
    changes: Changes,
    /// The previous values.
    copied: CopiedValues,
    /// Whether rows are recorded during the visit.
    is_recording: bool,
    /// The number of the context, whose handles are accepted.
    instance: u64,
    /// For a loop over a borrowed query: whether a panic was unwinding when it began.
    in_loop: Option<bool>,
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
    /// An update with nothing to report.
    #[inline]
    pub(crate) fn new(context: &'a mut C) -> Self {
        Self {
            context: Some(context),
            reached: 0,
            reporting: None,
        }
    }

    /// The context, between visits.
    #[inline]
    pub(crate) fn context(&mut self) -> &mut C {
        let context = self.context.as_deref_mut();
        context.expect("only `into_context` takes it")
    }

    /// The context; the update has ended.
    #[inline]
    pub(crate) fn into_context(mut self) -> &'a mut C {
        self.context.take().expect("taken once")
    }

    /// Prepares to visit these rows: copies the values for observers. `shared` if several items exist
    /// at a time.
    pub(crate) fn begin(&mut self, rows: Vec<RowWord>, written: Vec<Written>, shared: bool) {
        let core = self.context().core_mut();
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
        let instance = core.world.instance;
        self.reporting = Some(Box::new(Reporting {
            changes,
            copied,
            is_recording: false,
            instance,
            in_loop: None,
        }));
    }

    /// Prepares to visit rows that are recorded one by one, in any order.
    pub(crate) fn begin_one_by_one(&mut self, written: Written) {
        let core = self.context().core_mut();
        let rows = VisitedRows::one_by_one(spare_rows(&mut core.subs, false));
        self.begin_recording(rows, alloc::vec![written], None);
    }

    /// Prepares for a loop over the borrowed query: rows are recorded block by block, in ascending
    /// order. If the iterator is leaked, all recorded rows count as visited.
    ///
    /// # Panics
    ///
    /// Panics if an earlier loop was never reported.
    #[inline(never)] // keeps unreported loops short
    #[track_caller]
    pub(crate) fn begin_loop(&mut self, written: Vec<Written>) {
        self.context().core().world.check_reported();
        self.begin_recording(VisitedRows::default(), written, Some(is_unwinding()));
        self.context().core_mut().world.begin_unreported();
    }

    fn begin_recording(
        &mut self,
        visited: VisitedRows,
        written: Vec<Written>,
        in_loop: Option<bool>,
    ) {
        let core = self.context().core_mut();
        let copied = CopiedValues::new(&core.world, &core.subs, &written, 0);
        let blocks = core.world.slots.rows().div_ceil(ROWS);
        let changes = Changes {
            visited,
            tracked: written_rows(&mut core.subs, &written, blocks, in_loop.is_some()),
            written,
        };
        let instance = core.world.instance;
        self.reached = usize::MAX;
        self.reporting = Some(Box::new(Reporting {
            changes,
            copied,
            is_recording: true,
            instance,
            in_loop,
        }));
    }

    /// Starts the visit.
    #[inline]
    pub(crate) fn visit(&mut self) -> Visit<'_, C> {
        let context = self.context.as_deref_mut();
        let mut visit = Visit {
            context: context.expect("only `into_context` takes it"),
            written: &[],
            recorder: None,
            reached: &mut self.reached,
        };
        if let Some(Reporting {
            changes,
            copied,
            is_recording,
            ..
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
    pub(crate) fn finish(mut self) {
        if self.reporting.is_some() {
            self.report();
        }
        core::mem::forget(self); // nothing is left to be reported
    }

    /// Whether a loop over the borrowed query is not reported yet.
    #[inline]
    pub(crate) fn is_in_loop(&self) -> bool {
        self.reporting.is_some()
    }

    /// Reports a loop over the borrowed query, none of whose items is left.
    #[inline(never)] // keeps unreported loops short
    pub(crate) fn finish_loop(&mut self) {
        if let Some(reporting) = &mut self.reporting {
            reporting.changes.forget_from(self.reached);
        }
        self.context().core_mut().world.end_unreported();
        self.report();
    }

    #[inline(never)] // keeps unreported updates short
    fn report(&mut self) {
        let reporting = self.reporting.take();
        let Some(mut reporting) = reporting.filter(|it| !it.changes.is_empty()) else {
            return;
        };
        let Reporting {
            changes, copied, ..
        } = &mut *reporting;
        let context = self.context();
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
        if let Some(reporting) = &self.reporting {
            match reporting.in_loop {
                Some(before) if before == is_unwinding() => self.finish_loop(),
                _ => self.report_visited(),
            }
        }
    }
}

impl<C: HasCore> QueryUpdate<'_, C> {
    /// Reports the changes made before a panic.
    #[cold]
    fn report_visited(&mut self) {
        let (context, reporting) = (self.context.as_deref_mut(), self.reporting.as_deref_mut());
        let Some((context, reporting)) = context.zip(reporting) else {
            return;
        };
        if reporting.in_loop.is_some() {
            context.core_mut().world.end_unreported();
        }
        let mut session = Session::of(context, reporting.instance);
        let Some(core) = session.core_mut() else {
            return;
        };
        let Reporting {
            changes, copied, ..
        } = reporting;
        changes.forget_from(self.reached);
        mark_updates(&core.world, &mut core.subs, changes);
        let mut runs = UpdateRuns::of(&mut core.world, changes, copied.take());
        commit_panicked_marked(&mut core.world, &mut core.subs, &mut runs.take_runs());
    }
}
