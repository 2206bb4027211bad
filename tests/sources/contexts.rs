//! Tests play the game that they share. Who declares a context beside it says what it is for.

use std::path::Path;

use super::layers::files;

/// Where the tests are that share the game. Programs, crates and what must not compile are users'.
const TARGETS: [&str; 7] = [
    "behaviours",
    "changes",
    "components",
    "failures",
    "memory",
    "records",
    "systems",
];

/// The line above each context that a file declares at its top level.
fn above_contexts(text: &str) -> Vec<&str> {
    let lines = text.lines().zip(text.lines().skip(1));
    let above = lines.filter(|(_, line)| *line == "#[ecs::context]");
    above.map(|(above, _)| above).collect()
}

#[test]
fn contexts_of_their_own_say_what_they_are_for() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut contexts = 0;
    for (path, text) in TARGETS.iter().flat_map(|target| files(&tests.join(target))) {
        for above in above_contexts(&text) {
            contexts += 1;
            let path = path.display();
            let remedy = "play `support::game::Game`, or say what the context is for";
            assert!(above.starts_with("///"), "{path}: {remedy}");
        }
    }
    assert!(contexts > 10, "only {contexts} contexts are found");
}
