//! Compiles the files of the library for loom.

fn main() {
    println!("cargo::rustc-cfg=loom");
    println!("cargo::rerun-if-changed=build.rs");
}
