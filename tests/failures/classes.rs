//! Whether every failure class has tests, or a reason for having none: each row of the table in
//! `TESTING.md` names the class, the promise, and the tests that hold it.

use std::fs;
use std::path::Path;

const TESTING: &str = include_str!("../../TESTING.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// How many classes there are.
const CLASSES: usize = 45;

/// The cells of each row: class, what it is about, promise, tests.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = TESTING.lines().filter(|line| line.starts_with("| F"));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        cells.try_into().expect("four cells")
    })
}

/// The tests that a cell names, each with its file; a program that must not compile, or must, is a
/// test as a whole.
fn named(cell: &'static str) -> Vec<(&'static str, Option<&'static str>)> {
    let mut named: Vec<(&str, Option<&str>)> = Vec::new();
    for name in cell.split('`').skip(1).step_by(2) {
        match named.last_mut() {
            _ if name.ends_with(".rs") => named.push((name, None)),
            Some((_, first @ None)) => *first = Some(name),
            Some(&mut (file, Some(_))) => named.push((file, Some(name))),
            None => panic!("`{name}` has no file before it"),
        }
    }
    named
}

/// Whether a source has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let function = format!("fn {name}(");
    let place = lines.iter().position(|line| line.starts_with(&function));
    let attributes = |place: usize| lines[..place].iter().rev().take(4);
    place.is_some_and(|place| attributes(place).any(|line| *line == "#[test]"))
}

#[test]
fn every_class_is_listed_once_in_order() {
    let numbers = (1..=CLASSES).map(|number| format!("F{number:02}"));
    assert!(rows().map(|[class, ..]| class).eq(numbers));
}

#[test]
fn the_tests_of_a_class_exist() {
    for [class, _, promise, tests] in rows() {
        let named = named(tests);
        let excused = promise.starts_with("Does not apply: ");
        assert_ne!(excused, !named.is_empty(), "{class}: tests, or why none");
        for (file, name) in named {
            let source = fs::read_to_string(Path::new(ROOT).join(file));
            let source = source.unwrap_or_else(|error| panic!("{class}: {file}: {error}"));
            let is_program = file.starts_with("tests/ui/");
            let is_there = name.map_or(is_program, |name| has_test(&source, name));
            assert!(is_there, "{class}: `{file}` has no test {name:?}");
        }
    }
}
