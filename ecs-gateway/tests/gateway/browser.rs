//! The client in plain JavaScript, in headless Chromium.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::Html;
use axum::routing::{get, post};
use ecs::prelude::*;
use ecs_rooms::MemoryStore;
use serde_json::{Value, json};

use crate::client::{Client, PATIENCE};
use crate::game::{Input, Position};
use crate::server::{Server, generous, run_host};

struct Browser {
    process: Child,
    profile: std::path::PathBuf,
}

impl Browser {
    fn open(url: &str) -> Self {
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

fn pages(reports: Sender<Value>) -> Router {
    let script = include_str!("../../js/client.mjs");
    let report = async move |body: String| _ = reports.send(serde_json::from_str(&body).unwrap());
    Router::new()
        .route("/", get(|| async { Html(include_str!("page.html")) }))
        .route("/rules", get(|| async { Html(include_str!("rules.html")) }))
        .route(
            "/client.mjs",
            get(async move || ([(CONTENT_TYPE, "text/javascript")], script)),
        )
        .route("/report", post(report))
}

/// Waits for a report.
#[track_caller]
fn until(reports: &Receiver<Value>, is_it: impl Fn(&Value) -> bool) -> Value {
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

#[test]
fn a_page_numbers_inputs_as_its_gateway_expects() {
    let (sender, reports) = channel();
    let server = Server::with(MemoryStore::new(), generous(), pages(sender));
    let browser = Browser::open(&format!("http://{}/rules", server.address));
    until(&reports, |it| it["right"] == true);
    drop(browser);
}

#[test]
fn a_page_plays_and_moves_to_another_gateway_without_losing_an_input() {
    let (sender, reports) = channel();
    let store = MemoryStore::new();
    let host = run_host(&store);
    host.open("field", ecs_rooms::Opening::new(1).with(&"lake"))
        .unwrap();
    let server = Server::with(store.clone(), generous(), pages(sender));
    let origin = format!("http://{}", server.address);
    let other = Server::of(store, generous(), Router::new(), vec![origin.clone()]);

    let browser = Browser::open(&origin);
    let near = |report: &Value| report["walkers"].as_array().is_some_and(|it| it.len() > 15);
    let report = until(&reports, |it| it["own"]["Position"]["x"] == -3 && near(it));
    assert_eq!(
        (&report["own"]["Position"]["y"], &report["map"]),
        (&json!(40), &json!("lake"))
    );
    assert_eq!(
        (&report["own"]["Body"]["name"], &report["own"]["Purse"]),
        (&json!("Jö"), &json!(7))
    );
    let user = report["own"]["Body"]["player"].as_u64().unwrap();

    let url = format!("ws://{}/ws", other.address);
    server.runtime.block_on(server.gateway.drain(Some(url)));
    plays_on(&other, user);
    drop((browser, host, server));
}

/// Another client sees that a user plays on through a gateway.
fn plays_on(server: &Server, user: u64) {
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Walk { x: 0, y: 40 });
    client.until("the user", |client| client.body(user).is_some());
    let inputs = |client: &Client| client.body(user).map_or(0, |body| body.inputs);
    let before = inputs(&client);
    client.until("inputs", |client| inputs(client) > before + 30);
    let body = client.body(user).unwrap();
    // All inputs after the first two add 1: none was lost before another.
    assert_eq!((body.sum, body.is_there), (body.inputs - 2, true));
    let at = |at: &&Position| (at.x, at.y) == (-3, 40);
    assert_eq!(
        client.field.query::<&Position>().iter().filter(at).count(),
        1
    );
    assert_eq!(server.metric("connections"), 2);
}
