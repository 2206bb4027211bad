//! The WebSocket of a browser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Sender, channel};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::Html;
use axum::routing::{get, post};
use ecs_rooms::MemoryStore;
use serde_json::json;

use crate::chromium::{Browser, until};
use crate::server::{Server, generous, run_host};

const PAGE: &str = r#"<!doctype html>
<title>The client in a page</title>
<script type="module">
  globalThis.report = (body) => fetch("/report", { method: "POST", body });
  onerror = onunhandledrejection = (it) => report(JSON.stringify({ error: String(it.reason ?? it) }));
  const { default: init } = await import("/page.js");
  await init({ module_or_path: "/page_bg.wasm" });
</script>"#;

fn run(command: &mut Command) {
    let status = command.status();
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Builds `examples/page.rs`, and returns where it is.
fn build() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--example", "page"]);
    cargo.args(["--target", "wasm32-unknown-unknown", "--target-dir"]);
    run(cargo.arg(&target).current_dir(package));
    let module = target.join("wasm32-unknown-unknown/debug/examples/page.wasm");
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]);
    run(bindgen.args([&target, &module]));
    target
}

fn pages(folder: &Path, reports: Sender<serde_json::Value>) -> Router {
    let [script, module] = ["page.js", "page_bg.wasm"].map(|file| {
        let bytes = std::fs::read(folder.join(file));
        bytes.unwrap_or_else(|error| panic!("{file}: {error}"))
    });
    let report = async move |body: String| _ = reports.send(serde_json::from_str(&body).unwrap());
    Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route(
            "/page.js",
            get(async move || ([(CONTENT_TYPE, "text/javascript")], script)),
        )
        .route(
            "/page_bg.wasm",
            get(async move || ([(CONTENT_TYPE, "application/wasm")], module)),
        )
        .route("/report", post(report))
}

#[test]
#[ignore = "needs wasm-bindgen and its target: `.ci/compatibility wasm` runs it"]
fn a_page_plays_and_moves_to_another_gateway_without_losing_an_input() {
    let (sender, reports) = channel();
    let store = MemoryStore::new();
    let host = run_host(&store);
    host.open("field", 7).unwrap();
    let server = Server::with(store.clone(), generous(), pages(&build(), sender));
    let origin = format!("http://{}", server.address);
    let other = Server::of(store, generous(), Router::new(), vec![origin.clone()]);

    let browser = Browser::open(&origin);
    let first = until(&reports, |it| it["at"] == json!([-3, 40]));
    let url = format!("ws://{}/ws", other.address);
    server.runtime.block_on(server.gateway.drain(Some(url)));
    let played = |it: &serde_json::Value| it["played"].as_u64().unwrap();
    let last = until(&reports, |it| {
        it["joins"] == 2 && played(it) > played(&first) + 60
    });
    assert_eq!((&last["user"], &last["at"]), (&first["user"], &first["at"]));
    assert!(last["pending"].as_u64().unwrap() < 30, "{last}");
    assert_eq!(other.metric("inputs_rejected_total"), 0);
    drop((browser, host, server));
}
