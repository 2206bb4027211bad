//! Match One: a small game to copy from.
//!
//! ```text
//! cargo run --release -p match_one                    # in the terminal
//! cargo run --release -p match_one -- --headless      # plays by itself
//! cargo run --release -p match_one -- --inspect       # with the inspector in a browser
//! ```
//!
//! The game is in [`logic`]: contexts, components and systems, independent of any terminal. It sends
//! updates, from which [`picture`] builds what is drawn; [`terminal`] and [`headless`] show it.
//! [`inspect`] is all the code that the inspector needs.

mod arguments;
mod headless;
mod inspect;
mod logic;
mod picture;
mod saving;
mod terminal;
#[cfg(test)]
mod tests;
mod turns;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use self::arguments::Task;

/// The exit code for wrong arguments.
const MISUSE: u8 = 2;

fn main() -> ExitCode {
    match arguments::read(std::env::args().skip(1)) {
        Ok(Task::Play(..)) if !io::stdout().is_terminal() => {
            reject("standard output is no terminal; use `--headless` to write boards as text")
        }
        Ok(task) => perform(task),
        Err(message) => reject(&format!("{message}; see `--help`")),
    }
}

fn perform(task: Task) -> ExitCode {
    let done = match task {
        Task::Help => io::stdout().write_all(arguments::HELP.as_bytes()),
        Task::PlayItself(settings, turns, inspect) => inspect::start(inspect)
            .and_then(|inspector| headless::run(settings, turns, inspector, &mut io::stdout())),
        Task::Play(settings, inspect) => {
            inspect::start(inspect).and_then(|inspector| terminal::run(settings, inspector))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("match_one: {error}");
            ExitCode::FAILURE
        }
    }
}

fn reject(message: &str) -> ExitCode {
    eprintln!("match_one: {message}");
    ExitCode::from(MISUSE)
}
