//! One language of operations for all random programs: programs are run by the library and by a
//! naive oracle that follows the rules of notification to the letter. Everything that can be seen is
//! compared after each step: the log of notifications line by line, answers and errors, the members
//! of all groups, what collectors hold, ids, values.
//!
//! In one respect the oracle believes the library: in which order entities are visited that have been
//! moved. That it is an order of the right entities, the same for groups and queries, and that it
//! stays until entities are moved again, is checked.
//!
//! ```text
//! game      the context: a component of every sort
//! faults    values whose user code panics when it is told to, and that are counted
//! op        the operations          make      how programs are made up, small ones and large ones
//! oracle    what must come of them  real      what the library does
//! bytes     programs made from bytes, for fuzzing
//! check     what holds of a context at any time, whatever has happened
//! play      runs programs on both sides
//! ```
//!
//! Saves, snapshots, histories and feeds are no operations but properties of programs
//! (`tests/records/model`), which run any program before, between and behind. Which public methods
//! neither call is listed with the reasons in `tests/sources/outside_model.txt`, and
//! `tests/sources/model.rs` looks whether that is all.

#![expect(missing_docs, reason = "of interest to the tests of the library alone")]

pub mod bytes;
pub mod check;
pub mod faults;
pub mod game;
pub mod make;
pub mod op;
mod oracle;
mod play;
mod real;

use std::sync::LazyLock;

pub use self::oracle::Oracle;
pub use self::play::{Player, chosen, compare, compare_seldom, programs};
pub use self::real::Real;

/// Whether components are numbered at first use (`tests/late-numbers`): to look at one numbers it.
#[must_use]
pub fn are_numbers_late() -> bool {
    static ARE_LATE: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("ECS_LATE_NUMBERS").is_some());
    *ARE_LATE
}
