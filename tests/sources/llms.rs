//! `llms.txt`: the library in one page for assistants that write code, made of sections of the guide,
//! whose code is compiled with it. `ECS_LLMS=write cargo test -p ecs-tests --test sources llms` makes it
//! again.

use std::fmt::Write as _;
use std::fs;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// How large it may be, in bytes.
const MOST: usize = 30 << 10;

const HEAD: &str = "\
# ecs: a reactive entity component system for Rust

The library in one page, from its guide: rules, methods, attributes and traps.
`cargo doc -p ecs --all-features --open` has the rest.

Rules:
- `use ecs::prelude::*;`. A context is declared once by `#[ecs::context] pub struct Game;`, a component by
  `#[derive(Component)] #[component(context = Game)]`. Nothing is registered.
- A struct's fields are the arguments of its accessors: `add_position(x, y)`. A struct without fields is a flag:
  `set_frozen(true)`, `is_frozen()`. Enums are passed as a whole.
- Keep ids (`EntityId<Game>`), which are `Copy`; handles (`game.entity(id)`, `game.entity_mut(id)`) borrow the context.
- A method panics on a mistake; its twin `try_..` returns the error. `get_..` returns an `Option`.
- Loops over many entities are queries: `query` reads, `query_mut` writes and reports what it visited. `for_each` takes a
  closure; read-only queries are iterators.
- Code that runs when something changes is a reactive system (`for_each_changed`), not a loop with a comparison.
- Observers run after all state is final; structural changes are allowed everywhere except inside a query's closure
  (use a `CommandBuffer` there).
";

/// The sections, by page and heading; an empty heading is the text before the first one.
const PARTS: [(&str, &[&str]); 9] = [
    (
        "entities",
        &[
            "",
            "Ids and handles",
            "Changing components",
            "Unique components",
            "Copies and templates",
            "Changes from loops and threads",
            "Destroying",
        ],
    ),
    (
        "groups_and_queries",
        &["Queries", "Groups", "Indexes", "Which one"],
    ),
    ("finding", &["What to use"]),
    (
        "reacting",
        &["Which to use", "All ways to learn of a change"],
    ),
    ("systems_and_worlds", &["Systems", "States"]),
    ("hierarchies", &[""]),
    ("saving", &[""]),
    ("undo_and_rollback", &[""]),
    ("errors", &["Compile errors"]),
];

/// A section of a page.
fn section<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let (mut is_in, mut is_code) = (heading.is_empty(), false);
    let of_section = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        let title = line.strip_prefix("# ").filter(|_| !is_code);
        if let Some(title) = title {
            is_in = title == heading;
        }
        is_in && title.is_none()
    });
    of_section.collect()
}

/// A text without what only `cargo doc` shows: targets of links, and hidden lines of code.
fn plain(lines: &[&str]) -> String {
    let (mut text, mut is_code) = (String::new(), false);
    for line in lines {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_hidden = is_code && (*line == "#" || line.starts_with("# "));
        if is_fence && is_code {
            text.push_str("```rust\n");
        } else if is_code && !is_hidden {
            writeln!(text, "{line}").unwrap();
        } else if !is_hidden {
            text.push_str(line);
            text.push('\n');
        }
    }
    without_links(&text)
}

/// Where the bracket is opened that is closed behind a text.
fn opening(text: &str) -> usize {
    let mut depth = 1;
    let mut brackets = text.char_indices().rev().filter(|(_, c)| "[]".contains(*c));
    let opening = brackets.find(|(_, c)| {
        depth = if *c == '[' { depth - 1 } else { depth + 1 };
        depth == 0
    });
    opening.expect("a link starts with a bracket").0
}

/// Keeps the texts of links.
fn without_links(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(end) = rest.find("](") {
        let (before, link) = rest.split_at(end);
        let start = opening(before);
        plain.push_str(&before[..start]);
        plain.push_str(&before[start + 1..]);
        rest = link.split_once(')').expect("a link ends with one").1;
    }
    plain + rest
}

/// The table of attributes in the documentation of the derive.
fn attributes() -> String {
    let source = fs::read_to_string(format!("{ROOT}/ecs-derive/src/lib.rs")).unwrap();
    let rows = source
        .lines()
        .filter_map(|line| line.strip_prefix("/// | "));
    let rows = rows.filter(|row| row.starts_with("[`"));
    let each = rows.map(|row| {
        let cells: Vec<_> = row.trim_end_matches(" |").split(" | ").collect();
        format!("- {}: {}", cells[0], cells[1])
    });
    without_links(&each.collect::<Vec<_>>().join("\n"))
}

fn page() -> String {
    let mut all = HEAD.to_owned();
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let example = readme.split("```").find(|part| part.starts_with("rust\n"));
    write!(
        all,
        "\n```{}```\n",
        example.expect("the README has an example")
    )
    .unwrap();
    write!(
        all,
        "\n# Attributes of components and their fields\n\n{}\n",
        attributes()
    )
    .unwrap();
    for (name, headings) in PARTS {
        let page = fs::read_to_string(format!("{ROOT}/ecs/src/guide/{name}.md")).unwrap();
        for heading in headings {
            let lines = section(&page, heading);
            assert!(!lines.is_empty(), "{name} has no section {heading:?}");
            let title = match *heading {
                "" => name[..1].to_uppercase() + &name[1..].replace('_', " "),
                heading => heading.to_owned(),
            };
            write!(all, "\n# {title}\n\n{}\n", plain(&lines).trim()).unwrap();
        }
    }
    all
}

#[test]
fn the_page_for_assistants_is_that_of_the_guide() {
    let (path, page) = (format!("{ROOT}/llms.txt"), page());
    assert!(page.len() <= MOST, "{} bytes, at most {MOST}", page.len());
    if std::env::var_os("ECS_LLMS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "llms.txt is not that of the guide: run `ECS_LLMS=write cargo test -p ecs-tests --test sources llms`"
    );
}

#[test]
fn links_and_hidden_lines_are_left_out() {
    let page = "# A\ntext\n# B\nsee [`#[x]`](crate::X).\n```\n# hidden\nlet x = 1;\n```\n# C";
    let expected = "see `#[x]`.\n```rust\nlet x = 1;\n```\n";
    assert_eq!(plain(&section(page, "B")), expected);
}
