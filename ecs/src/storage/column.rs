//! The values of one component, by row.
//!
//! ```text
//! row ─► blocks[row / 64] { occupied: u64, values ─► [T; 64] }
//! ```
//!
//! From the bottom up: `block_memory` carves memory into blocks, `regions` tracks memory shared by sparse
//! blocks, `pieces` moves bytes. `block` has a column's data and states the invariant of its bits.
//! `sharing` assigns memory to blocks and takes it back, by `claim` and `release`, and records in a
//! `BitSet` which blocks have memory. The files that insert and remove values build on these: `any`
//! for a type known only at run time; `typed`, `place`, `fill` and `words` for a known type, one
//! value or many at a time; `relocate` moves values to other rows, and `capacity` reserves and
//! frees memory. `past` keeps values for histories, and `copy` clones columns for snapshots.
//! Queries and views read `blocks` and `value_slice`.

mod any;
mod block;
mod block_memory;
mod blocks;
mod capacity;
mod copy;
mod fill;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
#[cfg(feature = "serde")]
mod load;
pub(crate) mod past;
mod pieces;
mod place;
mod regions;
mod relocate;
mod sharing;

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
