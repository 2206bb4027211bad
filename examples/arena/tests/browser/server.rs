//! The program, on a file.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

pub(crate) struct Server {
    process: Child,
    port: u16,
    folder: PathBuf,
}

fn run(folder: &std::path::Path, port: u16) -> (Child, u16) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["--port", &port.to_string(), "--store"])
        .arg(format!("file:{}", folder.join("arena.redb").display()))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let output = process.stdout.take().expect("it is piped");
    let mut line = String::new();
    let read = BufReader::new(output).read_line(&mut line);
    read.expect("its output can be read");
    let port = line
        .trim()
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    let port = port.unwrap_or_else(|| panic!("it says {line:?}, not where the arena is"));
    (process, port)
}

impl Server {
    pub(crate) fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("arena-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the file");
        let (process, port) = run(&folder, 0);
        Self {
            process,
            port,
            folder,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// As with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it has ended");
    }

    pub(crate) fn start_again(&mut self) {
        self.process = run(&self.folder, self.port).0;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
