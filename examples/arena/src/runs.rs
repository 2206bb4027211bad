//! Starts the runs of `chaos`, a workspace of its own, so that the game is compiled without its tools.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Compiles and runs it with these arguments, in the profile of this program.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match start(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &[String]) -> Result<bool, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("chaos/Cargo.toml");
    if !manifest.exists() {
        return Err(format!("it is not at {}", manifest.display()));
    }
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned()); // set by `cargo run`
    let mut command = Command::new(&cargo);
    command.arg("run").arg("--manifest-path").arg(manifest);
    if let Some(target) = std::env::current_exe()
        .ok()
        .as_deref()
        .and_then(|it| it.ancestors().nth(2))
    {
        command.arg("--target-dir").arg(target); // where this program is
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let status = command.arg("--").args(arguments).status();
    let status = status.map_err(|error| format!("`{cargo}` does not start: {error}"))?;
    Ok(status.success())
}
