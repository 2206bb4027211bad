//! The inspector of running rooms.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use axum::Router;
use ecs_gateway::{Gateway, Limits, Options};
use ecs_rooms::MemoryStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tungstenite::{Message, WebSocket};

use crate::client::{Client, PATIENCE};
use crate::game::{Input, Rules};
use crate::lobby::get;
use crate::server::{SECRET, Server, generous};

const TOKEN: &str = "token=s+e%2Bcret";

/// The status and the JSON of an answer.
fn ask(server: &Server, path: &str) -> (u16, Value) {
    let answer = get(server.address, path, "");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let json = serde_json::from_str(body).unwrap_or(Value::Null);
    (head[9..12].parse().unwrap(), json)
}

fn query(server: &Server, query: &str) -> Value {
    let (status, json) = ask(server, &format!("/inspect/field/api/{query}&{TOKEN}"));
    assert_eq!(status, 200, "{json}");
    json
}

/// Connects to the inspector of room `field`.
fn socket(server: &Server) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let url = format!("ws://{}/inspect/field/ws?{TOKEN}", server.address);
    let (mut socket, _) = tungstenite::client(url, stream).unwrap();
    assert_eq!(read(&mut socket)["hello"]["read_only"], true);
    socket
}

fn read(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

#[test]
fn the_page_and_the_api_show_a_running_room() {
    let server = Server::start(generous());
    let moved = get(server.address, &format!("/inspect/field?{TOKEN}"), "");
    let location = format!("location: ./field/?{TOKEN}\r\n");
    assert!(
        moved.starts_with("HTTP/1.1 307") && moved.contains(&location),
        "{moved}"
    );
    let page = get(server.address, &format!("/inspect/field/?{TOKEN}"), "");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("src=\"app.js\""),
        "{page}"
    );
    let script = get(server.address, "/inspect/field/app.js", "");
    assert!(script.starts_with("HTTP/1.1 200"), "{script}");
    assert_eq!(query(&server, "world?")["title"], "field");

    let mut client = Client::join(server.address, "field");
    for (number, sum) in [(5, 5), (7, 12)] {
        client.play(&Input::Add(number));
        client.until("the sum", |it| {
            it.body(it.user).is_some_and(|body| body.sum == sum)
        });
        let is_shown = || {
            let bodies = query(&server, "entities?all=Body&columns=Body").to_string();
            bodies.contains(&format!("sum: {sum}")) || bodies.contains(&format!("\"sum\":{sum}"))
        };
        let end = Instant::now() + PATIENCE;
        while !is_shown() {
            assert!(
                Instant::now() < end,
                "{}",
                query(&server, "entities?all=Body&columns=Body")
            );
        }
    }
    assert_eq!(server.metric("rooms_inspected"), 1);
}

#[test]
fn only_those_with_the_token_inspect_rooms_that_are_there() {
    let server = Server::start(generous());
    for path in [
        "",
        "/",
        "/?token=s",
        "/?token=",
        "/api/world",
        "/api/world?token=s+e%2Bcrets",
        "/ws",
    ] {
        let (status, json) = ask(&server, &format!("/inspect/field{path}"));
        assert_eq!(
            (status, &json["error"]["code"]),
            (401, &json!("unauthorized")),
            "{path}"
        );
    }
    let bearer = |token| {
        get(
            server.address,
            "/inspect/field/api/world",
            &format!("Authorization: Bearer {token}\r\n"),
        )
    };
    assert!(bearer("s e+cre").starts_with("HTTP/1.1 401"));
    assert_eq!(server.metric("rooms_inspected"), 0);
    assert!(bearer("s e+cret").starts_with("HTTP/1.1 200"));
    let (status, json) = ask(&server, &format!("/inspect/hill/?{TOKEN}"));
    assert_eq!(
        (status, &json["error"]["message"]),
        (404, &json!("there is no room `hill`"))
    );
    let evil = get(
        server.address,
        &format!("/inspect/field/?{TOKEN}"),
        "Origin: https://evil.example\r\n",
    );
    assert!(evil.starts_with("HTTP/1.1 403"), "{evil}");

    let without = Gateway::new(MemoryStore::new(), Rules, Options::new(SECRET));
    let listener = server
        .runtime
        .block_on(TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    server
        .runtime
        .spawn(async move { without.serve(listener, Router::new()).await });
    let missing = get(address, &format!("/inspect/field/?{TOKEN}"), "");
    assert!(missing.starts_with("HTTP/1.1 404"), "{missing}");
}

#[test]
fn commands_are_rejected() {
    let server = Server::start(generous());
    let mut socket = socket(&server);
    socket
        .send(Message::text(r#"{"id": 1, "do": "pause"}"#))
        .unwrap();
    assert_eq!(read(&mut socket)["error"]["code"], "read_only");
}

#[test]
fn an_inspector_ends_without_clients_and_begins_again() {
    let (silence, linger) = (Duration::from_millis(600), Duration::from_millis(300));
    let server = Server::start(Limits {
        silence,
        linger,
        ..generous()
    });
    let mut inspecting = socket(&server);
    std::thread::sleep(silence * 3); // after which HTTP connections end
    assert_eq!(
        (
            server.metric("rooms_inspected"),
            server.metric("connections")
        ),
        (1, 1)
    );
    inspecting
        .send(Message::text(r#"{"id": 1, "get": "world"}"#))
        .unwrap();
    assert_eq!(read(&mut inspecting)["id"], 1);
    drop(inspecting);
    server.wait_for("rooms_inspected", 0);
    server.wait_for("connections", 0);
    assert_eq!(query(&server, "world?")["title"], "field");
    assert_eq!(server.metric("rooms_inspected"), 1);
}

#[test]
fn a_room_that_no_host_plays_is_shown_as_it_is() {
    let mut server = Server::start(Limits {
        linger: Duration::from_millis(300),
        ..generous()
    });
    let mut client = Client::join(server.address, "field");
    client.until("ticks", |client| client.tick > 2);
    drop(server.host.take());
    let walkers = query(&server, "entities?all=Walker");
    assert!(walkers.to_string().contains("0v1"), "{walkers}");
    server.wait_for("rooms_inspected", 0);
}

#[test]
fn a_room_that_panics_ends_its_inspector_only() {
    let server = Server::start(generous());
    let mut inspecting = socket(&server);
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Panic);
    server.wait_for("rooms_inspected", 0);
    while inspecting.read().is_ok() {} // it is closed
    assert!(get(server.address, "/health", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_number_of_rooms_is_limited() {
    let server = Server::start(generous());
    for room in 0..8 {
        let name = format!("room{room}");
        server.host.as_ref().unwrap().open(&name, room).unwrap();
        assert_eq!(ask(&server, &format!("/inspect/{name}/?{TOKEN}")).0, 200);
    }
    let (status, json) = ask(&server, &format!("/inspect/field/?{TOKEN}"));
    assert_eq!((status, &json["error"]["code"]), (429, &json!("busy")));
}

#[test]
fn a_drain_does_not_wait_for_an_inspector() {
    let server = Server::start(generous());
    let mut inspecting = socket(&server);
    let start = Instant::now();
    server.runtime.block_on(server.gateway.drain(None));
    assert!(start.elapsed() < Limits::default().drain / 2);
    while inspecting.read().is_ok() {}
    server.wait_for("rooms_inspected", 0);
}
