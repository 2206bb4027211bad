//! Whether every failure class has a test, or a reason for having none: a line of
//! `classes.txt` has the class, the file that covers it (or `-`), and what it is about.

use std::fs;
use std::path::Path;

const CLASSES: &str = include_str!("classes.txt");
const TESTS: &str = env!("CARGO_MANIFEST_DIR");
const LIST: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/spec/failure-classes.md"
);

/// The classes, the file of each, and what it is about.
fn classes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CLASSES.lines().map(|line| {
        let mut parts = line.splitn(3, "  ");
        let mut part = || parts.next().filter(|part| !part.is_empty());
        match (part(), part(), part()) {
            (Some(class), Some(file), Some(about)) => (class, file, about),
            _ => panic!("a class, a file and what it is about: {line}"),
        }
    })
}

#[test]
fn every_class_is_listed_once_in_order() {
    let numbers = (1..).map(|number| format!("F{number:02}"));
    let listed = classes().map(|(class, ..)| class.to_owned());
    let last = listed.zip(numbers).map(|(listed, number)| {
        assert_eq!(listed, number);
        listed
    });
    let last = last.last().unwrap();
    let Ok(list) = fs::read_to_string(LIST) else {
        return; // the list is not part of the repository
    };
    let mut rows = list.lines().filter(|line| line.starts_with("| F"));
    assert_eq!(rows.next_back().map(|row| &row[2..5]), Some(&*last));
}

#[test]
fn the_file_of_a_class_names_it() {
    for (class, file, about) in classes().filter(|(_, file, _)| *file != "-") {
        let text = fs::read_to_string(Path::new(TESTS).join(file));
        let text = text.unwrap_or_else(|error| panic!("{class}, {about}: {file}: {error}"));
        let comments = text.lines().filter(|line| line.contains("//"));
        assert!(
            comments.clone().any(|line| line.contains(class)),
            "`{file}` does not name {class}, {about}"
        );
    }
}
