//! Runs the fuzz targets in an ordinary build, on the inputs kept by fuzzing. Inputs that once
//! failed have descriptive names.

use std::fs;
use std::path::Path;

/// The code of the fuzz targets.
#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "a library of its own, for the fuzz targets")]
mod targets;

/// Runs a target on all its inputs; there must be at least `least`, including the named ones.
fn replay(target: &str, (least, named): (usize, &[&str]), run: fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/seeds")
        .join(target);
    for name in named {
        assert!(seeds.join(name).is_file(), "{target}/{name}");
    }
    let inputs = fs::read_dir(&seeds)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut count = 0;
    for input in inputs {
        println!("{}", input.display()); // shown if it fails
        run(&fs::read(input).unwrap());
        count += 1;
    }
    assert!(count >= least, "{target} has {count} inputs");
}

/// F43: arbitrary texts.
#[test]
fn texts_are_loaded_and_merged_or_rejected() {
    replay("load_text", (100, &["empty", "small"]), targets::load_text);
}

/// F43: arbitrary bytes.
#[test]
fn bytes_are_loaded_and_merged_or_rejected() {
    replay(
        "load_bytes",
        (100, &["empty", "small"]),
        targets::load_bytes,
    );
}

/// F43: arbitrary deltas.
#[test]
fn deltas_are_applied_or_rejected() {
    let named = ["three", "moving", "not_a_number", "one_key_twice"];
    replay("apply", (100, &named), targets::apply);
}

#[test]
fn programs_from_bytes_agree_with_the_oracle() {
    replay("program", (24, &["random_01"]), targets::program);
}
