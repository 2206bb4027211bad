//! Moving the values of a column to other rows: all of them into new memory, run by run
//! ([`Column::relocate`]), or swapping two rows ([`Column::swap`]).
//!
//! Neither relies on the given rows being right: a value is moved only if its bit is set, and the
//! bit moves with it, so no value is duplicated or lost.

#![expect(unsafe_code, reason = "moves values between raw blocks")]

use core::ptr::swap_nonoverlapping;

use super::block::{Column, ROWS, bit};
use super::pieces::{copy_places, ones};
use crate::storage::slots::Row;

/// A move of `len` consecutive rows from `from` to consecutive rows from `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relocation {
    pub(crate) from: Row,
    pub(crate) to: Row,
    pub(crate) len: u32,
}

impl Relocation {
    /// Splits the run into pieces that stay inside one block before and after:
    ///
    /// ```text
    /// from   ……│xxxxxxxxxx│xxx……        old blocks
    /// to     …xxxxxx│xxxxxxx…           new blocks
    /// pieces    1   2   3  4
    /// ```
    fn pieces(self) -> impl Iterator<Item = Self> {
        let mut done = 0;
        core::iter::from_fn(move || {
            let (from, to) = (Row(self.from.0 + done), Row(self.to.0 + done));
            let ahead = ROWS - (from.get() % ROWS).max(to.get() % ROWS);
            let len = (self.len - done).min(ahead as u32);
            done += len;
            (len > 0).then_some(Self { from, to, len })
        })
    }
}

impl Column {
    /// Moves all values to the rows given by the runs, into new adjacent memory for `blocks`
    /// blocks. The runs must be in ascending order of `to`; rows without values can be omitted.
    ///
    /// Does nothing if no value would get another row and the blocks are already adjacent.
    pub(crate) fn relocate(&mut self, runs: &[Relocation], blocks: usize) {
        if self.breaks() > 0 || runs.iter().any(|run| self.is_moved_by(*run)) {
            self.move_all(runs, blocks);
        }
    }

    fn move_all(&mut self, runs: &[Relocation], blocks: usize) {
        let mut fresh = Self::new(self.descriptor);
        // If one allocation of this size fails, memory comes in smaller pieces.
        let _ = fresh.backing.memory.reserve(blocks);
        for piece in runs.iter().flat_map(|run| run.pieces()) {
            self.move_piece(piece, &mut fresh);
        }
        self.take_memory_of(fresh);
    }

    /// Returns whether a value would get another row.
    fn is_moved_by(&self, run: Relocation) -> bool {
        run.from != run.to && run.pieces().any(|piece| self.bits_of(piece) != 0)
    }

    /// Returns the bits of the rows of a piece that have values, the first row as bit 0.
    fn bits_of(&self, piece: Relocation) -> u64 {
        let block = self.blocks.get(piece.from.get() / ROWS);
        let ahead = block.map_or(0, |block| block.occupied >> (piece.from.get() % ROWS));
        ahead & ones(piece.len)
    }

    /// Moves the values of a piece to empty rows of a column of the same component.
    pub(super) fn move_piece(&mut self, piece: Relocation, to: &mut Self) {
        let bits = self.bits_of(piece);
        if bits == 0 {
            return;
        }
        let target = to.claim_whole(piece.to.get() / ROWS);
        let at = piece.from.get() / ROWS;
        let source = self.blocks[at];
        let (first, new) = (piece.from.get() % ROWS, piece.to.get() % ROWS);
        let size = self.descriptor.layout.size();
        // SAFETY: both columns hold values of `descriptor`, and these bits are set, so the places
        // have initialized values. They are moved to other memory, inside a block with memory of
        // its own for `ROWS` values. The old bits are cleared and the new ones set below, so each
        // value is moved once.
        unsafe {
            let (values, places) = (
                source.values.add(first * size),
                target.values.add(new * size),
            );
            copy_places(values, places, bits, size);
        }
        target.occupied |= bits << new;
        self.release(at, bits << first);
    }

    /// Swaps two rows: both values, or the only one.
    pub(crate) fn swap(&mut self, a: Row, b: Row) {
        match (self.value(a), self.value(b)) {
            (Some(first), Some(second)) if a != b => {
                let size = self.descriptor.layout.size();
                // SAFETY: both places have initialized values of `descriptor`. They belong to
                // different rows, so they do not overlap, even if the blocks share memory.
                unsafe { swap_nonoverlapping(first.as_ptr(), second.as_ptr(), size) };
            }
            (Some(_), None) => self.move_value(a, b),
            (None, Some(_)) => self.move_value(b, a),
            _ => {}
        }
    }

    /// Moves the value in a row, if there is one, to an empty row.
    fn move_value(&mut self, from: Row, to: Row) {
        if self.contains(to) {
            return;
        }
        let (at, size) = (to.get() / ROWS, self.descriptor.layout.size());
        let places = self.claim(at, bit(to)).values;
        let Some(value) = self.value(from) else {
            return self.release(at, bit(to));
        };
        // SAFETY: row `from` has an initialized value of `descriptor`, looked up after `claim`,
        // which may move blocks. The target place is empty and belongs to its block, in memory for
        // `ROWS` values. The new bit is set and the old one cleared below, so the value is moved
        // once.
        unsafe {
            let place = places.add(to.get() % ROWS * size);
            value.copy_to_nonoverlapping(place, size);
        }
        self.blocks[at].occupied |= bit(to);
        self.release(from.get() / ROWS, bit(from));
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_pieces_of_a_run_stay_inside_blocks() {
        let run = |from, to, len| Relocation {
            from: Row(from),
            to: Row(to),
            len,
        };
        let pieces: Vec<_> = run(60, 10, 100).pieces().collect();
        let expected = [
            run(60, 10, 4),
            run(64, 14, 50),
            run(114, 64, 14),
            run(128, 78, 32),
        ];
        assert_eq!(pieces, expected);
        assert!(run(5, 9, 0).pieces().next().is_none());
    }
}
