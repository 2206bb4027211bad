//! One language of operations for all random programs: programs are run by the library and by a
//! naive oracle that follows the rules of notification to the letter. Everything that can be seen is
//! compared after each step: the log of notifications line by line, answers and errors, the members
//! of all groups, what collectors hold, ids, values.
//!
//! ```text
//! game      the context: a component of every sort
//! faults    values whose user code panics when it is told to, and that are counted
//! op        the operations          make      how programs are made up
//! oracle    what must come of them  real      what the library does
//! check     what holds of a context at any time, whatever has happened
//! ```

#![expect(missing_docs, reason = "of interest to the tests of the library alone")]

pub mod check;
pub mod faults;
pub mod game;
pub mod make;
pub mod op;
mod oracle;
mod play;
mod real;

pub use self::oracle::Oracle;
pub use self::play::{Player, compare, programs};
pub use self::real::Real;
