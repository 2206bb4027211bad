//! Access control and limits.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ecs_inspector::{Inspector, InspectorBuilder};
use serde_json::json;

use crate::client::{Socket, error, eventually, get, raw, request};
use crate::program::Program;

fn code(program: &Program, headers: &[(&str, &str)]) -> (u16, String) {
    let (status, body) = request(program.address, "GET", "/api/world", headers, "");
    match status {
        200 => (200, String::new()),
        _ => error((status, body)),
    }
}

#[test]
fn requests_for_another_host_are_rejected() {
    let program = Program::start();
    let port = program.address.port();
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        assert_eq!(
            code(&program, &[("Host", &format!("{host}:{port}"))]).0,
            200,
            "{host}"
        );
    }
    let near = format!("127.0.0.1:{}", port ^ 1);
    let far = format!("evil.example:{port}");
    let abroad = format!("10.0.0.1:{port}");
    let tricky = format!("localhost@evil.example:{port}");
    for host in [&*near, &far, &abroad, &tricky, "localhost", "", "::"] {
        assert_eq!(
            code(&program, &[("Host", host)]),
            (403, "bad_host".into()),
            "{host}"
        );
    }
    let pages = request(program.address, "GET", "/", &[("Host", &far)], "");
    assert_eq!(error(pages), (403, "bad_host".into()));
}

#[test]
fn a_request_without_a_host_or_with_two_is_rejected() {
    let program = Program::start();
    let answer = raw(program.address, "GET /api/world HTTP/1.0\r\n\r\n");
    assert!(answer.contains("bad_host"), "{answer}");
    let host = format!("Host: {}\r\n", program.address);
    let twice = format!("GET /api/world HTTP/1.1\r\n{host}{host}Connection: close\r\n\r\n");
    assert!(raw(program.address, &twice).contains("bad_host"));
}

#[test]
fn requests_from_other_sites_are_rejected() {
    let program = Program::start();
    let own = format!("http://{}", program.address);
    assert_eq!(code(&program, &[("Origin", &own)]).0, 200);
    for origin in [
        "http://evil.example",
        "null",
        "",
        "https://127.0.0.1",
        "http://127.0.0.1",
    ] {
        assert_eq!(
            code(&program, &[("Origin", origin)]),
            (403, "bad_origin".into()),
            "{origin}"
        );
    }
    let headers = [("Origin", "http://evil.example")];
    let posted = request(program.address, "POST", "/api/pause", &headers, "");
    assert_eq!(error(posted), (403, "bad_origin".into()));
    assert_eq!(get(program.address, "systems")["paused"], false);
}

#[test]
fn a_socket_of_another_site_is_rejected() {
    let program = Program::start();
    let upgrade = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        program.address
    );
    let answer = raw(
        program.address,
        &format!("{upgrade}Connection: close\r\n\r\n"),
    );
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
}

#[test]
fn with_a_token_each_request_must_have_it() {
    let program = Program::with(Inspector::builder().token("s e+cret"), |_| {});
    assert_eq!(code(&program, &[]), (401, "unauthorized".into()));
    assert_eq!(
        code(&program, &[("Authorization", "Bearer s e+cret")]).0,
        200
    );
    for wrong in [
        "Bearer s e+cre",
        "Bearer s e+crett",
        "Bearer ",
        "s e+cret",
        "Basic s e+cret",
    ] {
        assert_eq!(
            code(&program, &[("Authorization", wrong)]).0,
            401,
            "{wrong}"
        );
    }
    let by_query = |token: &str| {
        request(
            program.address,
            "GET",
            &format!("/api/world?token={token}"),
            &[],
            "",
        )
        .0
    };
    assert_eq!((by_query("s+e%2Bcret"), by_query("s")), (200, 401));
    assert_eq!(
        request(program.address, "GET", "/", &[], "").0,
        200,
        "the page has no secrets"
    );
    let url = |token: &str| format!("ws://{}/ws{token}", program.address);
    assert!(Socket::open(program.address, &url("")).is_none());
    assert!(Socket::open(program.address, &url("?token=s+e%2Bcret")).is_some());
}

#[test]
fn a_public_address_needs_a_token() {
    let rejected = Inspector::serve("0.0.0.0:0").unwrap_err();
    assert_eq!(rejected.kind(), std::io::ErrorKind::InvalidInput);
    assert!(rejected.to_string().contains("token"));
    assert!(Inspector::builder().token("").serve("127.0.0.1:0").is_err());
    let open = Inspector::builder()
        .token("secret")
        .serve("0.0.0.0:0")
        .unwrap();
    assert!(open.url().unwrap().ends_with("/?token=secret"));
}

#[test]
fn a_read_only_inspector_rejects_every_command() {
    let program = Program::with(Inspector::builder().read_only(true), |_| {});
    assert_eq!(get(program.address, "world")["read_only"], true);
    for command in ["pause", "replace", "create", "record", "log", "nothing"] {
        let posted = request(program.address, "POST", &format!("/api/{command}"), &[], "");
        assert_eq!(error(posted), (403, "read_only".into()), "{command}");
    }
    let (mut socket, _) = Socket::connect(program.address);
    let answer = socket.ask("do", "pause", json!({}));
    assert_eq!(answer["error"]["code"], "read_only");
    assert_eq!(get(program.address, "systems")["paused"], false);
}

