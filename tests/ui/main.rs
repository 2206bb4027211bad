//! Programs that must not compile, with their messages.

mod built;

use std::env;
use std::io::{self, Write};
use std::process::Command;

use trybuild::TestCases;

/// The minor version of the compiler whose messages the programs are compared with.
const COMPARED: u32 = 95;

fn compiler() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Returns whether the compiler is not the one whose messages are compared, since each changes some, and prints that.
fn is_skipped(test: &str) -> bool {
    let output = compiler().arg("--version").output();
    let version = String::from_utf8(output.expect("the compiler runs").stdout);
    let version = version.expect("the version is text");
    let minor = version.split('.').nth(1).and_then(|it| it.parse().ok());
    let is_other = minor.is_none_or(|minor: u32| minor != COMPARED);
    if is_other {
        // Directly, because the test harness shows what a test prints only if it fails.
        let text =
            format!("SKIPPED {test}: messages are those of Rust 1.{COMPARED}, this is {version}");
        _ = io::stderr().write_all(text.as_bytes());
    }
    is_other
}

/// GEN-005: `component_without_context`. GEN-033: `component_attributes_repeated`, where a second
/// context is rejected.
#[test]
fn rejected_programs_say_what_to_write_instead() {
    if is_skipped("rejected_programs_say_what_to_write_instead") {
        return;
    }
    TestCases::new().compile_fail("fail/*.rs");
}
