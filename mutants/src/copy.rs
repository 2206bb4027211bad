//! A copy of the repository that contains the mutants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::find::Mutant;
use crate::rewrite::{Edit, Rewritten, rewrite};

/// The module that says which mutant is active.
const SWITCH: &str = include_str!("switch.rs");

/// The output folder, unless `MUTANTS_TARGET` names another one.
const PLACE: &str = "mutants/target";

/// A copy of the repository.
pub struct Copy {
    pub root: PathBuf,
}

impl Copy {
    /// Copies all files of the work tree that git does not ignore.
    pub fn of_repository() -> Self {
        let place = std::env::var("MUTANTS_TARGET").unwrap_or_else(|_| PLACE.to_owned());
        let root = fs::canonicalize(".").expect("the root");
        let root = root.join(place).join("copy");
        let _ = fs::remove_dir_all(&root);
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .output()
            .expect("git runs");
        for path in String::from_utf8_lossy(&listed.stdout).lines() {
            if Path::new(path).is_file() {
                copy_file(path, &root.join(path));
            }
        }
        let copy = Self { root };
        for (krate, after) in [
            ("ecs", "\nextern crate alloc;\n"),
            ("ecs-derive", "\nmod parse;\n"),
        ] {
            copy.add_switch(krate, after);
        }
        copy
    }

    fn add_switch(&self, krate: &str, after: &str) {
        let root = self.root.join(krate).join("src");
        fs::write(root.join("mutants.rs"), SWITCH).expect("a file to be written");
        let lib = fs::read_to_string(root.join("lib.rs")).expect("a library");
        assert!(
            lib.contains(after),
            "{krate} has a line to put the switch behind"
        );
        let with = lib.replacen(after, &format!("{after}mod mutants;\n"), 1);
        fs::write(root.join("lib.rs"), with).expect("a file to be written");
    }

    /// Writes a file with its mutants and their numbers.
    pub fn write(&self, file: &str, mutants: &[(u32, &Mutant)]) -> Rewritten {
        let text = fs::read_to_string(file).expect("a file that is listed");
        let edits: Vec<(u32, &[Edit])> = mutants.iter().map(|(id, it)| (*id, &*it.edits)).collect();
        let rewritten = rewrite(&text, &edits);
        fs::write(self.root.join(file), &rewritten.text).expect("a file to be written");
        rewritten
    }

    /// Returns a cargo command that runs in the copy and builds next to it.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.root);
        cargo.env("CARGO_TARGET_DIR", self.root.join("../build"));
        cargo
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0");
        cargo.env("RUSTFLAGS", "--cap-lints=allow");
        cargo
    }
}

fn copy_file(from: &str, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder to be made");
    fs::copy(from, to).expect("a file to be copied");
}
