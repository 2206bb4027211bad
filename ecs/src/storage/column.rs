//! The values of one component, by row.
//!
//! ```text
//! row ─► blocks[row / 64] { occupied: u64, values ─► [T; 64] }
//! ```
//!
//! The invariant everything here rests on: **bit `r` of `occupied` is set exactly
//! when place `r` of `values` holds an initialized value of this block**, and `values` is
//! a block of the column's memory as long as any bit is set. A bit is set after its value
//! has been written and cleared before its value is moved out or dropped, so no
//! panic in between can break it.
//!
//! Sparse blocks of a large component share memory, each with places of its own
//! (`column/sharing.rs`, which puts memory behind all blocks). Memory whose last value
//! goes returns to the memory's stack; a value keeps its place in a block while its row
//! keeps it, and moves with its block alone.

#![expect(unsafe_code, reason = "reads and writes values in raw blocks")]

mod blocks;
mod capacity;
mod pieces;
mod place;
mod relocate;
mod sharing;
mod slab;
mod value_slice;
mod words;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;
use core::ptr::NonNull;

pub(crate) use self::blocks::Blocks;
pub(crate) use self::pieces::move_to;
pub(crate) use self::place::Place;
pub(crate) use self::relocate::Run;
use self::sharing::{LARGE, Regions};
use self::slab::BlockMemory;
pub(crate) use self::slab::OutOfMemory;
pub(crate) use self::value_slice::{ValueSlice, ValuesById};
use crate::storage::descriptor::{AnyValue, ComponentKind};
use crate::storage::slots::Row;
use crate::words::signature::Bits;

/// How many rows a block has.
pub(crate) const ROWS: usize = 64;

/// Room for 64 values and which of them are there.
#[derive(Clone, Copy)]
struct Block {
    occupied: u64,
    values: NonNull<u8>,
}

impl Block {
    const EMPTY: Self = Self {
        occupied: 0,
        values: NonNull::dangling(),
    };
}

/// The values of one component, their type known at run time alone.
pub(crate) struct Column {
    blocks: Vec<Block>,
    memory: BlockMemory,
    /// Which blocks share memory; none until some do.
    regions: Option<Box<Regions>>,
    kind: &'static ComponentKind,
    pool: Box<AnyValue>,
    /// Whether a value can be let be: nothing to drop, nothing to recycle.
    plain: bool,
    /// The same, where there is nothing to be done with its place either, as long as its
    /// block has others.
    lets_be: bool,
}

// SAFETY: a column owns its values, and a component is `Send + Sync` (bounds of
// the trait); the raw pointers lead to memory that this column alone owns.
unsafe impl Send for Column {}
// SAFETY: as above; `&Column` gives out shared references to values alone.
unsafe impl Sync for Column {}

impl Column {
    /// An empty column for values of `kind`; allocates nothing yet.
    pub(crate) fn new(kind: &'static ComponentKind) -> Self {
        let memory = BlockMemory::new(kind.layout, ROWS);
        let plain = !kind.needs_drop && !kind.pooled;
        Self {
            blocks: Vec::new(),
            memory,
            regions: None,
            kind,
            pool: (kind.new_pool)(),
            plain,
            lets_be: plain,
        }
    }

