//! Every module of the library imports from its own floor and below, never above,
//! and no two modules import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of each floor, from the ground up, as in `ARCHITECTURE.md`.
const FLOORS: [&[&str]; 7] = [
    &[
        "component",
        "entity_id",
        "error",
        "field_index",
        "probe",
        "room",
        "signature",
    ],
    &[
        "chain",
        "column",
        "columns",
        "flag",
        "kind",
        "registry",
        "row_words",
        "slots",
        "unique",
    ],
    &["effects", "graph", "group", "matcher", "row_set"],
    &["change", "collector", "entity_index", "event", "removed"],
    &["state"],
    &[
        "batch", "bundle", "by_index", "context", "copying", "entity", "query", "template",
        "verbs", "view",
    ],
    &["contexts", "system"],
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ecs/src")
}

/// Each top-level module with the text of its file and of those below it.
fn modules() -> BTreeMap<String, String> {
    let mut modules = BTreeMap::<String, String>::new();
    let mut folders = vec![source()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = module_of(&path);
                modules
                    .entry(name)
                    .or_default()
                    .push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    modules.remove("lib");
    modules
}

fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(source()).unwrap();
    let first = inside.components().next().unwrap();
    Path::new(first.as_os_str())
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// The modules that a text names as `crate::module`, outside of comments and of
/// inline tests.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let names = code.flat_map(|line| line.split("crate::").skip(1));
    let word = |rest: &str| {
        rest.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .map(str::to_owned)
    };
    names
        .filter_map(word)
        .filter(|name| floor(name).is_some())
        .collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

#[test]
fn every_module_stands_on_a_floor() {
    let homeless: Vec<_> = modules()
        .into_keys()
        .filter(|name| floor(name).is_none())
        .collect();
    assert!(
        homeless.is_empty(),
        "give these a floor here and in ARCHITECTURE.md: {homeless:?}"
    );
}

#[test]
fn no_module_imports_from_a_higher_floor() {
    for (module, text) in modules() {
        for import in imports(&text) {
            assert!(
                floor(&import) <= floor(&module),
                "`{module}` imports `{import}` from above"
            );
        }
    }
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let edges: BTreeMap<_, _> = modules()
        .into_iter()
        .map(|(name, text)| (name, imports(&text)))
        .collect();
    for start in edges.keys() {
        let mut seen = BTreeSet::new();
        let mut open: Vec<_> = edges[start].iter().filter(|next| *next != start).collect();
        while let Some(module) = open.pop() {
            assert!(module != start, "`{start}` imports itself by way of others");
            if seen.insert(module) {
                open.extend(&edges[module]);
            }
        }
    }
}
