//! Greetings, lists, new rooms, quick matches, kicks.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use ecs_gateway::Limits;
use serde_json::json;

use crate::client::Client;
use crate::game::Input;
use crate::server::{Server, generous};

pub(crate) fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn rooms_are_opened_with_options_listed_and_limited() {
    let server = Server::start(generous());
    let mut client = Client::greet(server.address, None);
    let mut names = Vec::new();
    for map in ["hill", "lake", "wood"] {
        client.say(&json!({"type": "create", "options": {"map": map}}));
        names.push(client.expect("room")["room"].as_str().unwrap().to_owned());
    }
    client.say(&json!({"type": "create"}));
    assert_eq!(client.expect("error")["text"], "you have 3 rooms already");
    client.say(&json!({"type": "create", "options": {"map": "moon"}}));
    assert_eq!(client.expect("error")["text"], "there is no such map");
    client.say(&json!({"type": "list"}));
    let rooms = client.expect("rooms")["rooms"].as_array().unwrap().clone();
    let listed = |name: &str| rooms.iter().find(|room| room["room"] == name).unwrap();
    assert_eq!(
        (rooms.len(), &listed(&names[1])["description"]),
        (4, &json!("lake"))
    );
    client.enter(&names[2]);
    client.until("the map", |client| {
        client.field.get_map().is_some_and(|map| map.0 == "wood")
    });
    // Another user has other names.
    let mut other = Client::greet(server.address, None);
    other.say(&json!({"type": "create"}));
    let name = other.expect("room")["room"].as_str().unwrap().to_owned();
    assert!(!names.contains(&name));
    // A room that is closed makes place for another one.
    server.host.as_ref().unwrap().close(&names[0]).unwrap();
    std::thread::sleep(Duration::from_millis(1_000)); // the age of a list
    client.say(&json!({"type": "create"}));
    assert_eq!(client.expect("room")["room"], names[0]);
}

#[test]
fn quick_matches_fill_rooms_and_then_open_others() {
    let quick_players = 2;
    let server = Server::start(Limits {
        quick_players,
        ..generous()
    });
    let mut rooms = Vec::new();
    for _ in 0..4 {
        let mut client = Client::greet(server.address, None);
        client.say(&json!({"type": "quick", "options": {"map": "lake"}}));
        let room = client.expect("room")["room"].as_str().unwrap().to_owned();
        client.enter(&room);
        client.play(&Input::Add(1));
        client.until("outcome", |client| client.played.len() == 1);
        rooms.push((room, client));
    }
    let names: Vec<_> = rooms.iter().map(|(room, _)| &room[..]).collect();
    assert_eq!(names[..2], ["field", "field"]);
    assert!(names[2] == names[3] && names[2] != "field");
}

#[test]
fn greetings_of_other_versions_and_bad_tokens_are_rejected() {
    let server = Server::start(generous());
    let token = Client::greet(server.address, None).token;
    let with_token = |token: &str| json!({"type": "hello", "version": 3, "token": token});
    let other = if token.ends_with('A') { "B" } else { "A" };
    let forged = token[..token.len() - 1].to_owned() + other;
    let hellos = [
        (json!({"type": "hello", "version": 2}), 4000),
        (json!({"type": "hello", "version": 3, "game": 9}), 4000),
        (with_token(&forged), 4000),
        (with_token(""), 4000),
        (with_token(&"A".repeat(3_000)), 4000),
        (json!({"type": "list"}), 4001),
        (json!({"type": "hello"}), 4001),
        (json!(7), 4001),
    ];
    for (hello, code) in hellos {
        let mut client = Client::connect(server.address);
        client.say(&hello);
        assert_eq!(client.end(), code, "{hello}: {:?}", client.closed);
    }
    let mut client = Client::greet(server.address, Some(&token));
    client.say(&json!({"type": "hello", "version": 3}));
    assert_eq!(client.end(), 4001);
}

#[test]
fn a_token_that_has_expired_is_rejected_and_connections_are_renewed_before() {
    let token = Duration::from_secs(3);
    let server = Server::start(Limits {
        token,
        ..generous()
    });
    let mut client = Client::greet(server.address, None);
    let old = client.token.clone();
    assert_eq!(client.end(), 1001); // after half of that
    let mut client = Client::greet(server.address, Some(&old));
    assert_ne!(client.token, old);
    assert_eq!(client.end(), 1001);
    std::thread::sleep(Duration::from_secs(1));
    let mut client = Client::connect(server.address);
    client.say(&json!({"type": "hello", "version": 3, "token": old}));
    assert_eq!(client.end(), 4000);
}

#[test]
fn a_second_connection_of_a_user_ends_the_first() {
    let server = Server::start(generous());
    let mut first = Client::join(server.address, "field");
    let mut second = Client::greet(server.address, Some(&first.token));
    assert_eq!(first.end(), 4005);
    second.enter("field");
    second.play(&Input::Add(1));
    second.until("outcome", |second| second.played.len() == 1);
    assert_eq!(
        (
            server.metric("users"),
            server.metric("ended_taken_over_total")
        ),
        (1, 1)
    );
}

#[test]
fn a_user_is_kicked() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Add(1));
    client.until("outcome", |client| client.played.len() == 1);
    let kick = |user| {
        server
            .runtime
            .block_on(server.gateway.kick(user, "be kind"))
    };
    assert_eq!((kick(client.user), kick(1)), (Ok(true), Ok(false)));
    assert_eq!(client.end(), 4006);
    assert_eq!(client.closed.as_ref().unwrap().1, "be kind");
    // It may connect again, but its keys of this room are void.
    let mut client = Client::greet(server.address, Some(&client.token));
    client.enter("field");
    client.play(&Input::Add(1));
    assert_eq!(client.end(), 4006);
    assert_eq!(client.rejected[&1], "the key is revoked");
}

#[test]
fn health_and_metrics_are_served_and_other_origins_are_not() {
    let server = Server::start(generous());
    assert!(get(server.address, "/health", "").ends_with("ok\n"));
    assert!(get(server.address, "/metrics", "").starts_with("HTTP/1.1 401"));
    server.wait_for("connections", 0); // those requests have ended
    let metrics = get(
        server.address,
        "/metrics",
        "Authorization: Bearer token\r\n",
    );
    assert!(metrics.contains("\ngateway_connections 1\n"), "{metrics}");
    let upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let upgrade = upgrade.to_owned() + "Connection: Upgrade\r\nOrigin: https://evil.example\r\n";
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\n{upgrade}\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 403");
    assert_eq!(server.metric("connections_rejected_total"), 1);
}
