//! Mutation testing: changes the library in thousands of small ways, and looks which of them the
//! tests notice.
//!
//! All mutants are compiled together, each behind a switch, because to compile the tests for each
//! of them would take minutes a mutant:
//!
//! ```text
//! arguments   what is to be mutated                                 arguments.rs, files.rs
//! find        which mutants a file has                              find.rs, spots.rs
//! rewrite     a copy of the repository with all of them in it       rewrite.rs, copy.rs
//! compile     those that do not compile are skipped                 compile.rs
//! reach       which tests come by which mutants, and how long they take            reach.rs
//! judge       each mutant, by the tests that come by it, the fast ones first       judge.rs
//! survivors   which of them are explained                           survivors.rs
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
