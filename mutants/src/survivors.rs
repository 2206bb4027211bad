//! What is said of the mutants that survive: those that are explained, in `explained.txt`, are no
//! fault of the tests.

use std::process::ExitCode;

use crate::judge::Survivor;

/// Mutants that make no difference, by name, below the reason.
const EXPLAINED: &str = include_str!("../explained.txt");

/// Lists the survivors that nobody has explained.
pub fn report(survivors: &[Survivor<'_>], mutants: usize) -> ExitCode {
    let (explained, open): (Vec<_>, Vec<_>) = survivors.iter().partition(|it| is_explained(it));
    println!(
        "{mutants} mutants: {} killed, {} make no difference, {} survive",
        mutants - survivors.len(),
        explained.len(),
        open.len()
    );
    for survivor in &open {
        println!("{} ({} tests)", survivor.mutant.name(), survivor.tests);
    }
    if open.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn is_explained(survivor: &Survivor<'_>) -> bool {
    let name = survivor.mutant.name();
    EXPLAINED.lines().any(|line| line == name)
}
