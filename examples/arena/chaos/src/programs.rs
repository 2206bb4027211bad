//! The program of the arena, in two versions, and its processes.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::balancer::is_healthy;

/// How long a process may take to start.
const PATIENCE: Duration = Duration::from_secs(120);

/// Builds the program with these features, in the profile of this one, and returns its path. It lies beside the others,
/// because it looks for the client of browsers there.
pub(crate) fn build(features: &str) -> Result<PathBuf, Failure> {
    let own = std::env::current_exe()?;
    let folder = own.parent().ok_or("this program has no folder")?; // chaos/target/release
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--features", features, "--target-dir"]);
    command.arg(folder.parent().unwrap_or(folder));
    command.arg("--manifest-path").arg(manifest);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command.env_remove("RUSTC_WORKSPACE_WRAPPER"); // of lints, which are not for users
    if !command.status()?.success() {
        return Err("the arena cannot be built".into());
    }
    let name = format!("arena-{}", features.replace(',', "-"));
    let program = folder.join(name);
    fs::copy(folder.join("arena"), &program)?;
    Ok(program)
}

/// A port that is free now.
pub(crate) fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

pub(crate) struct Process {
    pub(crate) name: String,
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts the program, with its output in a file of the folder.
    pub(crate) fn start(
        program: &Path,
        name: &str,
        arguments: &[&str],
        folder: &Path,
    ) -> Result<Self, Failure> {
        let log = folder.join(format!("{name}.log"));
        let file = File::create(&log)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        command.stderr(file.try_clone()?).stdout(file);
        Ok(Self {
            name: name.to_owned(),
            child: command.spawn()?,
            log,
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn until(&mut self, is_there: impl Fn(&Self) -> bool) -> Result<(), Failure> {
        let start = Instant::now();
        while !is_there(self) {
            if start.elapsed() > PATIENCE || self.child.try_wait()?.is_some() {
                return Err(format!("{} does not start: {}", self.name, self.output()).into());
            }
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Waits until a worker plays.
    pub(crate) fn until_it_plays(&mut self) -> Result<(), Failure> {
        self.until(|it| it.output().contains("are played"))
    }

    /// Waits until a gateway accepts players.
    pub(crate) fn until_it_serves(&mut self, port: u16) -> Result<(), Failure> {
        self.until(|_| is_healthy(port))
    }

    pub(crate) fn output(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends a signal, such as `KILL`, unless the process has ended.
    pub(crate) fn signal(&mut self, signal: &str) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let id = self.child.id().to_string();
            let _ = Command::new("kill")
                .args([&format!("-{signal}"), &id])
                .status();
        }
    }

    /// Waits until it has ended by itself.
    pub(crate) fn wait(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                return Err(format!("{} does not end", self.name).into());
            }
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// What it reports as failures, but for slow ticks: processes are paused in the middle of one.
    pub(crate) fn failures(&self) -> Vec<String> {
        let output = self.output();
        let lines = output.lines();
        let is_slow = |line: &str| line.contains("longer than its budget");
        let is_failure = |line: &&str| line.contains("failure") || line.contains("panicked");
        let failures = lines.filter(|line| is_failure(line) && !is_slow(line));
        failures
            .map(|line| format!("{}: {line}", self.name))
            .collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Connects to a port of this machine.
pub(crate) fn connect(port: u16) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
