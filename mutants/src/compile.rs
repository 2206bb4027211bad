//! Compiles all mutants at once. Mutants that do not compile are skipped, since no one could make such
//! a mistake.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;

use serde_json::Value;

use crate::copy::Copy;
use crate::find::Mutant;

/// The maximum number of attempts, each without the mutants that the compiler rejected before.
const ROUNDS: usize = 40;

/// The places of mutants in the files of the copy.
type Places = HashMap<String, Vec<Place>>;

/// The number of a mutant, and its place.
type Place = (u32, Range<usize>);

/// A test binary.
pub struct Binary {
    pub path: PathBuf,
    /// The folder in which cargo would run it.
    pub folder: PathBuf,
}

/// Writes the mutants that compile into the copy. The number of a mutant is its index in the list.
pub fn skip_broken(copy: &Copy, mut mutants: Vec<Mutant>) -> Vec<Mutant> {
    let all = mutants.len();
    let files: BTreeSet<_> = mutants.iter().map(|it| it.file.clone()).collect();
    for _ in 0..ROUNDS {
        let broken = broken(copy, &write(copy, &files, &mutants));
        if broken.is_empty() {
            println!("{} of {all} mutants compile", mutants.len());
            return mutants;
        }
        for number in (0..mutants.len())
            .rev()
            .filter(|&it| broken.contains(&(it as u32)))
        {
            mutants.remove(number);
        }
    }
    panic!("after {ROUNDS} rounds there are still mutants that do not compile");
}

/// Writes all files, including those with no mutant left.
fn write(copy: &Copy, files: &BTreeSet<String>, mutants: &[Mutant]) -> Places {
    let of_file = |file: &String| {
        let numbered = (0..).zip(mutants);
        let of_file: Vec<_> = numbered.filter(|(_, it)| it.file == *file).collect();
        (file.clone(), copy.write(file, &of_file).places)
    };
    files.iter().map(of_file).collect()
}

/// Returns the mutants that the compiler rejects.
fn broken(copy: &Copy, places: &Places) -> HashSet<u32> {
    let mut check = copy.cargo();
    check.args([
        "check",
        "-p",
        "ecs",
        "-p",
        "ecs-derive",
        "--features",
        "ecs/rayon,ecs/serde",
    ]);
    check.arg("--message-format=json");
    let output = check.output().expect("cargo runs");
    let mut broken = HashSet::new();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for message in messages(&text).filter(|it| it["reason"] == "compiler-message") {
        let message = &message["message"];
        if message["level"] == "error" && message["spans"][0].is_object() {
            match culprit(message, places) {
                Some(number) => broken.insert(number),
                None => panic!("no mutant is at fault: {}", message["rendered"]),
            };
        }
    }
    assert!(
        output.status.success() || !broken.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    broken
}

fn messages(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
}

/// Returns the innermost mutant around one of the places in an error, the main one first.
fn culprit(message: &Value, places: &Places) -> Option<u32> {
    let notes = message["children"].as_array()?.iter();
    let all = std::iter::once(message).chain(notes);
    let mut spans: Vec<_> = all
        .filter_map(|it| it["spans"].as_array())
        .flatten()
        .collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let around = spans.iter().find_map(|span| around(span, places));
    let inside = || spans.iter().find_map(|span| inside(span, places));
    let before = || spans.iter().find_map(|span| before(span, places));
    around.or_else(inside).or_else(before)
}

/// Returns the place of an error, and the mutants of the file.
fn place<'p>(span: &Value, places: &'p Places) -> Option<(Range<usize>, &'p [Place])> {
    let at = |name: &str| span[name].as_u64().map(|at| at as usize);
    let of_file = places.get(span["file_name"].as_str()?)?;
    Some((at("byte_start")?..at("byte_end")?, of_file))
}

fn around(span: &Value, places: &Places) -> Option<u32> {
    let (error, of_file) = place(span, places)?;
    let of_file = of_file.iter();
    let around = of_file.filter(|(_, it)| it.start <= error.start && error.end <= it.end);
    around
        .min_by_key(|(_, it)| it.len())
        .map(|(number, _)| *number)
}

/// Returns the last mutant inside the place of an error, for example of a block that must diverge.
fn inside(span: &Value, places: &Places) -> Option<u32> {
    let (error, of_file) = place(span, places)?;
    let inside = of_file
        .iter()
        .filter(|(_, it)| error.start <= it.start && it.end <= error.end);
    inside
        .max_by_key(|(_, it)| it.start)
        .map(|(number, _)| *number)
}

/// Returns the next mutant before an error: it may delete what is missing there.
fn before(span: &Value, places: &Places) -> Option<u32> {
    let (error, of_file) = place(span, places)?;
    let before = of_file.iter().filter(|(_, it)| it.end <= error.start);
    before
        .max_by_key(|(_, it)| it.end)
        .map(|(number, _)| *number)
}

/// Compiles the tests, and returns the binaries.
pub fn test_binaries(copy: &Copy) -> Vec<Binary> {
    let mut test = copy.cargo();
    test.args([
        "test",
        "--no-run",
        "-p",
        "ecs",
        "-p",
        "ecs-derive",
        "-p",
        "ecs-tests",
        "--lib",
    ]);
    for target in [
        "behaviours",
        "changes",
        "components",
        "failures",
        "memory",
        "records",
        "systems",
    ] {
        test.args(["--test", target]);
    }
    test.args(["--config", "profile.dev.package.model.opt-level=2"]);
    let output = test
        .arg("--message-format=json")
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    messages(&text)
        .filter_map(|message| binary(&message))
        .collect()
}

fn binary(message: &Value) -> Option<Binary> {
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    message["profile"]["test"]
        .as_bool()
        .filter(|&is_test| is_test)?;
    Some(Binary {
        path: PathBuf::from(message["executable"].as_str()?),
        folder: manifest.parent()?.to_owned(),
    })
}
