//! Checks that every line of the list of behaviors has a test, or a reason for having none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const SPEC: &str = include_str!("behaviours.md");
const TESTS: &str = env!("CARGO_MANIFEST_DIR");
const WITHOUT: &str = include_str!("without.txt");

/// The lines that do not fully apply here, with the reason.
const DIFFERS: &str = include_str!("differs.txt");

/// The calls by which a test can fail. The last three are asserting helpers of these tests.
const CHECKS: [&str; 9] = [
    "assert",
    "panic_of",
    "expect",
    "unwrap_err",
    "should_panic",
    "compile_fail",
    ".notified(",
    "said(",
    ".were(",
];

/// The ui programs that test some lines, and the compiler message they must cause.
const PROGRAMS: [(&str, &str, &str); 2] = [
    (
        "GEN-005",
        "component_without_context",
        "cannot find type `Game` in the crate root",
    ),
    (
        "GEN-033",
        "component_attributes_repeated",
        "this context is named twice",
    ),
];

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

/// All ids of the list, and those that need a test or a reason.
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

/// The ids in the doc comments of the tests in a source that can fail.
fn tested(source: &str) -> Ids {
    let (mut tested, mut pending) = (Ids::new(), Vec::new());
    let lines: Vec<_> = source.lines().collect();
    for (place, line) in lines.iter().enumerate() {
        if let Some(comment) = line.trim().strip_prefix("///") {
            pending.extend(ids_in(comment));
        } else if line.trim() == "#[test]" && checks(&lines[place..]) {
            tested.extend(pending.drain(..));
        } else {
            pending.clear();
        }
    }
    tested
}

/// Whether the function that starts these lines can fail.
fn checks(lines: &[&str]) -> bool {
    let attribute = lines[0];
    let indent = &attribute[..attribute.len() - attribute.trim_start().len()];
    let end = format!("{indent}}}");
    let mut body = lines.iter().take_while(|line| **line != end);
    body.any(|line| CHECKS.iter().any(|check| line.contains(check)))
}

/// The ids in the doc comments of all tests in a folder, recursively.
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

/// The ids of a table of reasons; every line must give one.
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
fn differing_behaviors_have_tests() {
    let (tested, differs) = (tested_in(Path::new(TESTS)), excused(DIFFERS));
    let untested: Vec<_> = differs.difference(&tested).collect();
    assert!(
        untested.is_empty(),
        "differs, but has no test: {untested:?}"
    );
}

#[test]
fn the_programs_of_lines_exist() {
    for (id, name, message) in PROGRAMS {
        let program = Path::new(TESTS).join("ui/fail").join(name);
        let said = fs::read_to_string(program.with_extension("stderr")).unwrap_or_default();
        assert!(program.with_extension("rs").exists(), "{id}: {name}");
        assert!(
            said.contains(message),
            "{id}: {name} does not get the message: {message}"
        );
    }
}

#[test]
fn ids_count_where_they_stand_in_the_doc_comment_of_a_test_that_checks_something() {
    let id = |number: u32| format!("ENT-{number:03}");
    let source = format!(
        "/// {}, {}.\n#[test]\nfn a() {{\n    assert!(true);\n}}\n/// {}\nfn b() {{}}\n// {}\n#[test]\n\
         fn c() {{\n    assert!(true);\n}}\n/// {}\n#[test]\nfn d() {{\n}}\n",
        id(1),
        id(2),
        id(3),
        id(4),
        id(5)
    );
    assert_eq!(tested(&source), Ids::from([id(1), id(2)]));
}
