//! What the tests of several subjects share.

pub mod calls;
pub mod game;
mod notes;
pub mod numbers;
mod panics;

use std::fmt::Debug;

pub use self::notes::Notes;
pub use self::panics::{attempt, panic_of};

/// How many collectors a context has, as its debug text says.
///
/// # Panics
///
/// The text does not say so.
pub fn collectors(context: &impl Debug) -> usize {
    let text = format!("{context:?}");
    let (_, rest) = text.split_once("collectors: ").expect("it says how many");
    let digits = rest.chars().take_while(char::is_ascii_digit);
    let number = digits.collect::<String>().parse();
    number.expect("it is a number")
}
