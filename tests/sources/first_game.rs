//! The page `guide::first_game` builds `examples/first_game.rs`. Its steps show lines of the program; its
//! last step, with its hidden lines, is the whole program.

const PAGE: &str = include_str!("../../ecs/src/guide/first_game.md");
const PROGRAM: &str = include_str!("../../examples/first_game.rs");

/// The lines of code, without the marks of hidden lines.
fn lines(text: &str) -> Vec<&str> {
    let shown = |line| str::strip_prefix(line, "# ").unwrap_or(line);
    let code = |line: &&str| !line.is_empty() && !line.starts_with("//!");
    text.lines().map(shown).filter(code).collect()
}

#[test]
fn the_page_of_the_first_game_builds_its_program() {
    let program = lines(PROGRAM);
    let parts = PAGE.split("\n```\n"); // text and code
    let steps: Vec<_> = parts.filter(|part| part.contains("struct Game;")).collect();
    for step in &steps {
        // Each step ends with code that tries it out.
        let (items, _) = step
            .split_once("\nlet mut game = Game::new();")
            .unwrap_or((step, ""));
        let mut rest = program.iter();
        for line in lines(items) {
            assert!(
                rest.any(|other| *other == line),
                "the program has no such line here: {line}"
            );
        }
    }
    assert_eq!(steps.len(), 7);
    assert_eq!(lines(steps[6]), program);
}
