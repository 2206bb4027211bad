//! Whether every line of the list of behaviours has a test, or a reason for having none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const SPEC: &str = include_str!("behaviours.md");
const TESTS: &str = env!("CARGO_MANIFEST_DIR");
const WITHOUT: &str = include_str!("without.txt");

type Ids = BTreeSet<String>;

/// The ids in a text: three capitals, a dash, three digits.
fn ids_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| is_id(word)).map(String::from)
}

fn is_id(word: &str) -> bool {
    word.split_once('-').is_some_and(|(section, number)| {
        section.len() == 3
            && number.len() == 3
            && section.bytes().all(|byte| byte.is_ascii_uppercase())
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Every id of the list, and those that need a test or a reason.
fn listed(spec: &str) -> (Ids, Ids) {
    let (mut all, mut wanted) = (Ids::new(), Ids::new());
    for line in spec.lines() {
        let Some((id, text)) = line.strip_prefix("- **").and_then(|l| l.split_once("** ")) else {
            continue;
        };
        let holds = text.contains("- `as-is`") || text.contains("- `adapted`");
        if holds {
            wanted.insert(id.to_string());
        }
        all.insert(id.to_string());
    }
    (all, wanted)
}

/// The ids in the doc comments of the tests of one source.
fn tested(source: &str) -> Ids {
    let (mut tested, mut pending) = (Ids::new(), Vec::new());
    for line in source.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            pending.extend(ids_in(comment));
        } else if line == "#[test]" {
            tested.extend(pending.drain(..));
        } else {
            pending.clear();
        }
    }
    tested
}

/// The ids in the doc comments of all tests in a folder and the folders in it.
fn tested_in(folder: &Path) -> Ids {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => tested_in(&path),
            Some(extension) if extension == "rs" => tested(&fs::read_to_string(path).unwrap()),
            _ => Ids::new(),
        })
        .collect()
}

/// The ids that have a reason for having no test; every line must give one.
fn excused(table: &str) -> Ids {
    let line = |line: &str| {
        let (id, reason) = line.split_once("  ").unwrap_or((line, ""));
        assert!(
            is_id(id) && !reason.is_empty(),
            "an id and a reason: {line}"
        );
        id.to_string()
    };
    let ids: Ids = table.lines().map(line).collect();
    assert_eq!(ids.len(), table.lines().count(), "a line is there twice");
    ids
}

#[test]
fn every_line_is_covered() {
    let (all, wanted) = listed(SPEC);
    let (tested, excused) = (tested_in(Path::new(TESTS)), excused(WITHOUT));
    let covered: Ids = tested.union(&excused).cloned().collect();

    let neither: Vec<_> = wanted.difference(&covered).collect();
    let both: Vec<_> = tested.intersection(&excused).collect();
    let unknown: Vec<_> = tested.difference(&all).collect();
    let needless: Vec<_> = excused.difference(&wanted).collect();
    assert!(
        [&neither, &both, &unknown, &needless]
            .iter()
            .all(|ids| ids.is_empty()),
        "neither tested nor excused: {neither:?}\nboth: {both:?}\n\
         tested but not in the list: {unknown:?}\nexcused without need: {needless:?}"
    );
    assert!(
        all.len() == 490 && wanted.len() > 440,
        "the list reads wrong: {} lines, of which {} count",
        all.len(),
        wanted.len()
    );
}

#[test]
fn ids_count_where_they_stand_in_the_doc_comment_of_a_test() {
    let id = |number: u32| format!("ENT-{number:03}");
    let source = format!(
        "/// {}, {}.\n#[test]\nfn a() {{}}\n/// {}\nfn b() {{}}\n// {}\n#[test]\n",
        id(1),
        id(2),
        id(3),
        id(4)
    );
    assert_eq!(tested(&source), Ids::from([id(1), id(2)]));
}
