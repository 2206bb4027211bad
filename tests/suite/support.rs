//! What the tests of several subjects share.

#[path = "support/numbers.rs"]
pub(crate) mod numbers;
#[path = "support/panics.rs"]
mod panics;

pub(crate) use self::panics::{attempt, panic_of};
