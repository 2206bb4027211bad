//! Trace scripts and their logs, including recorded ones, and rejected scripts.

use std::fs;
use std::path::{Path, PathBuf};

use super::log::Difference;
use super::{player, script};

/// The folder of the recorded traces.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces");

/// How many recorded traces there are.
const RECORDED: usize = 17;

/// F26: the order of all events is that of Entitas, in every run.
#[test]
fn every_recorded_trace_is_met_line_for_line() {
    let scripts = recorded_scripts();
    assert_eq!(scripts.len(), RECORDED, "scripts in {TRACES}");
    let differences: Vec<String> = scripts.iter().filter_map(|path| difference(path)).collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

fn recorded_scripts() -> Vec<PathBuf> {
    let entries = fs::read_dir(TRACES).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "script")
    });
    paths.sort();
    paths
}

/// Describes where the log of a recorded script differs from the recorded file.
fn difference(path: &Path) -> Option<String> {
    let log = path.with_extension("log");
    let expected = fs::read_to_string(&log).unwrap();
    let got = played(&fs::read_to_string(path).unwrap());
    let difference = Difference::first(&expected, &got)?;
    Some(format!(
        "{}:{}\n{difference}",
        log.display(),
        difference.line
    ))
}

fn played(script: &str) -> String {
    match script::parse(script) {
        Ok(lines) => player::play(&lines),
        Err(mistake) => panic!("line {}: {mistake}", mistake.line),
    }
}

/// Plays the lines of a log that begin with `> ` and compares the result with the whole log.
#[track_caller]
fn assert_log(expected: &str) {
    let expected: String = expected
        .trim()
        .lines()
        .map(|line| line.trim().to_owned() + "\n")
        .collect();
    let echoes = expected.lines().filter_map(|line| line.strip_prefix("> "));
    let script: Vec<&str> = echoes.collect();
    assert_eq!(played(&script.join("\n")), expected);
}

#[test]
fn groups_tell_who_enters_is_updated_and_leaves() {
    assert_log(
        "> group g0 all A none B
         > create
         created e0
         > add e0 A 5
         g0 entered e0 A 5
         > replace e0 A 6
         g0 updated e0 A 5 6
         > touch e0 A
         g0 updated e0 A 6 6
         > add e0 B 1
         g0 left e0 B 1
         > replace e0 A 7
         > remove e0 B
         g0 entered e0 B 1
         > remove e0 A
         g0 left e0 A 7",
    );
}

#[test]
fn flags_are_written_without_a_value() {
    assert_log(
        "> group g0 any G H
         > create
         created e0
         > replace e0 G -
         g0 entered e0 G -
         > replace e0 G -
         g0 updated e0 G - -
         > touch e0 G
         g0 updated e0 G - -
         > add e0 B -3
         > show e0
         = B=-3 G
         > remove_all e0
         g0 left e0 G -
         > show e0
         =",
    );
}

#[test]
fn groups_report_in_order_of_creation() {
    assert_log(
        "> group g0 all B
         > group g1 all A
         > group g2 any A B
         > create
         created e0
         > add e0 A 1
         g1 entered e0 A 1
         g2 entered e0 A 1
         > add e0 B 2
         g0 entered e0 B 2
         > replace e0 B 3
         g0 updated e0 B 2 3
         g2 updated e0 B 2 3",
    );
}

#[test]
fn a_destroyed_entity_leaves_each_group_once_and_stays_dead() {
    assert_log(
        "> group g0 all B
         > group g1 all A
         > group g2 any A B
         > create
         created e0
         > add e0 A 1
         g1 entered e0 A 1
         g2 entered e0 A 1
         > add e0 B 2
         g0 entered e0 B 2
         > destroy e0
         will_be_destroyed e0
         g1 left e0 A 1
         g0 left e0 B 2
         g2 left e0 B 2
         destroyed e0
         > create
         created e1
         > destroy e0
         error not_alive
         > count
         = 1",
    );
}

#[test]
fn rejected_operations_are_logged_and_change_nothing() {
    assert_log(
        "> group g0 all A
         > create
         created e0
         > remove e0 A
         error does_not_have
         > touch e0 A
         error does_not_have
         > add e0 A 1
         g0 entered e0 A 1
         > add e0 A 2
         error already_has
         > show e0
         = A=1
         > destroy e0
         will_be_destroyed e0
         g0 left e0 A 1
         destroyed e0
         > add e0 A 1
         error not_alive
         > replace e0 A 1
         error not_alive
         > touch e0 A
         error not_alive
         > remove_all e0
         error not_alive
         > show e0
         error not_alive",
    );
}

#[test]
fn collectors_hold_each_entity_once_and_mark_the_dead() {
    assert_log(
        "> group g0 all A
         > group g1 all B
         > collector c0 g0:added g1:removed
         > create
         created e0
         > create
         created e1
         > add e1 A 1
         g0 entered e1 A 1
         > add e0 B 1
         g1 entered e0 B 1
         > replace e0 B 2
         g1 updated e0 B 1 2
         > replace e1 A 2
         g0 updated e1 A 1 2
         > destroy e1
         will_be_destroyed e1
         g0 left e1 A 2
         destroyed e1
         > drain c0
         = e1! e0
         > drain c0
         =",
    );
}

