//! The history of a context: every change since recording started, in order.
//!
//! ```text
//! entries  [ added Position to 3v1 │ replaced Health of 3v1 │ … │ destroyed 7v2 │ … ]
//!            ▲ first                             present ─► ▲     redo: undone changes
//! marks      │ mark 1                 │ mark 2                     │ mark 3
//! values     in the columns: a stack for undo and one for redo per component
//! ```
//!
//! An entry says what changed, and the columns keep the values: the entries of a component and its
//! values are in the same order. A mark is a position between two entries, with a copy of what is
//! not part of entities: the contents of collectors, inboxes and lists of removed values.

mod actors;
pub(crate) mod buffered;
mod entries;
mod reads;
mod swaps;

pub(crate) use self::entries::{Entry, HistoryStep, Kind, Point};

pub(crate) use self::reads::{Before, Key};

use alloc::boxed::Box;
#[cfg(any(test, feature = "__checks"))]
use alloc::collections::BTreeMap;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::cmp::Ordering;
use core::mem;

use hashbrown::HashMap;

use self::actors::Actors;
use self::buffered::BufferedCopy;
use self::entries::Entries;
use self::reads::{Reads, first_changes};
use crate::reactions::actor::Cause;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::heap::{Heap, bytes_of, heap};
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::limits::FIRST_NUMBER;
use crate::words::signature::RawComponentSet;

/// A position in the history that can be restored.
struct Checkpoint {
    mark: u64,
    at: Point,
    /// The rows swapped since that entry, while there were changes to redo.
    detour: Vec<[Row; 2]>,
    buffered: BufferedCopy,
}

/// The contents of forgotten marks, to be dropped. Dropping them runs user code.
pub(crate) struct Forgotten {
    _checkpoints: Vec<Checkpoint>,
}

/// Everything recorded of a context, except the values.
pub(crate) struct Recording {
    entries: Entries,
    /// In order of their entries, then of creation.
    checkpoints: VecDeque<Checkpoint>,
    last_mark: u64,
    /// Checksums, each with the number of the next entry at that time.
    sums: VecDeque<(u64, u64)>,
    actors: Actors,
    /// The entries by entity, while there are reads in the past.
    reads: Reads,
    /// Values forgotten during a change, to be dropped after it.
    pub(crate) pending_drops: Vec<Box<dyn Any + Send + Sync>>,
    /// The components that are not recorded.
    pub(crate) excluded: RawComponentSet,
    watch: HandleWatch,
    /// Whether a change has noticed that the handle was dropped.
    ended: bool,
}

/// A place for a change.
pub(crate) struct VacantEntry<'a> {
    entries: &'a mut Entries,
    by: u16,
}

impl VacantEntry<'_> {
    #[inline(always)] // avoids passing the entry in memory
    pub(crate) fn fill(self, entry: Entry) {
        let by = self.by;
        self.entries.push(Entry { by, ..entry });
    }
}

impl Recording {
    /// A recording that starts now, and the watched part of its handle.
    pub(crate) fn new(excluded: RawComponentSet) -> (Self, Watched) {
        let watched = Watched::new();
        let recording = Self {
            entries: Entries::default(),
            checkpoints: VecDeque::new(),
            last_mark: FIRST_NUMBER,
            sums: VecDeque::new(),
            actors: Actors::default(),
            reads: Reads::default(),
            pending_drops: Vec::new(),
            excluded,
            watch: watched.watch(),
            ended: false,
        };
        (recording, watched)
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.watch.is_dropped()
    }

    /// Whether changes of a component are recorded: the handle exists, and the component is not
    /// excluded.
    pub(crate) fn records(&self, component: RawComponentIndex) -> bool {
        !self.excluded.contains(component) && !self.is_dropped()
    }

    /// Whether there is no capacity for another entry, or there are changes to redo.
    #[inline]
    pub(crate) fn is_full_or_has_future(&self) -> bool {
        self.entries.is_full_or_has_future()
    }

    /// The rows to swap after the last entry before a mark, if it was set while there were changes
    /// to redo.
    pub(crate) fn detour_to(&self, mark: u64) -> Option<Vec<[Row; 2]>> {
        Some(self.checkpoints[self.place_of(mark)?].detour.clone())
    }

    /// Forgets everything recorded, once, and leaves no capacity for further entries. Returns the
    /// contents of marks, to be dropped.
    pub(crate) fn end(&mut self) -> Option<Forgotten> {
        let ends = !mem::replace(&mut self.ended, true);
        ends.then(|| {
            self.entries.end();
            self.reads.clear();
            self.sums.clear();
            self.actors.cut(0);
            self.take_checkpoints()
        })
    }

