//! Reports the surviving mutants. Those explained in `explained.txt` make no difference and are not
//! judged.

use std::path::Path;
use std::process::ExitCode;

use crate::find::{Mutant, mutants_of};
use crate::judge::Judged;

/// The names of mutants that make no difference, below the reasons.
const EXPLAINED: &str = include_str!("../explained.txt");

/// Returns the names in `explained.txt` that are not mutants, or no longer.
pub fn unknown() -> impl Iterator<Item = &'static str> {
    let lines = EXPLAINED.lines();
    let names = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    names.filter(|name| !is_mutant(name))
}

fn is_mutant(name: &str) -> bool {
    let file = name.split(": ").next().unwrap_or_default();
    Path::new(file).exists() && mutants_of(file).iter().any(|mutant| mutant.name() == name)
}

/// Whether it is known that a mutant makes no difference.
pub fn is_explained(mutant: &Mutant) -> bool {
    let name = mutant.name();
    EXPLAINED.lines().any(|line| line == name)
}

/// Lists the survivors.
pub fn report(judged: &Judged<'_>, all: usize) -> ExitCode {
    let Judged { mutants, survivors } = judged;
    let killed = mutants - survivors.len();
    println!(
        "{mutants} mutants: {killed} killed, {} survive",
        survivors.len()
    );
    if judged.mutants < all {
        println!("there was no time for {} more", all - judged.mutants);
    }
    for survivor in survivors {
        println!("{} ({} tests)", survivor.mutant.name(), survivor.tests);
    }
    if survivors.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
