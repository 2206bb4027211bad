//! Seeking in the history, and continuing from there.

use serde_json::json;

use crate::client::{eventually, get, post, run, value};
use crate::program::Program;

fn frames(program: &Program) -> u64 {
    value(program.address, "0v1", "Frames").as_u64().unwrap()
}

/// Records until there are some marks.
fn record(program: &Program) {
    run(program.address, "record", json!({"on": true}));
    let history = || get(program.address, "history");
    eventually(|| history()["last"].as_u64().unwrap() > 20);
}

#[test]
fn nothing_is_recorded_at_first() {
    let program = Program::start();
    let history = get(program.address, "history");
    assert_eq!(
        (&history["recording"], &history["at"]),
        (&json!(false), &json!(null))
    );
    let (status, body) = post(program.address, "look", &json!({"mark": 0}));
    assert_eq!(
        (status, &body["error"]["code"]),
        (404, &json!("unknown_mark"))
    );
}

#[test]
fn a_mark_shows_the_world_as_it_was() {
    let program = Program::start();
    let start = frames(&program);
    record(&program);
    run(program.address, "look", json!({"mark": 0}));
    let history = get(program.address, "history");
    assert_eq!(
        (&history["at"], &history["paused"]),
        (&json!(0), &json!(true))
    );
    let (first, last) = (frames(&program), history["last"].as_u64().unwrap());
    assert!(first >= start);
    run(program.address, "look", json!({"mark": 7}));
    assert_eq!(frames(&program), first + 7);
    run(program.address, "look", json!({"mark": last}));
    assert_eq!(frames(&program), first + last);
    let (status, _) = post(program.address, "look", &json!({"mark": last + 1}));
    assert_eq!(status, 404);
}

#[test]
fn the_game_continues_from_a_mark() {
    let program = Program::start();
    record(&program);
    run(program.address, "look", json!({"mark": 5}));
    let at = frames(&program);
    run(program.address, "step", json!({}));
    eventually(|| get(program.address, "history")["at"] == 6);
    assert_eq!(
        (
            frames(&program),
            get(program.address, "history")["last"].clone()
        ),
        (at + 1, json!(6))
    );
    run(program.address, "resume", json!({}));
    eventually(|| get(program.address, "history")["at"].as_u64().unwrap() > 10);
}

#[test]
fn an_edit_in_a_pause_is_marked_too() {
    let program = Program::start();
    record(&program);
    run(program.address, "look", json!({"mark": 3}));
    let edit = json!({"entity": "1v1", "component": "Position", "path": "/x", "value": 50.0});
    run(program.address, "set", edit);
    eventually(|| get(program.address, "history")["last"] == 4);
    run(program.address, "look", json!({"mark": 3}));
    assert_eq!(value(program.address, "1v1", "Position")["x"], 1.0);
    run(program.address, "look", json!({"mark": 4}));
    assert_eq!(value(program.address, "1v1", "Position")["x"], 50.0);
}

#[test]
fn a_destroyed_entity_is_revived() {
    let program = Program::start();
    record(&program);
    run(program.address, "pause", json!({}));
    let before = get(program.address, "history")["at"].clone();
    run(program.address, "destroy", json!({"entity": "4v1"}));
    eventually(|| get(program.address, "history")["at"] != before);
    run(program.address, "look", json!({"mark": before}));
    assert_eq!(
        value(program.address, "4v1", "Name"),
        json!({"text": "Ärger"})
    );
}

#[test]
fn the_oldest_marks_are_forgotten() {
    let program = Program::with(
        ecs_inspector::Inspector::builder().history_limit(10),
        |_| {},
    );
    record(&program);
    run(program.address, "pause", json!({}));
    let history = get(program.address, "history");
    let (first, last) = (
        history["first"].as_u64().unwrap(),
        history["last"].as_u64().unwrap(),
    );
    assert_eq!((last - first, history["limit"].clone()), (9, json!(10)));
    run(program.address, "look", json!({"mark": first}));
    let (status, _) = post(program.address, "look", &json!({"mark": first - 1}));
    assert_eq!(status, 404);
}

#[test]
fn recording_ends() {
    let program = Program::start();
    record(&program);
    run(program.address, "record", json!({"on": false}));
    let history = get(program.address, "history");
    assert_eq!(
        (&history["recording"], &history["changes"]),
        (&json!(false), &json!(0))
    );
    record(&program);
}

#[test]
fn what_the_program_records_itself_is_not_recorded() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let program = Program::with(ecs_inspector::Inspector::builder(), |game| {
        sender.send(ecs::Context::record(game)).unwrap();
    });
    let (status, body) = post(program.address, "record", &json!({"on": true}));
    assert_eq!((status, &body["error"]["code"]), (409, &json!("rejected")));
    assert!(
        get(program.address, "history")["rejected"]
            .as_str()
            .unwrap()
            .contains("Game")
    );
    drop(receiver);
}
