//! The values of one component, by row.
//!
//! ```text
//! row ─► blocks[row / 64] { occupied: u64, values ─► [T; 64] }
//! ```
//!
//! From the ground up: `slab` carves memory into blocks, `regions` keeps account of memory that
//! sparse blocks share, `pieces` moves bytes. `block` holds a column's data and states the
//! invariant of its bits; `sharing` puts memory behind blocks and takes it back by two
//! operations, `claim` and `release`, and notes in a `BitSet` which have any. On these stand the files that put values in and take them
//! out: `any` if their type is known at run time alone, `typed`, `place`, `fill` and `words`
//! if it is known, one at a time or many; `relocate` moves them to other rows, and `capacity`
//! holds more or less memory. `past` holds what a history keeps, `copy`
//! makes copies for snapshots. `blocks` and `value_slice` are what queries and views read.

mod any;
mod block;
mod blocks;
mod capacity;
#[cfg(any(test, feature = "__checks"))]
mod check;
mod copy;
mod fill;
#[cfg(feature = "serde")]
mod load;
pub(crate) mod past;
mod pieces;
mod place;
mod regions;
mod relocate;
mod sharing;
mod slab;
#[cfg(test)]
mod tests;
mod typed;
mod value_slice;
mod words;

pub(crate) use self::block::{Column, ROWS};
pub(crate) use self::blocks::Blocks;
pub(crate) use self::pieces::move_to;
pub(crate) use self::place::Place;
pub(crate) use self::relocate::Relocation;
pub(crate) use self::typed::ColumnOf;
pub(crate) use self::value_slice::{ValueSlice, ValuesById};
