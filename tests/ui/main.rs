//! What must not compile, with the messages users get.

use trybuild::TestCases;

/// GEN-005: `component_without_context`. GEN-033: `component_attributes_repeated`, where the second
/// naming of a context is refused.
#[test]
fn rejected_programs_say_what_to_write_instead() {
    TestCases::new().compile_fail("fail/*.rs");
}

/// What only `cargo build` finds, in calls with the types that they are made with. It is the case
/// that must pass for which `cargo build` is run: `cargo check` takes a quarter of the time.
#[test]
fn programs_rejected_when_they_are_built_say_what_to_write_instead() {
    let cases = TestCases::new();
    cases.compile_fail("built/*.rs");
    cases.pass("pass/default_context.rs");
}
