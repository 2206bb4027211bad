//! Mutation testing: changes the library in thousands of small ways, and checks which changes the tests
//! notice.
//!
//! All mutants are compiled together, each behind a switch, because compiling the tests separately would
//! take minutes per mutant:
//!
//! ```text
//! arguments   selects files and lines                               arguments.rs, files.rs
//! find        finds the mutants of a file                           find.rs, spots.rs
//! rewrite     copies the repository with all mutants                rewrite.rs, copy.rs
//! compile     skips mutants that do not compile                     compile.rs
//! reach       finds which tests reach which mutants, and times them reach.rs
//! judge       runs the tests that reach a mutant, fast ones first   judge.rs
//! survivors   reports mutants that no test notices                  survivors.rs
//! ```

mod arguments;
mod compile;
mod copy;
mod files;
mod find;
mod judge;
mod reach;
mod rewrite;
mod spots;
mod survivors;

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::copy::Copy;

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    for name in survivors::unknown() {
        println!("explained, but no mutant: {name}");
    }
    let mutants = arguments.mutants();
    let (explained, mutants): (Vec<_>, Vec<_>) =
        mutants.into_iter().partition(survivors::is_explained);
    println!(
        "{} mutants are known to make no difference",
        explained.len()
    );
    if mutants.is_empty() {
        println!("nothing to mutate");
        return ExitCode::SUCCESS;
    }
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{mutant}"));
        return ExitCode::SUCCESS;
    }
    let copy = Copy::of_repository();
    let mutants = compile::skip_broken(&copy, mutants);
    let binaries = compile::test_binaries(&copy);
    let tests = reach::tests(&binaries, &arguments.by, mutants.len());
    println!("{} mutants, {} tests", mutants.len(), tests.len());
    let judged = judge::all(&mutants, &tests, arguments.end);
    survivors::report(&judged, mutants.len())
}
