//! What the program prints.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rooms-demo"));
    command.args(arguments).output().unwrap()
}

#[test]
fn a_short_run_verifies_all_its_ticks() {
    let output = run(&["--rooms", "10", "--seconds", "2"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(printed.contains("verified"), "{printed}");
}

#[test]
fn an_unknown_argument_is_an_error_that_names_the_known_ones() {
    let output = run(&["--room", "10"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        errors.contains("`--room`") && errors.contains("--rooms"),
        "{errors}"
    );
}