#[test]
fn methods_and_kinds_of_content_are_checked() {
    let program = Program::start();
    let send = |method: &str, path: &str, kind: &str, body: &str| {
        error(request(
            program.address,
            method,
            path,
            &[("Content-Type", kind)],
            body,
        ))
    };
    assert_eq!(
        send("PUT", "/api/world", "", ""),
        (405, "bad_method".into())
    );
    assert_eq!(
        send("OPTIONS", "/api/pause", "", ""),
        (405, "bad_method".into())
    );
    assert_eq!(
        send("GET", "/api/pause", "", ""),
        (404, "unknown_query".into())
    );
    assert_eq!(
        send("POST", "/api/world", "", ""),
        (404, "unknown_command".into())
    );
    assert_eq!(send("POST", "/", "", ""), (405, "bad_method".into()));
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let sent = send("POST", "/api/step", kind, r#"{"frames": 1}"#);
        assert_eq!(sent, (415, "bad_content_type".into()), "{kind}");
    }
    let good = [("Content-Type", "application/JSON; charset=utf-8")];
    let (status, _) = request(
        program.address,
        "POST",
        "/api/step",
        &good,
        r#"{"frames": 1}"#,
    );
    assert_eq!(status, 200);
}

#[test]
fn a_body_that_is_too_long_is_rejected() {
    let program = Program::start();
    let body = format!("{{\"frames\": {}1}}", " ".repeat(70_000));
    let headers = [("Content-Type", "application/json")];
    let sent = request(program.address, "POST", "/api/step", &headers, &body);
    assert_eq!(error(sent), (413, "too_large".into()));
}

/// The patience of the server in these tests.
const PATIENCE: Duration = Duration::from_millis(500);

fn impatient() -> InspectorBuilder {
    Inspector::builder().patience(PATIENCE)
}

#[test]
fn input_that_is_not_http_is_an_error_and_harms_no_other_client() {
    let program = Program::with(impatient(), |_| {});
    for garbage in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\r\n\r\n\r\n",
    ] {
        let answer = raw(program.address, garbage);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{garbage:?}: {answer}"
        );
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    assert!(!raw(program.address, &long).contains(" 200 "));
    assert_eq!(get(program.address, "world")["title"], "Test");
}

#[test]
fn a_client_that_sends_no_request_is_disconnected() {
    let program = Program::with(impatient(), |_| {});
    let mut stream = TcpStream::connect(program.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream.write_all(b"GET /api/wor").unwrap();
    let start = Instant::now();
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer);
    assert!(start.elapsed() >= PATIENCE && start.elapsed() < Duration::from_secs(4));
    assert!(!String::from_utf8_lossy(&answer).contains(" 200 "));
}

#[test]
fn the_number_of_clients_is_limited() {
    let program = Program::start();
    let clients: Vec<_> = (0..8).map(|_| Socket::connect(program.address)).collect();
    let url = format!("ws://{}/ws", program.address);
    assert!(Socket::open(program.address, &url).is_none());
    assert_eq!(
        get(program.address, "world")["title"],
        "Test",
        "HTTP has places of its own"
    );
    drop(clients);
    eventually(|| Socket::open(program.address, &url).is_some());
}

#[test]
fn idle_connections_make_room_for_others() {
    let patient = Inspector::builder().patience(Duration::from_secs(600));
    let program = Program::with(patient, |_| {});
    let connect = || TcpStream::connect(program.address).unwrap();
    let ask = |mut stream: &TcpStream| {
        let host = program.address;
        write!(stream, "GET /api/history HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut answer = [0; 1000];
        let read = stream.read(&mut answer).unwrap_or(0);
        String::from_utf8_lossy(&answer[..read]).contains(" 200 ")
    };
    let mut idle: Vec<_> = (0..200).map(|_| connect()).collect(); // have sent no request
    assert!(idle[150..].iter().all(ask), "those that came last");
    idle.extend((0..60).map(|_| connect()));
    let late: Vec<_> = (0..100).map(|_| connect()).collect();
    assert!(late.iter().rev().take(50).all(ask), "those that came last");
    assert!(
        late.iter().rev().take(10).all(ask),
        "again, by the same connection"
    );
    assert_eq!(get(program.address, "world")["title"], "Test");
    drop(idle);
}

#[test]
fn connections_that_all_wait_for_an_answer_make_room_with_it() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap(); // is never updated
    let address = inspector.address().unwrap();
    let asking: Vec<_> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(
                stream,
                "GET /api/history HTTP/1.1\r\nHost: {address}\r\n\r\n"
            )
            .unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    assert_eq!(request(address, "GET", "/style.css", &[], "").0, 200);
    assert!(
        start.elapsed() < Duration::from_secs(15),
        "{:?}",
        start.elapsed()
    );
    drop(asking);
}

#[test]
fn a_game_without_frames_is_an_error_that_says_so() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address().unwrap();
    let asked = request(address, "GET", "/api/world", &[], "");
    assert_eq!(error(asked), (504, "timeout".into()));
}

#[test]
fn requests_beyond_the_queue_are_rejected() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address().unwrap();
    let mut socket = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
    for nth in 0..300 {
        socket.send(json!({"id": nth, "do": "pause"}));
    }
    let rejected = socket.read();
    assert_eq!(rejected["error"]["code"], "busy");
}

#[test]
fn the_page_comes_from_the_program_itself() {
    let (program, mut bytes) = (Program::start(), 0);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let (path, kind) = match name.rsplit_once('.').unwrap().1 {
            "html" => ("/".to_string(), "text/html"),
            "css" => (format!("/{name}"), "text/css"),
            _ => (format!("/{name}"), "text/javascript"),
        };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            program.address
        );
        let answer = raw(program.address, &request).to_lowercase();
        assert!(answer.starts_with("http/1.1 200"), "{path}");
        assert!(answer.contains(&format!("content-type: {kind}")), "{path}");
        assert!(
            answer.contains("content-security-policy: default-src 'none'"),
            "{path}"
        );
        bytes += answer.len();
    }
    assert!(bytes < 170_000, "the page has {bytes} bytes");
    assert_eq!(request(program.address, "GET", "/nothing", &[], "").0, 404);
}
