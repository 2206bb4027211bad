//! Errors that only a build finds, in calls with concrete types: the programs in `built`, compiled
//! against the library of this test.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

#[test]
fn programs_rejected_by_a_build_name_the_remedy() {
    if crate::is_skipped("programs_rejected_by_a_build_name_the_remedy") {
        return;
    }
    let programs: Vec<_> = files("built", "rs").collect();
    assert!(!programs.is_empty());
    for program in programs {
        let (said, expected) = (errors(&program), program.with_extension("stderr"));
        if env::var_os("TRYBUILD").is_some_and(|it| it == "overwrite") {
            fs::write(&expected, &said).expect("the file can be written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(said, expected, "of {}", program.display());
    }
}

/// The files in a folder with this extension.
fn files(folder: impl AsRef<Path>, ending: &str) -> impl Iterator<Item = PathBuf> {
    let files = folder.as_ref().read_dir().expect("the folder is there");
    let files = files.map(|file| file.expect("it can be read").path());
    files.filter(move |it| it.extension().is_some_and(|it| it == ending))
}

/// The compiler errors of a program, which must not build.
fn errors(program: &Path) -> String {
    let here = env::current_exe().expect("a test knows its path");
    let built = here.parent().expect("it is in a folder");
    let mut compile = crate::compiler();
    compile.args(["--edition=2024", "--emit=obj", "--error-format=short"]);
    compile.arg("-o").arg(here.with_extension("rejected.o"));
    compile
        .arg("-L")
        .arg(format!("dependency={}", built.display()));
    compile.arg(format!("--extern=ecs={}", library(built).display()));
    let output = compile.arg(program).output().expect("the compiler runs");
    assert!(!output.status.success(), "{} is built", program.display());
    String::from_utf8(output.stderr).expect("messages are texts")
}

/// The built library: the newest one is of the current source, with any features.
fn library(built: &Path) -> PathBuf {
    let libraries = files(built, "rlib").filter(|it| file_name(it).starts_with("libecs-"));
    let latest = libraries.max_by_key(|it| built_at(it));
    latest.expect("this test needs it")
}

fn file_name(path: &Path) -> &str {
    let name = path.file_name().and_then(|it| it.to_str());
    name.unwrap_or_default()
}

fn built_at(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|it| it.modified()).ok()
}
