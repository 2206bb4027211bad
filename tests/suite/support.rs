//! What the tests of several subjects share.

#[path = "support/notes.rs"]
mod notes;
#[path = "support/numbers.rs"]
pub(crate) mod numbers;
#[path = "support/panics.rs"]
mod panics;

pub(crate) use self::notes::Notes;
pub(crate) use self::panics::{attempt, panic_of};
