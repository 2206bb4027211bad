//! Headless Chromium, and what its page reports.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use crate::client::PATIENCE;

pub(crate) struct Browser {
    process: Child,
    profile: std::path::PathBuf,
}

impl Browser {
    pub(crate) fn open(url: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let profile = std::env::temp_dir().join(format!("ecs-gateway-{process}-{number}"));
        let program = std::env::var("CHROMIUM").unwrap_or("chromium".to_owned());
        let mut command = Command::new(&program);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ]);
        let profile_dir = format!("--user-data-dir={}", profile.display());
        let command = command
            .arg(profile_dir)
            .arg("--remote-debugging-port=0")
            .arg(url);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("`{program}` does not start: {error}; install the package `chromium`, or set CHROMIUM")
        });
        Self { process, profile }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Waits for a report.
#[track_caller]
pub(crate) fn until(reports: &Receiver<Value>, is_it: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    loop {
        let report = reports.recv_timeout(PATIENCE);
        let report = report.unwrap_or_else(|_| panic!("no report after {last}"));
        assert_eq!(report["error"], json!(null));
        if is_it(&report) {
            return report;
        }
        last = report;
    }
}
