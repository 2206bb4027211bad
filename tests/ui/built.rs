//! What only a build finds, in calls with the types that they are made with: the programs in
//! `built`, compiled against the library as this test has it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use insta::{assert_snapshot, with_settings};

#[test]
fn programs_rejected_when_they_are_built_say_what_to_write_instead() {
    for case in [
        "query_mut_asks_twice",
        "query_mut_primary_index",
        "query_mut_relation",
    ] {
        with_settings!({ snapshot_path => "built", prepend_module_to_snapshot => false, omit_expression => true }, {
            assert_snapshot!(case, errors(Path::new("built").join(case).with_extension("rs").as_path()));
        });
    }
}

/// What the compiler says of the program, which it does not build.
fn errors(program: &Path) -> String {
    let here = env::current_exe().expect("a test knows its path");
    let built = here.parent().expect("it is in a folder");
    let mut compile = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compile.args(["--edition=2024", "--emit=obj", "--error-format=short"]);
    compile.arg("-o").arg(here.with_extension("refused.o"));
    compile
        .arg("-L")
        .arg(format!("dependency={}", built.display()));
    compile.arg(format!("--extern=ecs={}", library(built).display()));
    let output = compile.arg(program).output().expect("the compiler runs");
    assert!(!output.status.success(), "{} is built", program.display());
    String::from_utf8(output.stderr).expect("messages are texts")
}

/// The library among what has been built: the one built last is of its source as it is now, whatever
/// features it has.
fn library(built: &Path) -> PathBuf {
    let files = built.read_dir().expect("the folder is there").flatten();
    let files = files.map(|file| file.path()).filter(|it| is_library(it));
    files
        .max_by_key(|it| built_at(it))
        .expect("this test needs it")
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str());
    name.is_some_and(|it| it.starts_with("libecs-") && it.ends_with(".rlib"))
}

fn built_at(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|it| it.modified()).ok()
}
