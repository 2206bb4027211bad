//! Compiles `main.c` with the C compiler, runs it with the library, and compares what it prints.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

const EXPECTED: &str = include_str!("c_abi.out");

#[test]
fn a_c_program_plays_the_game() -> io::Result<()> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("main.c");
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("c_abi");
    let test = env::current_exe()?;
    let library = test
        .parent()
        .expect("a test is in the folder of its libraries");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg(source)
        .arg("-L")
        .arg(library)
        .arg("-lc_abi")
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .arg("-o")
        .arg(&program)
        .status()?;
    assert!(compiled.success());
    let output = Command::new(program).output()?;
    assert_eq!(String::from_utf8_lossy(&output.stdout), EXPECTED);
    assert!(output.status.success());
    Ok(())
}
