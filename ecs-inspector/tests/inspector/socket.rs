//! The WebSocket: queries, watches, and clients that are slow or send nonsense.

use std::time::{Duration, Instant};

use ecs_inspector::Inspector;
use serde_json::json;
use tungstenite::Message;

use crate::client::{Socket, eventually, get, run};
use crate::program::{Game, Position, Program};

#[test]
fn a_client_is_greeted_with_the_world() {
    let program = Program::start();
    let (_socket, hello) = Socket::connect(program.address);
    assert_eq!(hello, get(program.address, "world"));
}

#[test]
fn questions_and_commands_are_answered_by_their_number() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    let value = json!({"x": 9.0, "y": 9.0});
    let write = json!({"entity": "1v1", "component": "Position", "value": value});
    socket.send(json!({"id": 5, "do": "replace", "params": write}));
    socket.send(json!({"id": 6, "get": "entity", "params": {"entity": "1v1"}}));
    let (done, entity) = (socket.read(), socket.read());
    assert_eq!((&done["id"], &done["data"]), (&json!(5), &json!({})));
    assert_eq!(entity["data"]["components"][1]["json"], value);
    assert!(entity["frame"].as_u64() >= done["frame"].as_u64());
}

#[test]
fn lists_of_names_are_arrays_or_texts() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    let mut ask = |params| socket.ask("get", "entities", params)["data"]["total"].clone();
    assert_eq!(ask(json!({"all": ["Position", "Parent"], "from": 0})), 2);
    assert_eq!(ask(json!({"all": "Position,Parent", "from": "1"})), 2);
}

#[test]
fn a_watch_notifies_of_a_change_in_the_next_frame_and_of_nothing_else() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    let list = json!({"all": ["Position"], "columns": ["Position"]});
    socket.send(json!({"id": 3, "watch": "entities", "params": list}));
    assert_eq!(socket.read_of(3)["data"]["total"], 4);
    let write = json!({"entity": "2v1", "component": "Position", "path": "/x", "value": 50.0});
    socket.send(json!({"id": 4, "do": "set", "params": write}));
    let done = socket.read();
    let notified = socket.read();
    assert_eq!(
        (&done["id"], &notified["id"]),
        (&json!(4), &json!(3)),
        "nothing has changed before"
    );
    assert_eq!(
        notified["data"]["rows"][1]["values"]["Position"]["json"]["x"],
        50.0
    );
    let frames = notified["frame"].as_u64().unwrap() - done["frame"].as_u64().unwrap();
    assert!(frames <= 1, "{frames} frames later");
}

#[test]
fn a_watch_is_replaced_and_ended() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    let watch = |params| json!({"id": 3, "watch": "entities", "params": params});
    socket.send(watch(json!({"all": ["Frames"], "columns": ["Frames"]})));
    let first = socket.read_of(3)["data"]["rows"][0]["values"].clone();
    assert_ne!(
        socket.read_of(3)["data"]["rows"][0]["values"],
        first,
        "it counts frames"
    );
    socket.send(watch(json!({"all": ["Frozen"]})));
    eventually(|| socket.read_of(3)["data"]["rows"][0]["entity"] == "3v1");
    socket.send(
        json!({"id": 4, "watch": "entities", "params": {"all": ["Frames"], "columns": ["Frames"]}}),
    );
    socket.read_of(4);
    socket.send(json!({"unwatch": 4}));
    socket.send(json!({"id": 5, "get": "history"}));
    socket.read_of(5);
    socket.send(json!({"id": 6, "get": "history"}));
    assert_eq!(socket.read()["id"], 6);
}

#[test]
fn a_destroyed_entity_is_an_error_once_and_the_watch_continues() {
    let program = Program::start();
    run(program.address, "record", json!({"on": true}));
    run(program.address, "pause", json!({}));
    let (mut socket, _) = Socket::connect(program.address);
    let mark = get(program.address, "history")["at"].clone();
    socket.send(json!({"id": 1, "watch": "entity", "params": {"entity": "4v1"}}));
    assert_eq!(socket.read_of(1)["data"]["entity"], "4v1");
    run(program.address, "destroy", json!({"entity": "4v1"}));
    assert_eq!(socket.read_of(1)["error"]["code"], "unknown_entity");
    run(program.address, "look", json!({"mark": mark}));
    assert_eq!(socket.read_of(1)["data"]["entity"], "4v1");
}

