//! Inserting and removing many values by words of rows: one lookup of the block and one write of
//! its bits per word.
//!
//! ```text
//! keys     a  b  c  d │ e          the rows of a word, ascending, use the keys in order
//! words    (0, 0b111100) (7, 0b1)
//! ```

#![expect(unsafe_code, reason = "reads and writes values in raw blocks")]

use alloc::vec::Vec;
use core::any::Any;
use core::ops::Range;
use core::ptr::NonNull;

use super::block::{Block, Column, ROWS};
use super::typed::ColumnOf;
use crate::storage::row_words::RowWord;
use crate::words::signature::Bits;

impl Column {
    /// Returns the memory of a block, claimed at some places. The caller must report what was
    /// written, even if nothing, by [`set_filled`](Self::set_filled).
    #[inline]
    pub(crate) fn open_at(&mut self, at: usize, bits: u64) -> NonNull<u8> {
        self.claim(at, bits).values
    }

    /// Records which of the claimed places were filled, and which were not.
    ///
    /// # Safety
    ///
    /// The places `filled` must have values of the column's type; all places must have been claimed
    /// when the block was opened.
    pub(crate) unsafe fn set_filled(&mut self, at: usize, filled: u64, unfilled: u64) {
        self.blocks[at].occupied |= filled;
        if unfilled != 0 {
            self.release(at, unfilled);
        }
    }
}

impl<T: Any> ColumnOf<T> {
    /// Inserts values into empty rows: the result of `value` for each key, in order. If it panics,
    /// the previous values are kept.
    pub(crate) fn insert_all<K: Copy>(
        &mut self,
        words: &[RowWord],
        keys: &[K],
        mut value: impl FnMut(K) -> T,
    ) {
        let mut left = keys;
        for &(at, bits) in words {
            let mut filling = FillingPlaces::start(self, at, bits);
            let places = filling.values.cast::<T>();
            let mut put = |place: u32, key: K| {
                filling.reached = place;
                // SAFETY: an open block has aligned memory for `ROWS` values of type `T`, and
                // `place` is the position of a bit, so less than that.
                unsafe { places.add(place as usize).write(value(key)) };
            };
            let (its, others);
            if let Some(run) = run_of(bits) {
                (its, others) = left.split_at(run.len());
                run.zip(its).for_each(|(place, &key)| put(place, key));
            } else {
                (its, others) = left.split_at(bits.count_ones() as usize);
                Bits(bits)
                    .zip(its)
                    .for_each(|(place, &key)| put(place, key));
            }
            left = others;
            filling.reached = ROWS as u32; // there are as many keys as bits
        }
    }

    /// Removes and returns the values of rows, in order.
    pub(crate) fn take_all(&mut self, words: &[RowWord]) -> Vec<T> {
        let count = words.iter().map(|(_, bits)| bits.count_ones() as usize);
        let mut taken = Vec::with_capacity(count.sum());
        self.vacate_all(words, |block, bits| {
            let places = block.values.cast::<T>();
            // SAFETY: the bits were set, so the places have initialized values; they are cleared
            // now, so each value is moved once.
            let values = Bits(bits).map(|place| unsafe { places.add(place as usize).read() });
            taken.extend(values);
        });
        taken
    }

    /// Forgets the values of rows without dropping them.
    pub(crate) fn forget(&mut self, words: &[RowWord]) {
        self.vacate_all(words, |_, _| {});
    }

    /// Clears the bits of rows. Calls `each` with those that were set, word by word, before memory
    /// is taken back.
    fn vacate_all(&mut self, words: &[RowWord], mut each: impl FnMut(&Block, u64)) {
        for &(at, bits) in words {
            let Some(block) = self.column.blocks.get_mut(at) else {
                continue;
            };
            let cleared = block.occupied & bits;
            block.occupied ^= cleared;
            each(block, cleared);
            self.column.release(at, cleared);
        }
    }
}

/// Returns the positions of a word's bits if they are consecutive.
#[inline]
fn run_of(bits: u64) -> Option<Range<u32>> {
    let (first, behind) = (bits.trailing_zeros(), 64 - bits.leading_zeros());
    let run = u64::MAX.checked_shl(first)? & (u64::MAX >> (64 - behind));
    (run == bits).then_some(first..behind)
}

/// Places of an open block that are filled in ascending order. On drop, even by a panic, the bits
/// of the filled ones are set.
struct FillingPlaces<'a> {
    column: &'a mut Column,
    at: usize,
    values: NonNull<u8>,
    bits: u64,
    /// The places of `bits` below this one have values.
    reached: u32,
}

impl<'a> FillingPlaces<'a> {
    #[inline]
    fn start<T: Any>(column: &'a mut ColumnOf<T>, at: usize, bits: u64) -> Self {
        let values = column.claim(at, bits).values;
        Self {
            column: &mut column.column,
            at,
            values,
            bits,
            reached: 0,
        }
    }
}

impl Drop for FillingPlaces<'_> {
    #[inline]
    fn drop(&mut self) {
        let beyond = u64::MAX.checked_shl(self.reached).unwrap_or(0);
        let block = &mut self.column.blocks[self.at];
        block.occupied |= self.bits & !beyond;
        self.column.release(self.at, self.bits & beyond);
    }
}
