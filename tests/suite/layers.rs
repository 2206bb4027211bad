//! Every module of the library imports from its own floor and below, never above,
//! and no two modules import each other in a circle, nor do those of the derive.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

/// Each top-level module of a crate with the text of its file and of those below it.
fn modules(source: &str) -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let mut modules = BTreeMap::<String, String>::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = module_of(path.strip_prefix(&source).unwrap());
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

fn module_of(inside: &Path) -> String {
    let first = inside.components().next().unwrap();
    Path::new(first.as_os_str())
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// What a text names as `crate::name`, outside of comments.
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
    names.filter_map(word).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

#[test]
fn every_module_stands_on_a_floor() {
    let homeless: Vec<_> = modules("ecs/src")
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
    for (module, text) in modules("ecs/src") {
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
    for source in ["ecs/src", "ecs-derive/src"] {
        let modules = modules(source);
        let edges = modules.iter().map(|(name, text)| (name, imports(text)));
        let edges: BTreeMap<_, _> = edges.collect();
        for (&start, first) in &edges {
            let mut seen = BTreeSet::new();
            let mut open: Vec<_> = first.iter().filter(|next| *next != start).collect();
            while let Some(module) = open.pop() {
                assert!(module != start, "`{start}` imports itself by way of others");
                if seen.insert(module) {
                    open.extend(edges.get(module).into_iter().flatten());
                }
            }
        }
    }
}
