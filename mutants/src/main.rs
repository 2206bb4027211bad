//! Mutation testing: changes the library in thousands of small ways, and looks which of them the
//! tests notice.
//!
//! All mutants are compiled together, each behind a switch, because to compile the tests for each
//! of them would take minutes a mutant:
//!
//! ```text
//! find      which mutants a file has                            find.rs, spots.rs
//! rewrite   a copy of the repository with all of them in it     rewrite.rs, copy.rs
//! compile   those that do not compile are left out              compile.rs
//! reach     which tests come by which mutants, and how long they take     reach.rs
//! judge     each mutant, by the tests that come by it, the fast ones first    judge.rs
//! ```

mod arguments;
mod compile;
mod copy;
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
    let mutants = arguments.mutants();
    if mutants.is_empty() {
        println!("nothing to mutate");
        return ExitCode::SUCCESS;
    }
    let copy = Copy::of_repository();
    let mutants = compile::leave_out_broken(&copy, mutants);
    let binaries = compile::test_binaries(&copy);
    let tests = reach::tests(&binaries, &arguments.by, mutants.len());
    println!("{} mutants, {} tests", mutants.len(), tests.len());
    let survivors = judge::all(&mutants, &tests);
    survivors::report(&survivors, mutants.len())
}
