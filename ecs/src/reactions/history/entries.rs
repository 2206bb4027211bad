//! The entries of a history, one per change.
//!
//! ```text
//! undo  [ forgotten │ added Position to 3v1 │ replaced Health of 3v1 │ … ]
//!         dropped     ▲ first                               present ─► ▲
//!         in bulk
//! redo  [ destroyed 7v2 │ … ]     undone changes, the last one to redo first
//! ```

use alloc::vec::Vec;

use super::swaps::Swaps;
use crate::storage::heap::{Heap, bytes_of};
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An entity was created.
    Created,
    /// An entity was created again under its old id. Its slot was free at the place that
    /// stands in for the component.
    Recreated,
    /// The entity of the next entry of another kind was created with this component.
    CreatedWith,
    /// An entity was destroyed.
    Destroyed,
    /// The entity of the next entry of another kind was destroyed with this component.
    DestroyedWith,
    Added,
    Removed,
    /// The component was replaced or updated in place.
    Replaced,
}

impl Kind {
    /// Whether the previous value was kept when it was recorded.
    pub(crate) fn keeps_value(self) -> bool {
        matches!(self, Self::DestroyedWith | Self::Removed | Self::Replaced)
    }

    /// Whether it concerns a whole entity, and no component.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Created | Self::Recreated | Self::Destroyed)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: UntypedId,
    /// For whole entities it has no meaning, except in [`Kind::Recreated`].
    pub(crate) component: RawComponentIndex,
    pub(crate) kind: Kind,
    /// The number of the system that made it; 0 if unknown.
    pub(super) by: u16,
}

impl Entry {
    /// An entry of a component.
    #[inline]
    pub(crate) fn of(kind: Kind, id: UntypedId, component: RawComponentIndex) -> Self {
        let by = 0; // set when it is appended
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

/// A position between two steps: the numbers of the next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(super) entry: u64,
    swap: u64,
}

/// A unit of undo and redo.
pub(crate) enum HistoryStep {
    Entry(Entry),
    /// Swaps two rows.
    Swap([Row; 2]),
}

/// Two stacks of entries, with the present between them.
#[derive(Default)]
pub(super) struct Entries {
    undo: Vec<Entry>,
    redo: Vec<Entry>,
    swaps: Swaps,
    /// The number of undo entries that are forgotten but not yet removed.
    forgotten: usize,
    /// The number of the first entry that is not forgotten.
    first: u64,
}

impl Heap for Entries {
    bytes_of!(undo, redo, swaps);

    fn trim(&mut self) {
        self.undo.drain(..self.forgotten);
        self.forgotten = 0;
        self.undo.trim();
        self.redo.trim();
        self.swaps.trim();
    }
}

impl Entries {
    /// Whether there is no capacity for another entry, or there is something to redo.
    #[inline]
    pub(super) fn is_full_or_has_future(&self) -> bool {
        self.undo.len() == self.undo.capacity() || self.has_future()
    }

    /// Whether there is something to redo.
    #[inline]
    pub(super) fn has_future(&self) -> bool {
        !self.redo.is_empty() || self.swaps.has_future()
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.undo.push(entry);
    }

    pub(super) fn extend(&mut self, entries: impl Iterator<Item = Entry>) {
        self.undo.extend(entries);
    }

    /// Appends a swap of two rows. Keeps the entries to redo.
    pub(super) fn push_swap(&mut self, rows: [Row; 2]) {
        match self.has_future() {
            true => self.swaps.push_detour(rows),
            false => self.swaps.push(self.now(), rows),
        }
    }

    /// The rows swapped while there was something to redo.
    pub(super) fn detour(&self) -> &[[Row; 2]] {
        self.swaps.detour()
    }

    pub(super) fn point(&self) -> Point {
        Point {
            entry: self.now(),
            swap: self.swaps.now(),
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number of the next entry.
    pub(super) fn now(&self) -> u64 {
        self.first + self.undo().len() as u64
    }

    /// The undo entries, oldest first.
    pub(super) fn undo(&self) -> &[Entry] {
        &self.undo[self.forgotten..]
    }

    /// The number of redo entries.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn redo(&self) -> usize {
        self.redo.len()
    }

    /// Takes a step towards a position: returns what to undo or redo.
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

    /// Forgets the redo entries.
    pub(super) fn cut(&mut self) {
        self.redo.clear();
        self.swaps.cut(self.now());
    }

    /// Forgets what came before a position. Forgotten entries are removed once they are more than
    /// half of the list.
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

    pub(super) fn clear(&mut self) {
        self.cut();
        self.forget_before(self.point());
    }

    /// Forgets all entries and frees their memory.
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
}
