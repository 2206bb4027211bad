//! Copies `examples/quickstart.rs` without its first comment, which `include!` does not accept.

use std::path::Path;
use std::{env, fs};

const QUICKSTART: &str = "../../examples/quickstart.rs";

fn main() {
    println!("cargo::rerun-if-changed={QUICKSTART}");
    let source = fs::read_to_string(QUICKSTART).unwrap();
    let lines = source.lines().filter(|line| !line.starts_with("//!"));
    let source: String = lines.map(|line| format!("{line}\n")).collect();
    let folder = env::var("OUT_DIR").unwrap();
    fs::write(Path::new(&folder).join("quickstart.rs"), source).unwrap();
}
