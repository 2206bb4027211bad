//! The operations of all random programs. A program is run by the library and by a naive oracle
//! that implements the rules of notification literally. Everything visible is compared after each
//! step: the log of notifications line by line, results and errors, the members of all groups, the
//! contents of collectors, ids, values.
//!
//! The oracle trusts the library in one respect: the order in which moved entities are visited. It
//! checks that the order has the right entities, is the same for groups and queries, and stays
//! until entities are moved again.
//!
//! ```text
//! game      the context: a component of every sort
//! faults    counted values whose user code panics on request
//! op        the operations          make      strategies for programs, small and large
//! oracle    the expected results    real      the results of the library
//! bytes     programs made from bytes, for fuzzing
//! check     invariants of a context that hold at any time
//! play      runs programs on both sides
//! ```
//!
//! Saves, snapshots, histories and feeds are not operations but properties of programs
//! (`tests/records/model`), which run any program before, between and after them. Public methods
//! that neither calls are listed with reasons in `tests/sources/outside_model.txt`;
//! `tests/sources/model.rs` checks that the list is complete.

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

/// Whether components are numbered on first use (`tests/late-numbers`), even by a read.
#[must_use]
pub fn are_numbers_late() -> bool {
    static ARE_LATE: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("ECS_LATE_NUMBERS").is_some());
    *ARE_LATE
}