#[test]
fn a_deactivated_collector_is_empty_and_hears_nothing() {
    assert_log(
        "> group g0 all A
         > collector c0 g0:added_or_removed
         > create
         created e0
         > add e0 A 1
         g0 entered e0 A 1
         > deactivate c0
         > replace e0 A 2
         g0 updated e0 A 1 2
         > activate c0
         > drain c0
         =
         > remove e0 A
         g0 left e0 A 2
         > drain c0
         = e0",
    );
}

#[test]
fn answers_are_sorted_by_number_and_follow_the_values() {
    assert_log(
        "> group g0 all A
         > index i0 A
         > create
         created e0
         > create
         created e1
         > destroy e0
         will_be_destroyed e0
         destroyed e0
         > create
         created e2
         > add e2 A 5
         g0 entered e2 A 5
         > add e1 A 5
         g0 entered e1 A 5
         > list g0
         = e1 e2
         > lookup i0 5
         = e1 e2
         > replace e1 A 6
         g0 updated e1 A 5 6
         > lookup i0 5
         = e2
         > lookup i0 7
         =",
    );
}

#[test]
fn an_index_makes_the_group_of_its_component() {
    // `g1` is the group that the index created, so it is notified before `g0`.
    assert_log(
        "> index i0 A
         > group g0 any A B
         > group g1 all A
         > create
         created e0
         > add e0 A 1
         g1 entered e0 A 1
         g0 entered e0 A 1",
    );
}

#[test]
fn comments_and_empty_lines_say_nothing() {
    assert_eq!(played("# a comment\n\ncount\r\n"), "> count\n= 0\n");
}

#[test]
fn the_first_difference_has_a_line_and_both_sides() {
    let difference = |expected, got| Difference::first(expected, got);
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    let (line, expected) = (2, Some("b"));
    let other = Difference {
        line,
        expected,
        got: Some("c"),
    };
    assert_eq!(difference("a\nb\n", "a\nc\nb\n"), Some(other));
    let short = Difference {
        line,
        expected,
        got: None,
    };
    assert_eq!(difference("a\nb\n", "a\n"), Some(short));
    let long = Difference {
        line,
        expected: None,
        got: Some("b"),
    };
    assert_eq!(difference("a\n", "a\nb\n"), Some(long));
}

/// Asserts that the last line of `script` is rejected with a message that contains `words`.
#[track_caller]
fn assert_mistake(script: &str, words: &str) {
    let mistake = script::parse(script).expect_err("the script should be rejected");
    assert_eq!(mistake.line, script.lines().count());
    let message = mistake.to_string();
    assert!(message.contains(words), "{message}");
    assert!(
        message.ends_with(script.lines().last().unwrap()),
        "{message}"
    );
}

#[test]
fn an_operation_that_is_not_there_is_rejected() {
    assert_mistake(
        "create\nad e0 A 5",
        "operations are group, collector, index, create, add",
    );
    assert_mistake(
        "create\nadd e0 A",
        "wrong number of words for `add`; write `add e0 A 5`",
    );
    assert_mistake("count 5", "write `count`");
    assert_mistake("group", "write `group g1 all A B any C D none E`");
    assert_mistake("collector c0", "write `collector c1 g0:added g1:removed`");
    assert_mistake("create ", "single spaces");
    assert_mistake("create\nshow  e0", "single spaces");
}

#[test]
fn a_name_that_is_not_there_is_rejected() {
    assert_mistake("show e0", "there is no entity e0 yet; `create` makes e0");
    assert_mistake(
        "create\nshow e1",
        "there is no entity e1 yet; the last one created is e0",
    );
    assert_mistake("create\nshow e00", "`e00` is no entity");
    assert_mistake("create\nshow g0", "entities are e0, e1");
    assert_mistake("list g0", "no group is called `g0`: there is none yet");
    assert_mistake("group g0\ngroup g1\nlist g2", "known are g0, g1");
    assert_mistake("drain c0", "make one first: `collector c0 g0:added`");
    assert_mistake("lookup i0 5", "no index is called `i0`");
    assert_mistake("group g0\ncollector c0 g1:added", "no group is called `g1`");
    assert_mistake("group g0\ngroup g0", "there is a group `g0` already");
}

#[test]
fn a_wrong_kind_or_value_is_rejected() {
    assert_mistake(
        "create\nadd e0 Z 5",
        "`Z` is no kind of component; kinds are the letters A to H",
    );
    assert_mistake("create\nadd e0 A x", "`x` is no integer");
    assert_mistake(
        "create\nadd e0 A 9223372036854775808",
        "to 9223372036854775807",
    );
    assert_mistake("create\nadd e0 A -", "A holds an integer");
    assert_mistake("create\nreplace e0 G 5", "write `G -` instead of `G 5`");
    assert_mistake("index i0 G", "index one of A to F");
    assert_mistake("index i0 A\nlookup i0 -", "`-` is no integer");
}

#[test]
fn a_group_or_collector_out_of_form_is_rejected() {
    assert_mistake(
        "group g0 all B A",
        "A follows B; write each once, in alphabetical order",
    );
    assert_mistake("group g0 any A A", "A follows A");
    assert_mistake("group g0 none A all B", "`all` cannot stand here");
    assert_mistake("group g0 A", "`A` cannot stand here");
    assert_mistake("group g0 all any A", "`all` is followed by no letter");
    assert_mistake(
        "group g0\ncollector c0 g0",
        "write group and event, as in `g0:added`",
    );
    assert_mistake(
        "group g0\ncollector c0 g0:left",
        "hears added, removed or added_or_removed",
    );
}
