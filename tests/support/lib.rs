//! Shared code of tests of several subjects.

pub mod calls;
mod clock;
pub mod game;
mod notes;
pub mod numbers;
mod panics;
mod random;

use std::env;
use std::fmt::Debug;
use std::process::Command;

pub use self::clock::time_of;
pub use self::notes::Notes;
pub use self::panics::{attempt, panic_of};
pub use self::random::Random;

/// The number of collectors of a context, read from its debug output.
///
/// # Panics
///
/// Panics if the output has no such number.
pub fn collectors(context: &impl Debug) -> usize {
    let text = format!("{context:?}");
    let (_, rest) = text.split_once("collectors: ").expect("it says how many");
    let digits = rest.chars().take_while(char::is_ascii_digit);
    let number = digits.collect::<String>().parse();
    number.expect("it is a number")
}

/// A command that runs this test program again, in the emulator that `ECS_TEST_RUNNER` names, if any.
///
/// # Panics
///
/// Panics if the system does not say which program this is.
pub fn this_program() -> Command {
    let program = env::current_exe().expect("the path of this program");
    match env::var_os("ECS_TEST_RUNNER") {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.arg(program);
            command
        }
        None => Command::new(program),
    }
}
