//! The inspector below a path of another server.

use ecs_inspector::Inspector;
use serde_json::json;

use crate::client::{Socket, error, raw, request};
use crate::program::Program;

#[test]
fn page_api_and_socket_are_served_below_a_path() {
    let program = Program::nested();
    let address = program.address;
    let get = |path: &str| request(address, "GET", path, &[], "");
    let (status, page) = get("/a/b/?token=secret");
    assert!(status == 200 && page.contains("src=\"app.js\""), "{page}");
    let (status, script) = get("/a/b/link.js");
    assert!(
        status == 200 && !script.contains("`/"),
        "its paths are relative"
    );
    let (status, world) = get("/a/b/api/world?token=secret");
    assert!(
        status == 200 && world.contains("\"title\":\"Test\""),
        "{world}"
    );
    let mut socket = Socket::open(address, &format!("ws://{address}/a/b/ws?token=secret")).unwrap();
    assert_eq!(socket.read()["hello"]["title"], "Test");
    assert_eq!(socket.ask("do", "pause", json!({}))["error"], json!(null));

    let host = format!("Host: {address}\r\nConnection: close\r\n");
    let moved = raw(
        address,
        &format!("GET /a/b?token=secret HTTP/1.1\r\n{host}\r\n"),
    );
    assert!(moved.starts_with("HTTP/1.1 307"), "{moved}");
    assert!(moved.contains("location: ./b/?token=secret\r\n"), "{moved}");
}

#[test]
fn a_router_rejects_other_sites_and_requests_without_the_token() {
    let program = Program::nested();
    let get = |path: &str, headers: &[_]| request(program.address, "GET", path, headers, "");
    for path in [
        "/a/b",
        "/a/b/",
        "/a/b/?token=s",
        "/a/b/api/world",
        "/a/b/ws",
    ] {
        assert_eq!(
            error(get(path, &[])),
            (401, "unauthorized".into()),
            "{path}"
        );
    }
    let by = |host, origin| get("/a/b/?token=secret", &[("Host", host), ("Origin", origin)]).0;
    assert_eq!(by("play.example", "https://play.example"), 200); // behind a proxy
    assert_eq!(by("play.example", "https://evil.example"), 403);
    assert_eq!(by("play.example", "null"), 403);
    assert!(Inspector::builder().into_router().is_err());
    assert!(Inspector::builder().token("").into_router().is_err());
}

#[test]
fn a_socket_ends_with_its_inspector() {
    let program = Program::nested();
    let url = format!("ws://{}/a/b/ws?token=secret", program.address);
    let mut socket = Socket::open(program.address, &url).unwrap();
    socket.read();
    drop(program);
    while socket.0.read().is_ok() {}
}
