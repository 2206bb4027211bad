//! Builds what runs in the browser.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// As this program is built.
const PROFILE: (&str, &str) = match cfg!(debug_assertions) {
    true => ("dev", "debug"),
    false => ("release", "release"),
};
const NO_TARGET: &str = "what runs in the browser cannot be built: this Rust has no target for it; \
     run `rustup target add wasm32-unknown-unknown`";

/// Builds the client with cargo, which does nothing if it is up to date, and returns its bytes. It lies in the target
/// folder of this program.
pub(crate) fn build() -> Result<Vec<u8>, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().nth(2); // target/release/arena
    let target = target.ok_or("this program is in no target folder of cargo")?;
    let wasm = target
        .join(TARGET)
        .join(PROFILE.1)
        .join("arena_client.wasm");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.exists() {
        run_cargo(package, target)?;
    }
    fs::read(&wasm).map_err(|error| format!("{}: {error}", wasm.display()))
}

fn run_cargo(package: &Path, target: &Path) -> Result<(), String> {
    if !has_target() {
        return Err(NO_TARGET.to_owned());
    }
    eprintln!("Building what runs in the browser; the first time takes a minute or more.");
    let cargo = env::var("CARGO").unwrap_or("cargo".to_owned()); // set by `cargo run`
    let status = Command::new(&cargo)
        .args([
            "build",
            "--profile",
            PROFILE.0,
            "--package",
            "arena-client",
            "--target",
            TARGET,
        ])
        .arg("--manifest-path")
        .arg(package.join("client/Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env_remove("RUSTC_WORKSPACE_WRAPPER") // of lints, which are not for users
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "`{cargo} build` for the browser has failed: {status}"
        )),
        Err(error) => Err(format!("`{cargo}` does not start: {error}")),
    }
}

/// Whether the standard library for browsers is installed.
fn has_target() -> bool {
    let rustc = env::var("RUSTC").unwrap_or("rustc".to_owned());
    let mut command = Command::new(rustc);
    let output = command
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        Path::new(folder.trim()).exists()
    })
}
