//! Only `commit` takes the four steps of a change: mark, record, flush, notify. `ALLOWED` lists the
//! files beside `state/commit` that take one of them, with the reasons.

use std::collections::BTreeSet;
use std::path::Path;

use super::layers::{ROOT, files};

/// What takes a step, in code without white space.
const STEPS: [&str; 13] = [
    // mark
    ".collect(&", // of `Collectors`; iterators have no argument
    ".collect_ids(",
    ".collect_rows(",
    ".forget_slot(",
    ".record_destroy(",
    "prepare_indexes(",
    "commit::mark::",
    // record
    "recording.push",
    "recording.fill(",
    "commit::record::",
    // notify
    "steps.push_back(",
    ".push_groups",
    "notify_now(",
];

/// The folder, and the functions that a step consists of.
const COMMIT: [&str; 3] = ["state/commit.rs", "state/commit/", "reactions/"];

const ALLOWED: [(&str, &str); 9] = [
    (
        "state/destroy.rs",
        "marks entities while they have their slots",
    ),
    (
        "state/dispatch.rs",
        "defines `notify_now`; queues new groups, which change no entity",
    ),
    (
        "state/entity_indexes.rs",
        "defines how an index is marked, `prepare_indexes`",
    ),
    (
        "state/events.rs",
        "adds a listener to an entity that is destroyed already",
    ),
    (
        "state/pending.rs",
        "marks entities before it links sources to them, and records them in the order of their slots",
    ),
    (
        "state/query_update/mark.rs",
        "marks the rows of a query, 64 at a time, without looking at entities",
    ),
    (
        "state/recording.rs",
        "records swaps of rows, which change no entity",
    ),
    ("state/send.rs", "queues messages, which change no entity"),
    (
        "state/terms.rs",
        "marks entities whose flags follow from a change, for its commit",
    ),
];

/// The code of a file without comments and white space.
fn code(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let code = lines.filter(|line| !line.starts_with("//"));
    code.flat_map(str::chars)
        .filter(|it| !it.is_whitespace())
        .collect()
}

fn takes_a_step(text: &str) -> bool {
    let code = code(text);
    STEPS.iter().any(|step| code.contains(step))
}

#[test]
fn only_commit_marks_records_and_notifies() {
    let folder = Path::new(ROOT).join("ecs/src");
    let taking = files(&folder).into_iter().filter_map(|(path, text)| {
        let path = path.strip_prefix(&folder).unwrap().display().to_string();
        let path = path.replace('\\', "/");
        let is_part = COMMIT.iter().any(|part| path.starts_with(part));
        (!is_part && takes_a_step(&text)).then_some(path)
    });
    let taking: BTreeSet<String> = taking.collect();
    let allowed = ALLOWED.iter().map(|(file, _)| (*file).to_owned());
    let allowed: BTreeSet<String> = allowed.collect();
    let others: Vec<_> = taking.difference(&allowed).collect();
    assert!(
        others.is_empty(),
        "these take a step of a change; let them call `commit`, which takes all: {others:?}"
    );
    let gone: Vec<_> = allowed.difference(&taking).collect();
    assert!(gone.is_empty(), "allowed, but take no step: {gone:?}");
}

#[test]
fn steps_are_found_however_they_are_written() {
    assert!(takes_a_step(
        "subs.collectors\n    .collect_rows(&world.slots, rows, 1);"
    ));
    assert!(takes_a_step("use super::commit::mark::{mark, collect};"));
    assert!(!takes_a_step(
        "    // subs.collectors.collect(&slots, id, 1)\n ids.collect();"
    ));
}