    /// A place for a change on the fast path: there is capacity, nothing to redo, and the current
    /// system is known.
    #[inline]
    pub(crate) fn vacancy(&mut self) -> Option<VacantEntry<'_>> {
        let by = self.actors.known()?;
        let entries = (!self.entries.is_full_or_has_future()).then_some(&mut self.entries)?;
        Some(VacantEntry { entries, by })
    }

    /// Appends a change; there must be nothing to redo.
    #[inline(always)] // avoids passing the entry in memory
    pub(crate) fn push(&mut self, mut entry: Entry) {
        entry.by = self.actors.current(self.entries.now());
        self.entries.push(entry);
    }

    /// Appends changes of one system; there must be nothing to redo.
    pub(crate) fn push_all(&mut self, entries: impl Iterator<Item = Entry>) {
        let by = self.actors.current(self.entries.now());
        self.entries
            .extend(entries.map(|entry| Entry { by, ..entry }));
    }

    /// Appends a swap of two rows. Keeps the changes to redo.
    pub(crate) fn push_swap(&mut self, rows: [Row; 2]) {
        self.entries.push_swap(rows);
    }

    /// Forgets the changes to redo and their marks.
    pub(crate) fn cut(&mut self) {
        let present = self.entries.point(); // before a detour becomes part of it
        self.entries.cut();
        let kept = self
            .checkpoints
            .partition_point(|checkpoint| checkpoint.at <= present);
        let _checkpoints: Vec<_> = self.checkpoints.drain(kept..).collect();
        if !_checkpoints.is_empty() {
            self.pending_drops
                .push(Box::new(Forgotten { _checkpoints }));
        }
        while self.sums.back().is_some_and(|(at, _)| *at > present.entry) {
            self.sums.pop_back();
        }
        self.actors.cut(present.entry);
    }

    /// Forgets everything recorded, including marks; returns their contents, to be dropped.
    pub(crate) fn restart(&mut self) -> Forgotten {
        self.entries.clear();
        self.reads.clear();
        self.sums.clear();
        self.actors.cut(0);
        self.take_checkpoints()
    }

    fn take_checkpoints(&mut self) -> Forgotten {
        let _checkpoints = mem::take(&mut self.checkpoints).into();
        Forgotten { _checkpoints }
    }

    /// The number of the next entry.
    pub(crate) fn now(&self) -> u64 {
        self.entries.now()
    }

    /// The last checksum before the present, with its entry number.
    pub(crate) fn last_sum(&self) -> Option<(u64, u64)> {
        let mut sums = self.sums.iter().rev().copied();
        sums.find(|(at, _)| (self.entries.first()..=self.now()).contains(at))
    }

    /// Records the checksum of the present.
    pub(crate) fn record_sum(&mut self, sum: u64) {
        let now = self.now();
        let place = self.sums.partition_point(|(at, _)| *at < now);
        if self.sums.get(place).is_none_or(|(at, _)| *at != now) {
            self.sums.insert(place, (now, sum));
        }
    }

    /// The undo entries from the one with this number.
    pub(crate) fn since(&self, at: u64) -> &[Entry] {
        &self.undo()[(at - self.entries.first()) as usize..]
    }

    /// The undo entries, oldest first.
    pub(crate) fn undo(&self) -> &[Entry] {
        self.entries.undo()
    }

    /// The name of the system that made a change, if known.
    pub(crate) fn actor(&self, entry: &Entry) -> Option<&str> {
        self.actors.name(entry.by)
    }

    /// Why the system that made a change ran. Changes are numbered from the oldest entry.
    pub(crate) fn cause(&self, number: usize) -> Option<&Cause> {
        self.actors.cause(self.entries.first() + number as u64)
    }

    /// The number, from the oldest entry, of an entry that is not forgotten.
    pub(crate) fn place_of_entry(&self, entry: u64) -> Option<usize> {
        Some(entry.checked_sub(self.entries.first())? as usize)
    }

    /// Marks the present.
    pub(crate) fn mark(&mut self, buffered: BufferedCopy) -> u64 {
        self.last_mark += 1;
        self.reads.mark(self.entries.first(), self.entries.undo());
        let (mark, at) = (self.last_mark, self.entries.point());
        let place = self
            .checkpoints
            .partition_point(|checkpoint| checkpoint.at <= at);
        let detour = self.entries.detour().to_vec();
        let checkpoint = Checkpoint {
            mark,
            at,
            detour,
            buffered,
        };
        self.checkpoints.insert(place, checkpoint);
        mark
    }

    /// The index of a mark. Marks are sorted unless some were set after a rewind.
    fn place_of(&self, mark: u64) -> Option<usize> {
        let ordered = self.checkpoints.binary_search_by_key(&mark, |it| it.mark);
        let is_it = |checkpoint: &Checkpoint| checkpoint.mark == mark;
        ordered
            .ok()
            .or_else(|| self.checkpoints.iter().position(is_it))
    }

    /// The contents at a mark; `None` if the mark was forgotten.
    pub(crate) fn buffered_at(&self, mark: u64) -> Option<&BufferedCopy> {
        Some(&self.checkpoints[self.place_of(mark)?].buffered)
    }

    /// The position of a mark, if it was not forgotten.
    pub(crate) fn checkpoint(&self, mark: u64) -> Option<Point> {
        Some(self.checkpoints[self.place_of(mark)?].at)
    }

    /// Compares a position with the present.
    pub(crate) fn seen_from_present(&self, at: Point) -> Ordering {
        at.cmp(&self.entries.point())
    }

    /// Takes a step towards a position: returns what to undo or redo.
    pub(crate) fn step(&mut self, to: Point, direction: Direction) -> Option<HistoryStep> {
        let step = self.entries.step(to, direction);
        if let (Some(HistoryStep::Entry(entry)), Direction::Back) = (&step, direction) {
            self.reads.undo(self.entries.now(), entry);
        }
        step
    }

    /// What an entity had at a point, if it has changed since; `recent` are the changes of the last
    /// entries, from [`recent`](Self::recent).
    #[inline]
    pub(crate) fn first_since<'r>(
        &self,
        at: Point,
        key: Key,
        recent: impl FnOnce() -> &'r HashMap<Key, Before>,
    ) -> Option<Before> {
        let indexed = self.reads.first(key, at.entry);
        let is_complete = || self.reads.end().unwrap_or(at.entry).max(at.entry) == self.now();
        match indexed {
            None if !is_complete() => recent().get(&key).copied(),
            indexed => indexed,
        }
    }

    /// The changes since a point that are not in the index, which the next mark will have.
    pub(crate) fn recent(
        &self,
        at: Point,
        kept: impl Fn(RawComponentIndex) -> usize,
    ) -> HashMap<Key, Before> {
        let end = self.reads.end().unwrap_or(at.entry);
        first_changes(self.since(end.max(at.entry)), kept)
    }

    /// Notices that there is a read in the past.
    pub(crate) fn record_read(&self) {
        self.reads.record();
    }

    /// The components listed before the entry of a whole entity: the next entry to undo, or the one
    /// just redone.
    pub(crate) fn components_before(
        &self,
        direction: Direction,
    ) -> impl Iterator<Item = RawComponentIndex> + '_ {
        let passed = match direction {
            Direction::Back => 0,
            Direction::Forward => 1,
        };
        let before = self.undo().iter().rev().skip(passed);
        let with = before
            .take_while(|entry| matches!(entry.kind, Kind::CreatedWith | Kind::DestroyedWith));
        with.map(|entry| entry.component)
    }

    /// Forgets everything before a mark, if the mark is known. Calls `each` for each of these
    /// entries that has a value. Returns the contents of forgotten marks, to be dropped.
    pub(crate) fn forget_before(
        &mut self,
        mark: u64,
        each: impl FnMut(&Entry),
    ) -> Option<Forgotten> {
        let place = self.place_of(mark)?;
        let at = self.checkpoints[place].at;
        let count = (at.entry.min(self.now()) - self.entries.first()) as usize;
        let forgotten = &self.entries.undo()[..count];
        self.reads.forget(self.entries.first(), forgotten);
        forgotten
            .iter()
            .filter(|entry| entry.kind.keeps_value())
            .for_each(each);
        self.entries.forget_before(at);
        let checkpoints = self.checkpoints.drain(..place).collect();
        while self
            .sums
            .front()
            .is_some_and(|(sum_at, _)| *sum_at < at.entry)
        {
            self.sums.pop_front();
        }
        self.actors.forget_before(at.entry);
        Some(Forgotten {
            _checkpoints: checkpoints,
        })
    }
}

