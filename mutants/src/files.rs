//! The files and lines to mutate.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Lines of a file; all of them if `None`.
pub type Lines = Option<BTreeSet<usize>>;

/// Files in the order of the command line.
#[derive(Default)]
pub struct Files(Vec<(String, Lines)>);

impl Files {
    pub fn iter(&self) -> impl Iterator<Item = &(String, Lines)> {
        self.0.iter()
    }

    /// Adds the files of the library below a path, except tests.
    pub fn add_below(&mut self, path: &str) {
        for path in git(&["ls-files", "--", path]).lines() {
            self.add(path, None);
        }
    }

    /// Adds the lines changed since a commit, given as a range such as `HEAD~3..`.
    pub fn add_changed(&mut self, range: &str) -> Result<(), String> {
        let Some((since, "" | "HEAD")) = range.split_once("..") else {
            return Err(format!("{range} does not end with the present"));
        };
        let mut file = "";
        for line in git(&["diff", "--unified=0", "--no-color", since]).lines() {
            if let Some(path) = line.strip_prefix("+++ ") {
                file = path.strip_prefix("b/").unwrap_or_default();
            } else if let Some(numbers) = line.strip_prefix("@@ ") {
                self.add(file, Some(hunk(numbers).collect()));
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &str, lines: Lines) {
        if !is_mutated(path) {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| known == path) {
            Some((_, known)) => match (known.as_mut(), lines) {
                (Some(known), Some(lines)) => known.extend(lines),
                _ => *known = None,
            },
            None => self.0.push((path.to_owned(), lines)),
        }
    }
}

fn is_mutated(path: &str) -> bool {
    let is_test = [
        "tests.rs",
        "/check.rs",
        "/invariants.rs",
        "snapshots.rs",
        "mistakes.rs",
    ]
    .iter()
    .any(|end| path.ends_with(end));
    let is_library = path.starts_with("ecs/src/") || path.starts_with("ecs-derive/src/");
    is_library && path.ends_with(".rs") && !is_test && Path::new(path).exists()
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
