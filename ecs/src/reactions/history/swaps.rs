//! Rows that have changed places, among the entries of a history: no change of an entity, but the
//! order in which entities are visited is to be that of the mark again.
//!
//! Those that are made while something is ahead are a *detour*: they do not cut off what is ahead, and
//! are undone before anything else. The first change makes them part of the history.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::storage::slots::Row;
use crate::words::heap_size::heap_size;

/// Two rows that have changed places.
#[derive(Clone, Copy)]
struct Swap {
    /// The number of the entry that came next.
    at: u64,
    rows: [Row; 2],
}

/// Two stacks of exchanges, with the present between them.
#[derive(Default)]
pub(super) struct Swaps {
    undo: VecDeque<Swap>,
    redo: Vec<Swap>,
    detour: Vec<[Row; 2]>,
    /// The number of the first one that is not forgotten.
    first: u64,
}

impl Swaps {
    /// The number of the one that comes next.
    pub(super) fn now(&self) -> u64 {
        self.first + self.undo.len() as u64
    }

    pub(super) fn has_future(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Appends one, before the entry with this number.
    pub(super) fn push(&mut self, at: u64, rows: [Row; 2]) {
        self.undo.push_back(Swap { at, rows });
    }

    /// Appends one that is made while something is ahead.
    pub(super) fn push_detour(&mut self, rows: [Row; 2]) {
        self.detour.push(rows);
    }

    /// The detour from the present entry.
    pub(super) fn detour(&self) -> &[[Row; 2]] {
        &self.detour
    }

    /// Takes the last one of the detour back.
    pub(super) fn step_off_detour(&mut self) -> Option<[Row; 2]> {
        self.detour.pop()
    }

    /// Takes the last one back, unless it has this number or came before the entry `now`.
    pub(super) fn step_back(&mut self, to: u64, now: u64) -> Option<[Row; 2]> {
        let is_next = self.now() > to && self.undo.back().is_some_and(|last| last.at >= now);
        let last = is_next.then(|| self.undo.pop_back()).flatten()?;
        self.redo.push(last);
        Some(last.rows)
    }

    /// Makes the next one again, unless it has this number or comes behind the entry `now`.
    pub(super) fn step_forward(&mut self, to: u64, now: u64) -> Option<[Row; 2]> {
        let is_next = self.now() < to && self.redo.last().is_some_and(|next| next.at <= now);
        let next = is_next.then(|| self.redo.pop()).flatten()?;
        self.undo.push_back(next);
        Some(next.rows)
    }

    /// Forgets what is ahead of the entry `now`; the detour becomes a part of what is behind.
    pub(super) fn cut(&mut self, now: u64) {
        self.redo.clear();
        let detour = core::mem::take(&mut self.detour);
        detour.into_iter().for_each(|rows| self.push(now, rows));
    }

    /// Forgets those before the one with this number.
    pub(super) fn forget_before(&mut self, at: u64) {
        let count = at.min(self.now()) - self.first;
        self.undo.drain(..count as usize);
        self.first += count;
    }

    /// Forgets all and gives up their room.
    pub(super) fn end(&mut self) {
        let first = self.now();
        *self = Self {
            first,
            ..Self::default()
        };
    }

    /// Gives up the room in which nothing is.
    pub(super) fn trim(&mut self) {
        self.undo.shrink_to_fit();
        self.redo.shrink_to_fit();
        self.detour.shrink_to_fit();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let swaps = self.undo.capacity() + self.redo.capacity();
        swaps * size_of::<Swap>() + heap_size(&self.detour)
    }
}
