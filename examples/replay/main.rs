//! Replays trace scripts: small programs that change entities and use groups, collectors and
//! indexes. Every event is written to a log.
//!
//! ```text
//! cargo run --example replay -- walk.script            # writes the log
//! cargo run --example replay -- --check *.script       # compares with walk.log, …
//! ```
//!
//! [`script`] parses a script, [`player`] runs it in a [`world`], and the result is a [`log`].

mod index;
mod kind;
mod log;
mod names;
mod player;
mod script;
#[cfg(test)]
mod tests;
mod world;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use self::log::Difference;

const USAGE: &str = "\
usage: replay [--check] SCRIPT...

Plays trace scripts and writes their logs to standard output; `-` is a script on
standard input.

  --check   compare each log with the file beside the script that ends in .log, and
            print the first difference; the exit code is 1 if there is one
";

/// The parsed command line.
struct Task {
    check: bool,
    scripts: Vec<OsString>,
}

fn main() -> ExitCode {
    let task = match read_arguments() {
        Ok(task) => task,
        Err(why) => {
            eprint!("{why}{USAGE}");
            return ExitCode::from(2);
        }
    };
    match perform(&task, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output, such as `head`, has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the command line. An error is printed above the usage.
fn read_arguments() -> Result<Task, String> {
    let arguments = std::env::args_os().skip(1);
    let (options, scripts): (Vec<_>, Vec<_>) = arguments.partition(is_option);
    if let Some(unknown) = options.iter().find(|option| *option != "--check") {
        return Err(format!("unknown option {}\n", unknown.display()));
    }
    let check = !options.is_empty();
    if check && scripts.iter().any(|script| script == "-") {
        return Err("--check needs files: standard input has no log beside it\n".into());
    }
    if scripts.is_empty() {
        return Err(String::new());
    }
    Ok(Task { check, scripts })
}

fn is_option(argument: &OsString) -> bool {
    argument != "-" && argument.as_encoded_bytes().starts_with(b"-")
}

/// Plays or checks each script; returns whether all succeeded.
fn perform(task: &Task, out: &mut impl Write) -> io::Result<bool> {
    let mut well = true;
    for script in &task.scripts {
        let result = if task.check {
            check(Path::new(script))
        } else {
            play(Path::new(script)).map(|log| (log, true))
        };
        match result {
            Ok((text, agrees)) => {
                out.write_all(text.as_bytes())?;
                well &= agrees;
            }
            Err(error) => {
                out.flush()?;
                eprintln!("{error}");
                well = false;
            }
        }
    }
    out.flush()?;
    Ok(well)
}

/// Returns the log of a script.
fn play(path: &Path) -> Result<String, String> {
    let script = read(path).map_err(|error| format!("cannot read {}: {error}", name(path)))?;
    match script::parse(&script) {
        Ok(lines) => Ok(player::play(&lines)),
        Err(mistake) => Err(format!("{}:{}: {mistake}", name(path), mistake.line)),
    }
}

/// Compares the log of a script with the recorded file. Returns a message and whether they are
/// equal.
fn check(path: &Path) -> Result<(String, bool), String> {
    let got = play(path)?;
    let log = path.with_extension("log");
    let expected = read(&log).map_err(|error| {
        let (log, script) = (log.display(), path.display());
        format!("cannot read {log}, the log to compare with {script}: {error}")
    })?;
    Ok(match Difference::first(&expected, &got) {
        None => (format!("{}: agrees\n", path.display()), true),
        Some(difference) => {
            let place = format!("{}:{}", log.display(), difference.line);
            (format!("{place}: differs\n{difference}\n"), false)
        }
    })
}

/// Reads a file, or standard input for `-`.
fn read(path: &Path) -> io::Result<String> {
    if path == Path::new("-") {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(path)
    }
}

/// Returns the name of a file for messages.
fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}
