//! The history of a context: every change since it is recorded, in order.
//!
//! ```text
//! entries  [ added Position to 3v1 │ replaced Health of 3v1 │ … │ ended 7v2 │ … ]
//!            ▲ first                          present ─► ▲          ahead: undone, can be done again
//! marks      │ mark 1                 │ mark 2                     │ mark 3
//! values     in the columns, a stack of those before and one of those after for each component
//! ```
//!
//! An entry says what changed, and the columns keep the value: the entries of a component and the
//! values that it keeps are in one order. A mark names a moment between two entries, and holds
//! what is no matter of entities: what collectors, inboxes and lists of removed values held.

mod actors;
pub(crate) mod buffered;
mod entries;
mod swaps;
mod upkeep;

pub(crate) use self::entries::{Entry, HistoryStep, Kind, Point};

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::cmp::Ordering;
use core::mem;

use self::actors::Actors;
use self::buffered::BufferedThen;
use self::entries::Entries;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::words::actor::Wake;
use crate::words::component::RawComponentIndex;
use crate::words::limits::FIRST_NUMBER;
use crate::words::signature::RawComponentSet;

/// A moment that can become the present again.
struct Checkpoint {
    mark: u64,
    at: Point,
    /// The rows that had changed places since, while something was ahead.
    detour: Vec<[Row; 2]>,
    buffered: BufferedThen,
}

/// What forgotten marks have held, to be dropped: user code.
pub(crate) struct Forgotten {
    _checkpoints: Vec<Checkpoint>,
}

/// All that is recorded of a context, but for the values.
pub(crate) struct Recording {
    entries: Entries,
    /// In the order of their entries; of one entry, in the order in which they were named.
    checkpoints: VecDeque<Checkpoint>,
    last_mark: u64,
    /// The checksums of moments, with the number of the entry that came next.
    sums: VecDeque<(u64, u64)>,
    actors: Actors,
    /// Values that have been forgotten in the middle of a change, to be dropped behind it.
    pub(crate) pending_drops: Vec<Box<dyn Any + Send + Sync>>,
    /// The components of which nothing is recorded.
    pub(crate) excluded: RawComponentSet,
    watch: HandleWatch,
    /// Whether a change has found the handle dropped.
    ended: bool,
}

/// Room for a change.
pub(crate) struct VacantEntry<'a> {
    entries: &'a mut Entries,
    by: u16,
}

impl VacantEntry<'_> {
    /// Appends the change.
    #[inline(always)] // else the entry is handed over in memory
    pub(crate) fn fill(self, entry: Entry) {
        let by = self.by;
        self.entries.push(Entry { by, ..entry });
    }
}

impl Recording {
    /// A recording of what happens from now on, and the part of the handle that it is watched by.
    pub(crate) fn new(excluded: RawComponentSet) -> (Self, Watched) {
        let watched = Watched::new();
        let recording = Self {
            entries: Entries::default(),
            checkpoints: VecDeque::new(),
            last_mark: FIRST_NUMBER,
            sums: VecDeque::new(),
            actors: Actors::default(),
            pending_drops: Vec::new(),
            excluded,
            watch: watched.watch(),
            ended: false,
        };
        (recording, watched)
    }

    /// Whether the handle has been dropped.
    pub(crate) fn is_dropped(&self) -> bool {
        self.watch.is_dropped()
    }

    /// Whether changes of a component are recorded: the handle is there, and has not left it out.
    pub(crate) fn records(&self, component: RawComponentIndex) -> bool {
        !self.excluded.contains(component) && !self.is_dropped()
    }

    /// Whether there is no room for another entry, or there are changes that have been undone and
    /// could be done again.
    #[inline]
    pub(crate) fn is_full_or_has_future(&self) -> bool {
        self.entries.is_full_or_has_future()
    }

    /// The rows that are to change places after the last entry before a mark: it was made while
    /// something was ahead.
    pub(crate) fn detour_to(&self, mark: u64) -> Option<Vec<[Row; 2]>> {
        Some(self.checkpoints[self.place_of(mark)?].detour.clone())
    }

    /// Forgets all that is recorded, once: there is no room for another entry from then on. What marks
    /// held is to be dropped.
    pub(crate) fn end(&mut self) -> Option<Forgotten> {
        let ends = !mem::replace(&mut self.ended, true);
        ends.then(|| {
            self.entries.end();
            self.sums.clear();
            self.actors.cut(0);
            self.take_checkpoints()
        })
    }

