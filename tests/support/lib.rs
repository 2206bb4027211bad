//! What the tests of several subjects share.

mod notes;
pub mod numbers;
mod panics;

pub use self::notes::Notes;
pub use self::panics::{attempt, panic_of};
