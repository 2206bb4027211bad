//! Headless Chromium, driven over its DevTools protocol.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long a test waits for what must happen, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(90);

pub(crate) fn program() -> String {
    std::env::var("CHROMIUM").unwrap_or("chromium".to_owned())
}

pub(crate) struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    calls: u64,
}

/// The session of a page.
pub(crate) struct Page(String);

impl Browser {
    pub(crate) fn start() -> Self {
        let profile = std::env::temp_dir().join(format!("arena-browser-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&profile);
        let process = Command::new(program())
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            // Of two pages one is in the background.
            .args([
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding",
            ])
            .arg("--disable-backgrounding-occluded-windows")
            .args(["--window-size=1280,800", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let address = wait_for(&profile.join("DevToolsActivePort"));
        let (port, path) = address.trim().split_once('\n').expect("a port and a path");
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("Chromium listens");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a time-out can be set");
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(url, stream).expect("Chromium speaks DevTools");
        Self {
            process,
            profile,
            socket,
            calls: 0,
        }
    }

    /// Opens a page in a window of its own.
    pub(crate) fn open(&mut self, url: &str) -> Page {
        // A context of its own: other storage, and another cache.
        let context = self.call(None, "Target.createBrowserContext", json!({}));
        let context = &context["browserContextId"];
        let target =
            json!({ "url": url, "browserContextId": context, "width": 960, "height": 600 });
        let target = self.call(None, "Target.createTarget", target);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call(None, "Target.attachToTarget", attach);
        let session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        self.call(Some(&session), "Runtime.enable", json!({}));
        Page(session)
    }

    /// Evaluates an expression in a page.
    pub(crate) fn eval(&mut self, page: &Page, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let result = self.call(Some(&page.0), "Runtime.evaluate", parameters);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].clone()
    }

    /// Presses a key, or lets it go.
    pub(crate) fn key(&mut self, page: &Page, code: &str, is_down: bool) {
        let kind = if is_down { "keyDown" } else { "keyUp" };
        let event = json!({ "type": kind, "code": code });
        self.call(Some(&page.0), "Input.dispatchKeyEvent", event);
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&mut self, page: &Page, what: &str, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.eval(page, expression) != json!(true) {
            if Instant::now() > end {
                let report = self.eval(
                    page,
                    "JSON.stringify({ ...window.arena?.report, walls: null })",
                );
                panic!("not within {PATIENCE:?}: {what}; {report}");
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// Writes a picture of a page.
    pub(crate) fn picture(&mut self, page: &Page, file: &Path) {
        let picture = self.call(Some(&page.0), "Page.captureScreenshot", json!({}));
        let text = picture["data"].as_str().expect("a picture in base64");
        let bytes = BASE64_STANDARD.decode(text).expect("a picture in base64");
        std::fs::write(file, bytes).expect("a file can be written");
    }

    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = session {
            call["sessionId"] = json!(session);
        }
        self.socket
            .send(Message::text(call.to_string()))
            .expect("Chromium runs");
        loop {
            let message = self
                .socket
                .read()
                .unwrap_or_else(|error| panic!("{method}: {error}"));
            let Message::Text(text) = message else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("DevTools are JSON");
            if answer["method"] == "Runtime.exceptionThrown" {
                panic!(
                    "a page has thrown: {}",
                    answer["params"]["exceptionDetails"]
                );
            }
            if answer["id"] == self.calls {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }
}

fn wait_for(file: &Path) -> String {
    let end = Instant::now() + PATIENCE;
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) if text.contains("/devtools/") => return text,
            _ if Instant::now() > end => panic!("Chromium writes no {}", file.display()),
            _ => sleep(Duration::from_millis(50)),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
