//! The entries of a history: what changed, change by change.
//!
//! ```text
//! behind  [ forgotten │ added Position to 3v1 │ replaced Health of 3v1 │ … ]
//!           dropped     ▲ first                              the present ─► ▲
//!           in bulk
//! ahead   [ ended 7v2 │ … ]     undone, and can be done again: the last one first
//! ```

use alloc::vec::Vec;

use super::swaps::Swaps;
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;

/// What one entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An entity came to life.
    Created,
    /// The entity of the next entry of another kind came to life with this component.
    CreatedWith,
    /// An entity ended.
    Destroyed,
    /// The entity of the next entry of another kind ended with this component.
    DestroyedWith,
    Added,
    Removed,
    /// It got another value, or its value was changed in place.
    Replaced,
}

impl Kind {
    /// Whether the value before was kept when it was recorded.
    pub(crate) fn keeps_value(self) -> bool {
        matches!(self, Self::DestroyedWith | Self::Removed | Self::Replaced)
    }
}

/// One change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: UntypedId,
    /// The component; of no meaning if the whole entity is concerned.
    pub(crate) component: RawComponentIndex,
    pub(crate) kind: Kind,
    /// The number of the system that did it; 0 if that is not known.
    pub(super) by: u16,
}

impl Entry {
    /// An entry of a component.
    #[inline]
    pub(crate) fn of(kind: Kind, id: UntypedId, component: RawComponentIndex) -> Self {
        let by = 0; // until it is appended
        Self {
            id,
            component,
            kind,
            by,
        }
    }

    /// An entry of a whole entity.
    pub(crate) fn whole(kind: Kind, id: UntypedId) -> Self {
        Self::of(kind, id, RawComponentIndex::at(0))
    }
}

/// A moment between two steps: the numbers of those that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(super) entry: u64,
    pub(super) swap: u64,
}

/// What is undone, or done again, at once.
pub(crate) enum HistoryStep {
    Entry(Entry),
    /// These rows change places.
    Swap([Row; 2]),
}

/// Two stacks of entries, with the present between them.
#[derive(Default)]
pub(super) struct Entries {
    undo: Vec<Entry>,
    redo: Vec<Entry>,
    swaps: Swaps,
    /// How many of those behind are forgotten, but still there.
    forgotten: usize,
    /// The number of the first entry that is not forgotten.
    first: u64,
}

impl Entries {
    /// Whether there is no room for another entry, or some are ahead.
    #[inline]
    pub(super) fn is_full_or_has_future(&self) -> bool {
        self.undo.len() == self.undo.capacity() || self.has_future()
    }

    /// Whether something is ahead.
    #[inline]
    pub(super) fn has_future(&self) -> bool {
        !self.redo.is_empty() || self.swaps.has_future()
    }

    /// Appends an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.undo.push(entry);
    }

    /// Appends that two rows change places. What is ahead stays.
    pub(super) fn push_swap(&mut self, rows: [Row; 2]) {
        match self.has_future() {
            true => self.swaps.push_detour(rows),
            false => self.swaps.push(self.now(), rows),
        }
    }

    /// The rows that have changed places while something was ahead.
    pub(super) fn detour(&self) -> &[[Row; 2]] {
        self.swaps.detour()
    }

    /// The present.
    pub(super) fn point(&self) -> Point {
        Point {
            entry: self.now(),
            swap: self.swaps.now(),
        }
    }

    /// The number of the first entry.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number of the entry that comes next.
    pub(super) fn now(&self) -> u64 {
        self.first + self.undo().len() as u64
    }

    /// The entries behind the present, the first one first.
    pub(super) fn undo(&self) -> &[Entry] {
        &self.undo[self.forgotten..]
    }

    /// How many entries are ahead.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn redo(&self) -> usize {
        self.redo.len()
    }

    /// Takes a step on the way to a moment: returns what is to be undone, or done again.
    pub(super) fn step(&mut self, to: Point, direction: Direction) -> Option<HistoryStep> {
        if let Some(rows) = self.swaps.step_off_detour() {
            return Some(HistoryStep::Swap(rows));
        }
        let now = self.now();
        let swapped = match direction {
            Direction::Back => self.swaps.step_back(to.swap, now),
            Direction::Forward => self.swaps.step_forward(to.swap, now),
        };
        if let Some(rows) = swapped {
            return Some(HistoryStep::Swap(rows));
        }
        let (from, onto) = match direction {
            Direction::Back if now > to.entry => (&mut self.undo, &mut self.redo),
            Direction::Forward if now < to.entry => (&mut self.redo, &mut self.undo),
            _ => return None,
        };
        let entry = from.pop()?;
        onto.push(entry);
        Some(HistoryStep::Entry(entry))
    }

    /// Forgets what is ahead.
    pub(super) fn cut(&mut self) {
        self.redo.clear();
        self.swaps.cut(self.now());
    }

    /// Forgets what came before a moment. Entries are moved out of the way when they are most of what
    /// is there.
    pub(super) fn forget_before(&mut self, point: Point) {
        let count = point.entry.min(self.now()) - self.first;
        self.forgotten += count as usize;
        self.first += count;
        if self.forgotten > self.undo.len() / 2 {
            self.undo.drain(..self.forgotten);
            self.forgotten = 0;
        }
        self.swaps.forget_before(point.swap);
    }

    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.cut();
        self.forget_before(self.point());
    }

    /// Forgets all entries and gives up their room.
    pub(super) fn end(&mut self) {
        let first = self.now();
        let mut swaps = core::mem::take(&mut self.swaps);
        swaps.end();
        *self = Self {
            first,
            swaps,
            ..Self::default()
        };
    }

    /// Gives up the room in which nothing is.
    pub(super) fn trim(&mut self) {
        self.undo.drain(..self.forgotten);
        self.forgotten = 0;
        self.undo.shrink_to_fit();
        self.redo.shrink_to_fit();
        self.swaps.trim();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        heap_size(&self.undo) + heap_size(&self.redo) + self.swaps.bytes()
    }
}
