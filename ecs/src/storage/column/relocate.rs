//! Moving the values of a column to other rows.
//!
//! All at once into fresh memory, run by run ([`Column::relocate`]), or two rows that
//! change places ([`Column::swap`]). Neither trusts what it is told of the
//! rows: a value is moved if its bit is set and the bit goes along, so a value is
//! never moved twice and never lost, whatever the caller hands over.

#![expect(unsafe_code, reason = "moves values between raw blocks")]

use core::ptr::swap_nonoverlapping;

use super::block::{Column, ROWS, bit};
use super::pieces::{copy_places, ones};
use crate::storage::slots::Row;

/// Rows that keep their order as they move: `len` rows from `from` on move to `to` and
/// the rows after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relocation {
    pub(crate) from: Row,
    pub(crate) to: Row,
    pub(crate) len: u32,
}

impl Relocation {
    /// The pieces of the run that stay inside one block before and after:
    ///
    /// ```text
    /// from   ……│xxxxxxxxxx│xxx……        blocks of rows before
    /// to     …xxxxxx│xxxxxxx…           and after
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
    /// Moves all values to the rows that the runs give, into fresh memory with room for
    /// `blocks` blocks, one after the other. The runs come in ascending order of `to`;
    /// rows without values may be missing.
    ///
    /// Does nothing if no value would get another row and the blocks are neighbours
    /// in memory already.
    pub(crate) fn relocate(&mut self, runs: &[Relocation], blocks: usize) {
        if self.breaks() > 0 || runs.iter().any(|run| self.is_moved_by(*run)) {
            self.move_all(runs, blocks);
        }
    }

    fn move_all(&mut self, runs: &[Relocation], blocks: usize) {
        let mut fresh = Self::new(self.descriptor);
        // If memory has no piece so large, it comes in pieces.
        let _ = fresh.backing.memory.reserve(blocks);
        for piece in runs.iter().flat_map(|run| run.pieces()) {
            self.move_piece(piece, &mut fresh);
        }
        self.take_memory_of(fresh);
    }

    /// Whether a value would get another row.
    fn is_moved_by(&self, run: Relocation) -> bool {
        run.from != run.to && run.pieces().any(|piece| self.bits_of(piece) != 0)
    }

    /// Which rows of a piece have values, the first one as bit 0.
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
        // SAFETY: both columns hold values of `descriptor`, and these bits are set, so initialized
        // values are there. They go to places inside a block with room for `ROWS` values, in
        // other memory, which the block has for itself. The old bits are cleared and the
        // new ones set below, so each is moved once.
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

    /// Has two rows change places: the values both have, or the one that is there.
    pub(crate) fn swap(&mut self, a: Row, b: Row) {
        match (self.value(a), self.value(b)) {
            (Some(first), Some(second)) if a != b => {
                let size = self.descriptor.layout.size();
                // SAFETY: initialized values of `descriptor` are at both places, which are
                // those of different rows, so they do not overlap, not even where their
                // blocks share memory.
                unsafe { swap_nonoverlapping(first.as_ptr(), second.as_ptr(), size) };
            }
            (Some(_), None) => self.move_value(a, b),
            (None, Some(_)) => self.move_value(b, a),
            _ => {}
        }
    }

    /// Moves the value in a row, if it has one, to a row that has none.
    fn move_value(&mut self, from: Row, to: Row) {
        if self.contains(to) {
            return;
        }
        let (at, size) = (to.get() / ROWS, self.descriptor.layout.size());
        let places = self.claim(at, bit(to)).values;
        let Some(value) = self.value(from) else {
            return self.release(at, bit(to));
        };
        // SAFETY: an initialized value of `descriptor` is in row `from`, looked up when no block
        // moves any more. The place it goes to is empty and its block's, in memory with
        // room for `ROWS` values. The new bit is set and the old one cleared below, so it is
        // moved once.
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
