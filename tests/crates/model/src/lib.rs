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
//! What changes the state of a context and is no operation, with the reason:
//!
//! - Saves, snapshots, forks, histories, deltas lost or repeated: these are properties of programs
//!   (`tests/records/model`), which run any program before, between and behind.
//! - States of worlds of several contexts: `tests/components/states.rs`.
//! - Lists of systems beyond `execute` (phases, names, switching off, until quiet), reactive systems
//!   with filters, of several contexts, of messages and of removed values; `Deferred`: they call what
//!   is here, in orders that `tests/systems` pins.
//! - `par_for_each` but for a component without user code: values count themselves by thread.
//! - What panics where its `try_` twin, which is here, returns an error; `drain_into`, `clear_pool`,
//!   `clone_entity`, which are `drain`, `clear_pools` and a copy in another form.
//! - Limits: `set_notification_limit`, full contexts (`tests/records/model/limits.rs`).
//! - Calls with handles of another context, which are refused (`tests/changes/other_context.rs`).
//! - `Feed::look_again`, `History::forget_before`, `Loader`: `tests/records`.

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

pub use self::oracle::Oracle;
pub use self::play::{Player, chosen, compare, compare_seldom, programs};
pub use self::real::Real;
