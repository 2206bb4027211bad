//! Values that come and go many at a time, by rows as words of bits: one look-up of the
//! block and one write of its mask for each word.
//!
//! ```text
//! keys     a  b  c  d │ e          the rows of a word, ascending, have the keys in order
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
    /// The memory of a block, claimed at some places. The caller says what has been put there,
    /// and be it nothing, by [`set_filled`](Self::set_filled).
    #[inline]
    pub(crate) fn open_at(&mut self, at: usize, bits: u64) -> NonNull<u8> {
        self.claim(at, bits).values
    }

    /// Notes which places of those that were claimed have been filled, and which have not.
    ///
    /// # Safety
    ///
    /// The places `filled` hold values of the column's type; both were claimed when the block
    /// was opened.
    pub(crate) unsafe fn set_filled(&mut self, at: usize, filled: u64, unfilled: u64) {
        self.blocks[at].occupied |= filled;
        if unfilled != 0 {
            self.release(at, unfilled);
        }
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Puts values into rows, none of which has one: what `value` gives for the key of
    /// each, in order. If it panics, those before are in.
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
                // SAFETY: an open block has room for `ROWS` values of type `T`, aligned for
                // them, and `place` is less than that: it is that of a bit.
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
            filling.reached = ROWS as u32; // there were as many keys as bits
        }
    }

    /// Moves the values of rows out, in order, if there are some.
    pub(crate) fn take_all(&mut self, words: &[RowWord]) -> Vec<T> {
        let count = words.iter().map(|(_, bits)| bits.count_ones() as usize);
        let mut taken = Vec::with_capacity(count.sum());
        self.vacate_all(words, |block, bits| {
            let places = block.values.cast::<T>();
            // SAFETY: the bits were set, so initialized values are there; they are cleared
            // by now, so each is moved out once.
            let values = Bits(bits).map(|place| unsafe { places.add(place as usize).read() });
            taken.extend(values);
        });
        taken
    }

    /// Forgets the values of rows: they are not dropped.
    pub(crate) fn forget(&mut self, words: &[RowWord]) {
        self.vacate_all(words, |_, _| {});
    }

    /// Clears the bits of rows; hands those that were set to `each`, word by word, before
    /// memory is taken back.
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

/// The places of a word's bits, if they follow one another.
#[inline]
fn run_of(bits: u64) -> Option<Range<u32>> {
    let (first, behind) = (bits.trailing_zeros(), 64 - bits.leading_zeros());
    let run = u64::MAX.checked_shl(first)? & (u64::MAX >> (64 - behind));
    (run == bits).then_some(first..behind)
}

/// Places of an open block that are being filled, in ascending order. When it is dropped,
/// also by a panic, the bits of those that have been are set.
struct FillingPlaces<'a> {
    column: &'a mut Column,
    at: usize,
    values: NonNull<u8>,
    bits: u64,
    /// Of `bits`, the places before this one have values.
    reached: u32,
}

impl<'a> FillingPlaces<'a> {
    #[inline]
    fn start<T: Any + Send + Sync>(column: &'a mut ColumnOf<T>, at: usize, bits: u64) -> Self {
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
