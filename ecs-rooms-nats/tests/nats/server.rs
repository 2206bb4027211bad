//! A server of its own for each test.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ecs_rooms_nats::NatsStore;

pub(crate) struct Server {
    process: Child,
    port: u16,
    folder: PathBuf,
}

impl Server {
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("ecs-rooms-nats-{}-{number}", std::process::id()));
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let program = std::env::var("NATS_SERVER").unwrap_or("nats-server".to_owned());
        let mut command = Command::new(&program);
        command
            .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(&folder);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process =
            process.unwrap_or_else(|error| panic!("`{program}`, see NATS_SERVER: {error}"));
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "the server does not start"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        Self {
            process,
            port,
            folder,
        }
    }

    /// Whether the server is older than 2.10, and lets records age.
    pub(crate) fn is_old(&self) -> bool {
        let program = std::env::var("NATS_SERVER").unwrap_or("nats-server".to_owned());
        let version = Command::new(program).arg("--version").output().unwrap();
        String::from_utf8_lossy(&version.stdout).contains("v2.9.")
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
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
