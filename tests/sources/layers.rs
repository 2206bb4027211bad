//! The tree of the source shows the layers as folders: a file imports from its own layer and those
//! below, never above; no files import each other in a circle, in the derive neither; and no lower
//! layer reaches a higher one through a function that is handed something untyped.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use self::imports::{Imports, Names};

/// The layers from the ground up, as `lib.rs` lists them.
pub(super) const LAYERS: [&str; 11] = [
    "formats",
    "words",
    "storage",
    "matching",
    "world",
    "reactions",
    "state",
    "records",
    "api",
    "systems",
    "finding",
];

/// The folder of the workspace.
pub(super) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn source(krate: &str) -> PathBuf {
    Path::new(ROOT).join(krate).join("src")
}

fn layer(module: &Names) -> Option<usize> {
    let is_of = |layer: &&str| Path::new(&print(module)).starts_with(layer);
    LAYERS.iter().rposition(is_of)
}

fn print(module: &Names) -> String {
    if module.is_empty() {
        return "lib".to_owned();
    }
    module.join("/")
}

#[test]
fn the_root_lists_the_layers_from_the_ground_up() {
    let root = fs::read_to_string(source("ecs").join("lib.rs")).unwrap();
    let module = |line: &str| Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned());
    let listed: Vec<_> = root.lines().filter_map(module).collect();
    assert_eq!(listed, LAYERS);
}

#[test]
fn every_file_is_in_a_layer() {
    let imports = Imports::read(&source("ecs"));
    let outside: Vec<_> = imports
        .edges()
        .into_keys()
        .filter(|module| !module.is_empty() && layer(module).is_none())
        .map(print)
        .filter(|module| module != "guide") // has pages only
        .collect();
    assert!(outside.is_empty(), "move these into a layer: {outside:?}");
}

#[test]
fn only_one_file_chooses_the_atomics() {
    let imports = Imports::read(&source("ecs"));
    let files = imports.edges().into_keys();
    let chooses = |module: &&Names| {
        let file = source("ecs").join(print(module)).with_extension("rs");
        let text = fs::read_to_string(file).unwrap();
        let mut code = text.lines().filter(|line| !line.trim().starts_with("//"));
        code.any(|line| line.contains("sync::atomic"))
    };
    let choosing: Vec<_> = files.filter(chooses).map(print).collect();
    assert_eq!(choosing, ["words/atomic"]);
}

#[test]
fn no_file_imports_from_a_higher_layer() {
    let imports = Imports::read(&source("ecs"));
    for (module, targets) in imports.edges() {
        for target in targets {
            assert!(
                module.is_empty() || layer(target) <= layer(module) && !target.is_empty(),
                "`{}` imports from `{}`, which is above it",
                print(module),
                print(target)
            );
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for krate in ["ecs", "ecs-derive"] {
        let imports = Imports::read(&source(krate));
        let circles = circles(&imports.edges());
        assert!(
            circles.is_empty(),
            "circles in {krate}:\n{}",
            circles.join("\n")
        );
    }
}

/// Each file that imports itself by way of others, with those of its imports that lead back.
fn circles(edges: &BTreeMap<&Names, BTreeSet<&Names>>) -> Vec<String> {
    let reached: BTreeMap<_, _> = edges
        .keys()
        .map(|from| (*from, reached(edges, from)))
        .collect();
    let back = |from: &Names, to: &&&Names| reached.get(**to).is_some_and(|all| all.contains(from));
    let circle = |(from, targets): (&&Names, &BTreeSet<&Names>)| {
        let targets: Vec<_> = targets
            .iter()
            .filter(|to| back(from, to))
            .map(|to| print(to))
            .collect();
        (!targets.is_empty()).then(|| format!("  {} ─► {}", print(from), targets.join(", ")))
    };
    edges.iter().filter_map(circle).collect()
}

/// All that a file imports, directly or by way of others.
fn reached<'a>(edges: &BTreeMap<&Names, BTreeSet<&'a Names>>, from: &Names) -> BTreeSet<&'a Names> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<_> = edges[from].iter().copied().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(edges.get(module).into_iter().flatten());
        }
    }
    reached
}

/// A function pointer that is handed a `dyn Any` can be handed the whole context, and so let a low
/// layer call a high one. Values of components are `AnyValue` there.
#[test]
fn no_low_layer_calls_a_function_with_something_untyped() {
    for layer in &LAYERS[..5] {
        for (file, text) in files(&source("ecs").join(layer)) {
            let code: String = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            for pointer in code.split("fn(").skip(1) {
                let parameters = pointer.split(')').next().unwrap();
                assert!(
                    !parameters.contains("dyn Any"),
                    "{} has a function pointer `fn({parameters})`",
                    file.display()
                );
            }
        }
    }
}

/// The files below a folder with their texts.
pub(super) fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
    files
}

/// What the tests above rest on: that no way to write an import is overlooked.
#[test]
fn imports_are_seen_however_they_are_written() {
    let folder = std::env::temp_dir().join(format!("ecs-imports-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod low; mod high;");
    write("low.rs", "pub struct Low; pub mod inner;");
    write(
        "low/inner.rs",
        "pub struct Inner; #[cfg(test)] mod tests { use crate::high::High; }",
    );
    write(
        "high.rs",
        "mod a; mod b; mod c; mod d; mod e; pub use self::a::A as Renamed; pub struct High;",
    );
    write(
        "high/a.rs",
        "use crate::{low::{self, inner::{Inner as I}}}; pub struct A(low::Low, I);",
    );
    write("high/b.rs", "fn f() { use super::Renamed; }");
    write(
        "high/c.rs",
        "fn f(x: crate::low::Low) -> Vec<super::b::B> { x.c::<u8>() }",
    );
    write(
        "high/d.rs",
        "pub mod e { fn f() { super::super::c::f(); crate::low::inner::g() } }",
    );
    write(
        "high/e.rs",
        "fn f() { quote!(crate::low::Low); } // crate::low",
    );
    let imports = Imports::read(&folder);
    let edges = imports.edges();
    let of = |module: &str| -> Vec<_> {
        let names: Names = module.split('/').map(str::to_owned).collect();
        edges[&names].iter().map(|target| print(target)).collect()
    };
    assert_eq!(of("high"), ["high/a"]);
    assert_eq!(of("high/a"), ["low", "low/inner"]);
    assert_eq!(of("high/b"), ["high/a"]);
    assert_eq!(of("high/c"), ["high/b", "low"]);
    assert_eq!(of("high/d"), ["high/c", "low/inner"]);
    assert!(of("high/e").is_empty() && of("low/inner").is_empty());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_file_that_the_architecture_names_is_there() {
    let root = Path::new(ROOT);
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named = text.split('`').filter(|word| word.ends_with(".rs"));
    let is_there = |file: &&str| root.join(file).exists() || source("ecs").join(file).exists();
    let missing: Vec<_> = named.filter(|file| !is_there(file)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:?}");
}
