//! What must not compile, with the messages users get, and what must in spite of odd surroundings.

/// GEN-005: `component_without_context`. GEN-033: `component_attributes_repeated`, where the second
/// naming of a context is refused.
#[test]
fn rejected_programs_say_what_to_write_instead() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.pass("pass/*.rs");
}