heap!(Checkpoint: detour, buffered);

impl Heap for Recording {
    bytes_of!(excluded, watch, entries, actors, reads, sums, checkpoints; each checkpoints);

    fn trim(&mut self) {
        self.entries.trim();
        self.checkpoints.trim();
        self.sums.trim();
        self.actors.trim();
        self.reads.trim();
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Recording {
    /// Panics if marks are out of order, or the number of values kept by a column differs from that
    /// of its entries.
    pub(crate) fn check_invariants(&self, kept: impl Fn(RawComponentIndex) -> usize) {
        let checkpoints = self
            .checkpoints
            .iter()
            .map(|checkpoint| (checkpoint.at, checkpoint.mark));
        assert!(checkpoints.is_sorted(), "history: the order of marks");
        let end = self.now() + self.entries.redo() as u64;
        let reached = self.entries.first()..=end;
        let all = self
            .checkpoints
            .iter()
            .map(|checkpoint| checkpoint.at.entry);
        let mut all = all.chain(self.sums.iter().map(|sum| sum.0));
        assert!(
            all.all(|at| reached.contains(&at)),
            "history: a mark beyond it"
        );
        assert!(
            self.sums.iter().is_sorted_by(|a, b| a.0 < b.0),
            "history: sums"
        );
        let mut entries = BTreeMap::new();
        for entry in self.undo().iter().filter(|it| it.kind.keeps_value()) {
            *entries.entry(entry.component).or_insert(0) += 1;
        }
        for (component, count) in entries {
            assert_eq!(kept(component), count, "history: values of {component:?}");
        }
    }
}