    /// Room for a change, if there is any without further ado: nothing is ahead, and it is known who
    /// makes it.
    #[inline]
    pub(crate) fn vacancy(&mut self) -> Option<VacantEntry<'_>> {
        let by = self.actors.known()?;
        let entries = (!self.entries.is_full_or_has_future()).then_some(&mut self.entries)?;
        Some(VacantEntry { entries, by })
    }

    /// Appends a change; nothing may be ahead.
    #[inline(always)] // else the entry is handed over in memory
    pub(crate) fn push(&mut self, mut entry: Entry) {
        entry.by = self.actors.current(self.entries.now());
        self.entries.push(entry);
    }

    /// Appends that two rows change places. What is ahead stays.
    pub(crate) fn push_swap(&mut self, rows: [Row; 2]) {
        self.entries.push_swap(rows);
    }

    /// Forgets what is ahead, marks included.
    pub(crate) fn cut(&mut self) {
        let present = self.entries.point(); // before a detour is a part of what is behind
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

    /// Forgets all that is recorded, marks included; what marks held is to be dropped.
    pub(crate) fn restart(&mut self) -> Forgotten {
        self.entries.clear();
        self.sums.clear();
        self.actors.cut(0);
        self.take_checkpoints()
    }

    fn take_checkpoints(&mut self) -> Forgotten {
        let _checkpoints = mem::take(&mut self.checkpoints).into();
        Forgotten { _checkpoints }
    }

    /// The number of the entry that comes next.
    fn now(&self) -> u64 {
        self.entries.now()
    }

    /// The last checksum behind the present, and when that was.
    pub(crate) fn last_sum(&self) -> Option<(u64, u64)> {
        let mut sums = self.sums.iter().rev().copied();
        sums.find(|(at, _)| (self.entries.first()..=self.now()).contains(at))
    }

    /// Notes the checksum of the present.
    pub(crate) fn record_sum(&mut self, sum: u64) {
        let now = self.now();
        let place = self.sums.partition_point(|(at, _)| *at < now);
        if self.sums.get(place).is_none_or(|(at, _)| *at != now) {
            self.sums.insert(place, (now, sum));
        }
    }

    /// The entries behind the present from the one with this number on.
    pub(crate) fn since(&self, at: u64) -> &[Entry] {
        &self.undo()[(at - self.entries.first()) as usize..]
    }

    /// The entries behind the present, the first one first.
    pub(crate) fn undo(&self) -> &[Entry] {
        self.entries.undo()
    }

    /// The name of the system that made a change, if it is known.
    pub(crate) fn actor(&self, entry: &Entry) -> Option<&str> {
        self.actors.name(entry.by)
    }

    /// What had woken the system that made the change with this number, counted from the first one that is
    /// kept.
    pub(crate) fn wake(&self, number: usize) -> Option<&Wake> {
        self.actors.wake(self.entries.first() + number as u64)
    }

    /// Names the present moment.
    pub(crate) fn mark(&mut self, buffered: BufferedThen) -> u64 {
        self.last_mark += 1;
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

    /// The place of a mark. They are in order, unless some were made after a rewind.
    fn place_of(&self, mark: u64) -> Option<usize> {
        let ordered = self.checkpoints.binary_search_by_key(&mark, |it| it.mark);
        let is_it = |checkpoint: &Checkpoint| checkpoint.mark == mark;
        ordered
            .ok()
            .or_else(|| self.checkpoints.iter().position(is_it))
    }

    /// What was held at a mark; `None` if it is not known any more.
    pub(crate) fn buffered_at(&self, mark: u64) -> Option<&BufferedThen> {
        Some(&self.checkpoints[self.place_of(mark)?].buffered)
    }

    /// The moment of a mark, if that is known.
    pub(crate) fn checkpoint(&self, mark: u64) -> Option<Point> {
        Some(self.checkpoints[self.place_of(mark)?].at)
    }

    /// Where a moment is, seen from the present.
    pub(crate) fn seen_from_present(&self, at: Point) -> Ordering {
        at.cmp(&self.entries.point())
    }

    /// Takes a step on the way to a moment: returns what is to be undone, or done again.
    pub(crate) fn step(&mut self, to: Point, direction: Direction) -> Option<HistoryStep> {
        self.entries.step(to, direction)
    }

    /// The components that stand before the entry of a whole entity, which is the next one on the way
    /// back, or has just been passed on the way forward.
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

    /// Forgets all that came before a mark, if that is known; hands each of these entries to `each`
    /// for which a value is kept. Returns what the marks held that are forgotten, to be dropped.
    pub(crate) fn forget_before(
        &mut self,
        mark: u64,
        each: impl FnMut(&Entry),
    ) -> Option<Forgotten> {
        let place = self.place_of(mark)?;
        let at = self.checkpoints[place].at;
        let count = (at.entry.min(self.now()) - self.entries.first()) as usize;
        let forgotten = self.undo()[..count].iter();
        forgotten
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