#[test]
fn messages_that_make_no_sense_are_answered_by_errors() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    for nonsense in [
        "",
        "{",
        "[]",
        "{}",
        "7",
        r#"{"get": "world"}"#,
        r#"{"id": "a", "get": "world"}"#,
    ] {
        socket.0.send(Message::text(nonsense)).unwrap();
        assert_eq!(socket.read()["error"]["code"], "bad_request", "{nonsense}");
    }
    for (message, code) in [
        (
            json!({"id": 1, "get": "world", "do": "pause"}),
            "bad_request",
        ),
        (json!({"id": 1, "get": "nothing"}), "unknown_query"),
        (json!({"id": 1, "do": "nothing"}), "unknown_command"),
        (
            json!({"id": 1, "watch": "entities", "params": {"all": 7}}),
            "bad_request",
        ),
        (
            json!({"id": 1, "watch": "entities", "params": {"all": ["Nope"]}}),
            "unknown_component",
        ),
        (
            json!({"id": 1, "get": "world", "params": []}),
            "bad_request",
        ),
        (json!({"id": 1, "get": "world", "more": 1}), "bad_request"),
    ] {
        socket.send(message.clone());
        assert_eq!(socket.read()["error"]["code"], code, "{message}");
    }
    socket.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(socket.read()["error"]["code"], "bad_request");
    assert_eq!(
        socket.ask("get", "history", json!({}))["data"]["recording"],
        false
    );
}

#[test]
fn the_number_of_a_message_is_named_if_it_cannot_be_read() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    for (message, words) in [
        (
            r#"{"id": -1, "get": "world"}"#,
            "`id` must be a whole number",
        ),
        (
            r#"{"id": 18446744073709551616, "get": "world"}"#,
            "`18446744073709551616`",
        ),
        (r#"{"unwatch": 1.5}"#, "`unwatch` must be a whole number"),
    ] {
        socket.0.send(Message::text(message)).unwrap();
        let error = socket.read()["error"].clone();
        assert_eq!(error["code"], "bad_request", "{message}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
    let text = format!(r#"{{"id": {}, "get": "history"}}"#, u64::MAX);
    socket.0.send(Message::text(text)).unwrap();
    assert_eq!(socket.read()["id"], u64::MAX);
}

#[test]
fn a_message_that_is_too_long_disconnects_only_its_client() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    let (mut other, _) = Socket::connect(program.address);
    _ = socket.0.send(Message::text("x".repeat(100_000)));
    eventually(|| socket.0.read().is_err());
    assert_eq!(
        other.ask("get", "history", json!({}))["data"]["recording"],
        false
    );
}

#[test]
fn the_number_of_watches_is_limited() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    for id in 0..33 {
        socket.send(json!({"id": id, "watch": "history", "params": {}}));
    }
    assert_eq!(socket.read_of(32)["error"]["code"], "busy");
}

/// A client that does not read cannot detect that it is disconnected, so it keeps sending until that
/// fails. How long it takes until the buffers between them are full depends on the machine.
#[test]
fn a_client_that_does_not_read_is_dropped_without_a_wait() {
    let patience = Duration::from_secs(3);
    let impatient = Inspector::builder().patience(patience);
    let program = Program::with(impatient, |game: &mut Game| {
        use ecs::Context as _;
        game.create_many((0..1000).map(|nth| Position {
            x: nth as f32,
            y: 0.0,
        }));
    });
    let (mut slow, _) = Socket::connect(program.address);
    for id in 0..20 {
        let params = json!({"columns": ["Position", "Frames"], "count": 200, "text": ""});
        slow.send(json!({"id": id, "watch": "entities", "params": params}));
    }
    let (mut quick, _) = Socket::connect(program.address);
    let mut frame = || {
        let asked = Instant::now();
        let frame = quick.ask("get", "history", json!({}))["frame"].as_u64();
        assert!(
            asked.elapsed() < patience,
            "the quick one waits for the slow one"
        );
        frame.unwrap()
    };
    let first = frame();
    let end = Instant::now() + Duration::from_secs(120);
    while slow.0.send(Message::Ping(Default::default())).is_ok() {
        assert!(Instant::now() < end, "the slow one is still connected");
        std::thread::sleep(Duration::from_millis(20));
        frame();
    }
    assert!(frame() > first + 100);
}
