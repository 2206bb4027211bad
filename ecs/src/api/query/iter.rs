//! The items of a query as an iterator.

use core::fmt;

use super::data::QueryData;
use super::traversal::{BlockTraversal, take_run};
use crate::state::{HasCore, RowRecorder};
use crate::storage::column::ROWS;
use crate::words::limits::ALL_ROWS;

/// An iterator of the items of a query, run by run.
///
/// See [`Query::iter`](super::Query::iter).
pub struct QueryIter<'a, C: HasCore, Q: QueryData<C>> {
    traversal: BlockTraversal<'a, C, Q>,
    /// Where to record the rows of each block before its first item, if they are reported.
    recorder: Option<RowRecorder<'a>>,
    /// The next block.
    next: usize,
    /// The block of the current run, and the rows left in it after that run.
    block: Option<Q::Block<'a>>,
    word: u64,
    /// The first row of the block.
    first: usize,
    /// The remaining places of the run, counted from that block's first row.
    place: usize,
    end: usize,
}

impl<'a, C: HasCore, Q: QueryData<C>> QueryIter<'a, C, Q> {
    /// Starts at the first block.
    #[inline]
    pub(super) fn new(traversal: BlockTraversal<'a, C, Q>) -> Self {
        Self::recorded(traversal, None)
    }

    /// Starts at the first block; records visited rows.
    #[inline]
    pub(super) fn recorded(
        traversal: BlockTraversal<'a, C, Q>,
        recorder: Option<RowRecorder<'a>>,
    ) -> Self {
        Self {
            traversal,
            recorder,
            next: 0,
            block: None,
            word: 0,
            first: 0,
            place: 0,
            end: 0,
        }
    }

    /// The row after the last one whose item was returned; all rows before it are done.
    #[inline(always)] // reads only what the loop keeps in registers
    pub(super) fn reached(&self) -> usize {
        self.first + self.place
    }

    /// Advances to the next run; returns false if there is none.
    #[inline(always)] // so that the iterator stays in registers
    fn find_run(&mut self) -> bool {
        while self.word == 0 {
            if self.next == self.traversal.blocks {
                return false;
            }
            // SAFETY: `next` is less than the traversal's `blocks`.
            let (word, block) = unsafe {
                (
                    self.traversal.word(self.next),
                    self.traversal.block(self.next),
                )
            };
            if let Some(recorder) = self.recorder.as_mut().filter(|_| word != 0) {
                let core = self.traversal.core;
                recorder.record_block(&core.world, (self.next, word)); // user code
            }
            self.block = Some(block);
            self.first = self.next * ROWS;
            self.next += 1;
            let rest = self.next..self.traversal.blocks;
            if word == 0 {
                // SAFETY: the range ends at the traversal's `blocks`.
                self.next = unsafe { self.traversal.skip_empty(rest) };
            } else if word == ALL_ROWS && Q::cuts(block) == 0 && self.recorder.is_none() {
                self.next = self.traversal.pass_whole(block, rest).1;
                (self.place, self.end) = (0, self.next * ROWS - self.first);
                return true;
            }
            self.word = word;
        }
        let (place, len) = take_run(&mut self.word, 0);
        (self.place, self.end) = (place, place + len);
        true
    }
}

impl<'a, C: HasCore, Q: QueryData<C>> Iterator for QueryIter<'a, C, Q> {
    type Item = Q::Item<'a>;

    #[inline(always)] // so that the iterator stays in registers
    fn next(&mut self) -> Option<Self::Item> {
        if self.place == self.end && !self.find_run() {
            return None;
        }
        let place = self.place;
        self.place += 1;
        // SAFETY: `find_run` sets `block` before it makes `place` and `end` differ.
        let block = unsafe { self.block.unwrap_unchecked() };
        // SAFETY: every bit of the run is set (4); each row is in one run, and once in that (3);
        // blocks after the first are of its run (5); the query ensured (2) and borrows the core (1).
        Some(unsafe { Q::item(block, place) })
    }
}

impl<C: HasCore, Q: QueryData<C>> fmt::Debug for QueryIter<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryIter")
            .field("next_block", &self.next)
            .finish_non_exhaustive()
    }
}
