//! Row swaps among the entries of a history. They change no entity, but a rewind must restore the
//! order in which entities are iterated.
//!
//! Swaps made while there is something to redo form a *detour*: they keep the redo entries, and are
//! undone before anything else. The next change makes them part of the history.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::storage::heap::heap;
use crate::storage::slots::Row;

#[derive(Clone, Copy)]
struct Swap {
    /// The number of the next entry at that time.
    at: u64,
    rows: [Row; 2],
}

/// Two stacks of swaps, with the present between them.
#[derive(Default)]
pub(super) struct Swaps {
    undo: VecDeque<Swap>,
    redo: Vec<Swap>,
    detour: Vec<[Row; 2]>,
    /// The number of the first swap that is not forgotten.
    first: u64,
}

heap!(Swaps: undo, redo, detour);

impl Swaps {
    /// The number of the next swap.
    pub(super) fn now(&self) -> u64 {
        self.first + self.undo.len() as u64
    }

    pub(super) fn has_future(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Appends a swap before the entry with this number.
    pub(super) fn push(&mut self, at: u64, rows: [Row; 2]) {
        self.undo.push_back(Swap { at, rows });
    }

    /// Appends a swap made while there is something to redo.
    pub(super) fn push_detour(&mut self, rows: [Row; 2]) {
        self.detour.push(rows);
    }

    /// The detour from the present entry.
    pub(super) fn detour(&self) -> &[[Row; 2]] {
        &self.detour
    }

    /// Undoes the last swap of the detour.
    pub(super) fn step_off_detour(&mut self) -> Option<[Row; 2]> {
        self.detour.pop()
    }

    /// Undoes the last swap, unless `to` is reached or the swap came before the entry `now`.
    pub(super) fn step_back(&mut self, to: u64, now: u64) -> Option<[Row; 2]> {
        let is_next = self.now() > to && self.undo.back().is_some_and(|last| last.at >= now);
        let last = is_next.then(|| self.undo.pop_back()).flatten()?;
        self.redo.push(last);
        Some(last.rows)
    }

    /// Redoes the next swap, unless `to` is reached or the swap comes after the entry `now`.
    pub(super) fn step_forward(&mut self, to: u64, now: u64) -> Option<[Row; 2]> {
        let is_next = self.now() < to && self.redo.last().is_some_and(|next| next.at <= now);
        let next = is_next.then(|| self.redo.pop()).flatten()?;
        self.undo.push_back(next);
        Some(next.rows)
    }

    /// Forgets the redo swaps; the detour becomes part of the history before the entry `now`.
    pub(super) fn cut(&mut self, now: u64) {
        self.redo.clear();
        let detour = core::mem::take(&mut self.detour);
        detour.into_iter().for_each(|rows| self.push(now, rows));
    }

    /// Forgets the swaps before this number.
    pub(super) fn forget_before(&mut self, at: u64) {
        let count = at.min(self.now()) - self.first;
        self.undo.drain(..count as usize);
        self.first += count;
    }

    /// Forgets all swaps and frees their memory.
    pub(super) fn end(&mut self) {
        let first = self.now();
        *self = Self {
            first,
            ..Self::default()
        };
    }
}