    /// The type of the values.
    pub(crate) fn kind(&self) -> &'static ComponentKind {
        self.kind
    }

    /// The blocks, for looking through them.
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks::new(&self.blocks)
    }

    /// Whether the row has a value.
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.blocks
            .get(row.get() / ROWS)
            .is_some_and(|block| block.occupied & bit(row) != 0)
    }

    /// Which places of a block have values, as bits.
    #[inline]
    fn occupied(&self, at: usize) -> u64 {
        self.blocks.get(at).map_or(0, |block| block.occupied)
    }

    /// The value in a row.
    pub(crate) fn view(&self, row: Row) -> Option<&AnyValue> {
        let value = self.value(row)?;
        // SAFETY: the bit is set, so an initialized value of `kind` is there; it
        // stays borrowed as long as `self` is.
        Some(unsafe { &*(self.kind.view)(value.as_ptr()) })
    }

    /// Moves the value in a row out.
    pub(crate) fn take_boxed(&mut self, row: Row) -> Option<Box<AnyValue>> {
        let value = self.value(row)?;
        self.vacate(row);
        // SAFETY: the bit was set, so an initialized value of `kind` is there; it is
        // cleared by now, so nobody else uses it. A block released by `vacate` keeps
        // its contents until it is allocated again, which needs `&mut self`.
        Some(unsafe { (self.kind.take)(value.as_ptr()) })
    }

    /// Drops the value in a row, or puts it on the pool stack.
    #[inline]
    pub(crate) fn discard(&mut self, row: Row) {
        if self.plain {
            self.vacate(row);
        } else {
            self.discard_value(row);
        }
    }

    /// Lets the value in a row be, where nothing is to be done with it and its block has
    /// others; tells whether so.
    #[inline]
    pub(crate) fn discard_plain(&mut self, row: Row) -> bool {
        if let Some(block) = self.blocks.get_mut(row.get() / ROWS)
            && self.lets_be
        {
            let others = block.occupied & !bit(row);
            if others != 0 {
                block.occupied = others;
                return true;
            }
        }
        false
    }

    #[inline(never)]
    fn discard_value(&mut self, row: Row) {
        if self.kind.pooled {
            if let Some(value) = self.take_boxed(row) {
                self.recycle_boxed(value);
            }
        } else if let Some(value) = self.value(row) {
            self.vacate(row);
            // SAFETY: as in `take_boxed`; the bit is cleared also if `drop` panics.
            unsafe { (self.kind.drop)(value.as_ptr()) };
        }
    }

    /// Puts a value that was moved out on the pool stack, or drops it.
    pub(crate) fn recycle_boxed(&mut self, value: Box<AnyValue>) {
        if self.kind.pooled {
            (self.kind.recycle)(&mut *self.pool, value);
        }
    }

    /// Puts an empty pool stack in place of the one there is.
    pub(crate) fn take_pool(&mut self) -> Box<AnyValue> {
        core::mem::replace(&mut self.pool, (self.kind.new_pool)())
    }

    /// Where the value of a row is, if it has one.
    fn value(&self, row: Row) -> Option<NonNull<u8>> {
        let block = self.blocks.get(row.get() / ROWS)?;
        // SAFETY: the bit is set, so `values` is a block of 64 values of `kind`.
        (block.occupied & bit(row) != 0)
            .then(|| unsafe { block.values.add(row.get() % ROWS * self.kind.layout.size()) })
    }

    /// Clears the bit of a row, whose value the caller has, gets, or lets be.
    #[inline]
    fn vacate(&mut self, row: Row) {
        self.vacate_in::<true>(row);
    }

    /// The same for a column in which no block shares memory, if it says so.
    #[inline]
    fn vacate_in<const MAY_SHARE: bool>(&mut self, row: Row) {
        let at = row.get() / ROWS;
        if let Some(block) = self.blocks.get_mut(at)
            && block.occupied & bit(row) != 0
        {
            block.occupied &= !bit(row);
            if block.occupied == 0 || MAY_SHARE && self.shares(at) {
                self.let_go(at, bit(row));
            }
        }
    }

    /// Makes room for values in `rows` rows after the first `start`, none of which has
    /// one: as one piece of memory, where there is too little.
    pub(crate) fn reserve(&mut self, start: usize, rows: usize) {
        let end = (start + rows).div_ceil(ROWS);
        if self.blocks.len() < end {
            self.blocks.resize_with(end, || Block::EMPTY);
        }
        self.memory.provide(end - start / ROWS);
    }

    /// Drops all values.
    fn clear(&mut self) {
        /// Goes on with the rest when a value's `drop` panics.
        struct Rest<'a>(&'a mut Column);
        impl Rest<'_> {
            fn run(&mut self) {
                while let Some(last) = self.0.blocks.last() {
                    match Bits(last.occupied).next() {
                        Some(bit) => {
                            let first = (self.0.blocks.len() - 1) * ROWS;
                            self.0.discard(Row(first as u32 + bit));
                        }
                        None => drop(self.0.blocks.pop()),
                    }
                }
            }
        }
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.run();
            }
        }
        Rest(self).run();
    }
}

impl Drop for Column {
    fn drop(&mut self) {
        if self.kind.needs_drop {
            self.clear();
        }
    }
}

#[inline]
fn bit(row: Row) -> u64 {
    1 << (row.get() % ROWS)
}

/// A column of values of type `T`.
///
/// A `&ColumnOf<T>` is made by [`Columns`](crate::storage::columns::Columns) alone, from a column whose kind is that
/// of `T`.
#[repr(transparent)]
pub(crate) struct ColumnOf<T> {
    column: Column,
    values: PhantomData<T>,
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Whether blocks may share memory: where they cannot, nothing of it is left.
    const IS_LARGE: bool = size_of::<T>() >= LARGE;

