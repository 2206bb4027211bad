//! Checks that every failure class has tests, or a reason for having none: each row of the table in
//! `README.md` names the class, the promise, and its tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The promises and their tests.
const TABLE: &str = include_str!("README.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The list of classes: what to test of each, and where it was seen.
const LIST: &str = include_str!("failure-classes.md");

/// The number of classes.
const CLASSES: usize = 45;

/// The cells of each row of the list: class, title, and what to test.
fn listed() -> impl Iterator<Item = [&'static str; 3]> {
    let rows = LIST.lines().filter(|line| line.starts_with("| F"));
    rows.map(|row| {
        let cells = row.trim_matches('|').splitn(3, " | ").map(str::trim);
        cells.collect::<Vec<_>>().try_into().expect("three cells")
    })
}

/// Whether two titles have a word in common, ignoring its ending.
fn are_of_one_subject(a: &str, b: &str) -> bool {
    let stems = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let stems = words.filter_map(|word| word.get(..4).map(str::to_lowercase));
        stems.collect::<BTreeSet<_>>()
    };
    !stems(a).is_disjoint(&stems(b))
}

/// The cells of each row: class, title, promise, tests.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| F"));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        cells.try_into().expect("four cells")
    })
}

/// The tests that a cell names, each with its file; a ui case is a test as a whole.
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

/// The doc comments and attributes directly above a function, the lowest first.
fn above<'s>(source: &'s str, name: &str) -> Option<Vec<&'s str>> {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let (plain, generic) = (format!("fn {name}("), format!("fn {name}<"));
    let is_it = |line: &&str| line.starts_with(&plain) || line.starts_with(&generic);
    let place = lines.iter().position(is_it)?;
    let above = lines[..place].iter().rev().copied();
    let belongs = |line: &&str| line.starts_with("///") || line.starts_with("#[");
    Some(above.take_while(belongs).collect())
}

/// Whether a source has a test with this name.
fn has_test(source: &str, name: &str) -> bool {
    above(source, name).is_some_and(|above| above.contains(&"#[test]"))
}

/// Whether the comment of a test, or of its whole file, names the class.
fn names_class(source: &str, name: &str, class: &str) -> bool {
    let of_file = source.lines().filter(|line| line.starts_with("//!"));
    let above = above(source, name).unwrap_or_default();
    of_file.chain(above).any(|line| line.contains(class))
}

#[test]
fn every_class_is_listed_once_in_order() {
    let numbers = (1..=CLASSES).map(|number| format!("F{number:02}"));
    assert!(rows().map(|[class, ..]| class).eq(numbers));
}

#[test]
fn the_classes_are_those_of_the_list() {
    assert_eq!(listed().count(), CLASSES);
    for ([class, title, ..], [number, subject, test]) in rows().zip(listed()) {
        assert_eq!(class, number);
        assert!(
            are_of_one_subject(title, subject),
            "{class}: {title}, {subject}"
        );
        assert!(!test.is_empty(), "{class}");
    }
}

/// A test, another function, and one whose attributes belong to another item.
const SOURCE: &str = "/// F01: so.\n#[test]\nfn a() {}\n\nfn b() {}\n#[test]\n\nfn c() {}\n";

#[test]
fn a_test_has_its_attribute_and_its_class_directly_above() {
    let [a, b, c] = ["a", "b", "c"].map(|name| has_test(SOURCE, name));
    assert!(a && !b && !c && !has_test(SOURCE, "d"));
    assert!(names_class(SOURCE, "a", "F01") && !names_class(SOURCE, "a", "F02"));
    assert!(!names_class(SOURCE, "b", "F01"));
    assert!(names_class("//! All F03.\n#[test]\nfn a() {}", "a", "F03"));
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
            let is_named = name.is_none_or(|name| names_class(&source, name, class));
            assert!(is_named, "{class}: {name:?} of `{file}` does not name it");
        }
    }
}
