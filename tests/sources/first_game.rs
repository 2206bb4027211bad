//! The page `guide::first_game` builds `examples/first_game.rs`. Its steps show lines of the program and
//! include the ones before, so that the page can be read on a code host, which shows hidden lines; its last
//! step is the whole program.

use std::fs;

const PAGE: &str = include_str!("../../ecs/src/guide/first_game.md");
const PROGRAM: &str = include_str!("../../examples/first_game.rs");

/// The lines of code, without the marks of hidden lines.
fn lines(text: &str) -> Vec<&str> {
    let shown = |line| str::strip_prefix(line, "# ").unwrap_or(line);
    let code = |line: &&str| !line.is_empty() && !line.starts_with("//!");
    text.lines().map(shown).filter(code).collect()
}

/// A block of code with the lines that it includes.
fn with_included(part: &str) -> String {
    let lines = part.lines().map(|line| {
        let name = line.strip_prefix("# include!(").and_then(|rest| {
            let name = rest.split('"').nth(3)?;
            Some(format!("{}/../ecs{name}", env!("CARGO_MANIFEST_DIR")))
        });
        name.map_or(line.to_owned(), |name| fs::read_to_string(name).unwrap())
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_of_the_first_game_builds_its_program() {
    let program = lines(PROGRAM);
    let page = PAGE.replace("\n```rust\n", "\n```\n");
    let parts = page.split("\n```\n"); // text and code
    let steps = parts.map(with_included);
    let steps: Vec<_> = steps.filter(|part| part.contains("struct Game;")).collect();
    for step in &steps {
        // Each step ends with code that tries it out.
        let (items, _) = step
            .split_once("\nlet mut game = Game::new();")
            .unwrap_or((step, ""));
        let items = items.trim_end_matches("# fn main() {");
        let mut rest = program.iter();
        for line in lines(items) {
            assert!(
                rest.any(|other| *other == line),
                "the program has no such line here: {line}"
            );
        }
    }
    assert_eq!(steps.len(), 7);
    assert_eq!(lines(&steps[6]), program);
}