    /// A block with memory at some places: see [`Column::room_for`].
    ///
    /// # Panics
    ///
    /// Panics if one of them has a value, which would be written over, and its place counted
    /// twice.
    #[inline]
    fn room_for(&mut self, at: usize, bits: u64) -> &mut Block {
        assert!(
            self.column.occupied(at) & bits == 0,
            "a value is put where none is"
        );
        if Self::IS_LARGE && bits != u64::MAX {
            self.column.room_for(at, bits)
        } else {
            self.column.own(at)
        }
    }

    /// Whether the row has a value.
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.column.contains(row)
    }

    /// Where the value of a row is, if it has one.
    #[inline]
    fn value(&self, row: Row) -> Option<NonNull<T>> {
        self.slice().value(row)
    }

    /// The values, for looking many of them up.
    pub(crate) fn slice(&self) -> ValueSlice<'_, T> {
        ValueSlice::new(self)
    }

    /// The value in a row.
    #[inline]
    pub(crate) fn get(&self, row: Row) -> Option<&T> {
        // SAFETY: a place whose bit is set holds an initialized value; it is
        // borrowed as long as `self` is.
        self.value(row).map(|value| unsafe { value.as_ref() })
    }

    /// The value in a row, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, row: Row) -> Option<&mut T> {
        // SAFETY: as in `get`, and `&mut self` excludes every other reference.
        self.value(row).map(|mut value| unsafe { value.as_mut() })
    }

    /// Moves values into the rows from `start` on, none of which has one.
    pub(crate) fn fill(&mut self, start: Row, mut values: Vec<T>) {
        let (first, count) = (values.as_ptr(), values.len());
        // SAFETY: the values are given up here, before they are anywhere else; should
        // `copy_in` panic they are leaked. The list keeps its memory until the end.
        unsafe {
            values.set_len(0);
            self.copy_in(start, first, count);
        }
    }

    /// Copies values into the rows from `start` on, none of which has one.
    pub(crate) fn fill_with_copies(&mut self, start: Row, values: &[T])
    where
        T: Copy,
    {
        // SAFETY: copies of a `Copy` type are values of their own.
        unsafe { self.copy_in(start, values.as_ptr(), values.len()) }
    }

    /// # Safety
    ///
    /// `values` leads to `count` values that are the column's from now on.
    unsafe fn copy_in(&mut self, start: Row, values: *const T, count: usize) {
        let mut done = 0;
        while done < count {
            let (at, place) = ((start.get() + done) / ROWS, (start.get() + done) % ROWS);
            let len = (ROWS - place).min(count - done);
            let bits = u64::MAX >> (ROWS - len) << place;
            let block = self.room_for(at, bits);
            // SAFETY: the block has room for 64 values of type `T` and `place + len` is
            // at most 64; `done + len` is at most `count` (the caller's promise). The
            // list is not in the column's memory.
            unsafe {
                let places = block.values.cast::<T>().add(place).as_ptr();
                places.copy_from_nonoverlapping(values.add(done), len);
            }
            block.occupied |= bits;
            done += len;
        }
    }

    /// Moves the value in a row out.
    #[inline]
    pub(crate) fn remove(&mut self, row: Row) -> Option<T> {
        let at = row.get() / ROWS;
        let block = self.column.blocks.get_mut(at)?;
        if block.occupied & bit(row) == 0 {
            return None;
        }
        block.occupied &= !bit(row);
        let (values, empty) = (block.values, block.occupied == 0);
        // SAFETY: the bit was set, so an initialized value is there; it is cleared by
        // now, so the value is moved out once.
        let value = unsafe { values.cast::<T>().add(row.get() % ROWS).read() };
        if empty || Self::IS_LARGE && self.column.shares(at) {
            self.column.let_go(at, bit(row));
        }
        Some(value)
    }

    /// Moves the value in a row out whose block has others and memory of its own; so it
    /// needs no call to anything.
    #[inline]
    pub(crate) fn remove_beside(&mut self, row: Row) -> Option<T> {
        let at = row.get() / ROWS;
        if Self::IS_LARGE && self.column.shares(at) {
            return None;
        }
        let block = self.column.blocks.get_mut(at)?;
        let others = block.occupied & !bit(row);
        if others == block.occupied || others == 0 {
            return None;
        }
        block.occupied = others;
        // SAFETY: as in `remove`.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS).read() })
    }

    /// The values waiting to be used again.
    pub(crate) fn pool(&mut self) -> &mut Vec<T> {
        let pool: &mut AnyValue = &mut *self.column.pool;
        pool.downcast_mut()
            .expect("the pool of a column holds values of the column's type")
    }

    /// How many values wait to be used again.
    pub(crate) fn pool_len(&self) -> usize {
        let pool: &AnyValue = &*self.column.pool;
        pool.downcast_ref::<Vec<T>>().map_or(0, Vec::len)
    }
}
