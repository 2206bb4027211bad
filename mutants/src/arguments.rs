//! What is to be mutated, as the command line says it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::find::{Mutant, mutants_of};

/// What is mutated if nothing is said.
const ALL: [&str; 5] = [
    "ecs/src/storage",
    "ecs/src/matching",
    "ecs/src/reactions",
    "ecs/src/state",
    "ecs-derive/src",
];

/// Files, of which all lines are meant or some.
type Lines = BTreeMap<String, Option<BTreeSet<usize>>>;

/// The command line.
pub struct Arguments {
    lines: Lines,
    every: usize,
    /// The tests that judge: those whose name has this in it.
    pub by: String,
}

impl Arguments {
    /// Reads the command line.
    pub fn read() -> Result<Self, String> {
        let (mut lines, mut every, mut by) = (Lines::new(), 1, String::new());
        let mut words = std::env::args().skip(1);
        let mut is_all = true;
        while let Some(word) = words.next() {
            is_all &= word.starts_with("--");
            match word.as_str() {
                "--by" => {
                    by = words
                        .next()
                        .ok_or("--by wants a part of the name of a test")?
                }
                "--every" => {
                    let number = words.next().and_then(|word| word.parse().ok());
                    every = number.ok_or("--every wants a number")?;
                }
                range if range.contains("..") => lines.append(&mut changed_in(range)),
                path => lines.append(&mut below(path)),
            }
        }
        if is_all {
            ALL.iter().for_each(|path| lines.append(&mut below(path)));
        }
        Ok(Self { lines, every, by })
    }

    /// The mutants of these lines.
    pub fn mutants(&self) -> Vec<Mutant> {
        let mut found = Vec::new();
        for (path, lines) in &self.lines {
            let wanted =
                |mutant: &Mutant| lines.as_ref().is_none_or(|it| it.contains(&mutant.line));
            found.extend(mutants_of(path).into_iter().filter(wanted));
        }
        found.into_iter().step_by(self.every).collect()
    }
}

/// The files of the library below a path, without those that are tests.
fn below(path: &str) -> Lines {
    let listed = git(&["ls-files", "--", path]);
    let files = listed.lines().filter(|path| is_mutated(path));
    files.map(|path| (path.to_owned(), None)).collect()
}

fn is_mutated(path: &str) -> bool {
    let is_test = path.ends_with("tests.rs") || path.ends_with("snapshots.rs");
    let is_library = path.starts_with("ecs/src/") || path.starts_with("ecs-derive/src/");
    is_library && path.ends_with(".rs") && !is_test && Path::new(path).exists()
}

/// The lines that commits have changed.
fn changed_in(range: &str) -> Lines {
    let mut lines = Lines::new();
    let mut file = None;
    for line in git(&["diff", "--unified=0", "--no-color", range]).lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = Some(path.to_owned()).filter(|path| is_mutated(path));
        } else if let (Some(path), Some(numbers)) = (&file, line.strip_prefix("@@ ")) {
            let of_file = lines
                .entry(path.clone())
                .or_insert_with(|| Some(BTreeSet::new()));
            if let Some(of_file) = of_file {
                of_file.extend(hunk(numbers));
            }
        }
    }
    lines
}

/// The new lines of a hunk: `-3,2 +4,5 @@` is 4 to 8.
fn hunk(numbers: &str) -> std::ops::Range<usize> {
    let new = numbers
        .split('+')
        .nth(1)
        .and_then(|new| new.split(' ').next());
    let mut parts = new
        .unwrap_or_default()
        .split(',')
        .map(|part| part.parse().unwrap_or(0));
    let start = parts.next().unwrap_or(0);
    start..start + parts.next().unwrap_or(1)
}

fn git(arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?} fails");
    String::from_utf8(output.stdout).expect("paths are UTF-8")
}
