//! Programs that must not compile, with their messages.

mod built;

use trybuild::TestCases;

/// GEN-005: `component_without_context`. GEN-033: `component_attributes_repeated`, where a second
/// context is rejected.
#[test]
fn rejected_programs_say_what_to_write_instead() {
    TestCases::new().compile_fail("fail/*.rs");
}
