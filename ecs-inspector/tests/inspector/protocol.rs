//! Runs the `curl` lines of `PROTOCOL.md`, with another port.

use std::process::Command;

use ecs_inspector::Inspector;

use crate::program::Program;

/// Returns the shell blocks of the document, in order.
fn blocks() -> impl Iterator<Item = &'static str> {
    let document = include_str!("../../PROTOCOL.md");
    let blocks = document.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("```").next())
}

/// Runs a line and returns its output, which must not be an error.
fn printed(program: &Program, line: &str) -> String {
    let line = line.replace("127.0.0.1:7777", &program.address.to_string());
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(output.status.success(), "is curl installed? {line}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_line_of_curl_does_what_the_document_says() {
    let program = Program::with(Inspector::builder(), |_| {});
    let mut lines = 0;
    for block in blocks() {
        for line in block.replace("\\\n", " ").lines() {
            assert!(line.starts_with("curl -s "), "{line}");
            let answer = printed(&program, line);
            assert!(
                answer.starts_with('{') && !answer.contains("\"error\""),
                "{line}\n{answer}"
            );
            lines += 1;
        }
    }
    assert!(lines > 25, "{lines} lines");
}
