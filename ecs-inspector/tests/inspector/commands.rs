//! Commands, and that rejected ones change nothing.

use serde_json::{Value, json};

use crate::client::{error, eventually, get, post, request, run, value};
use crate::program::Program;

fn rejected(program: &Program, command: &str, params: Value) -> (u16, String) {
    let (status, body) = post(program.address, command, &params);
    (
        status,
        body["error"]["code"].as_str().unwrap_or("none").to_owned(),
    )
}

#[test]
fn a_component_is_replaced_and_systems_react() {
    let program = Program::start();
    let seen = || value(program.address, "5v1", "Seen").as_u64().unwrap();
    let before = seen();
    let position = json!({"x": 3.5, "y": 4.0});
    let params = json!({"entity": "1v1", "component": "Position", "value": position});
    assert_eq!(run(program.address, "replace", params), json!({}));
    assert_eq!(value(program.address, "1v1", "Position"), position);
    eventually(|| seen() == before + 1);
}

#[test]
fn one_field_is_set_and_the_others_stay() {
    let program = Program::start();
    let set = |path: &str, value: Value| json!({"entity": "1v1", "component": "Position", "path": path, "value": value});
    run(program.address, "set", set("/x", json!(9)));
    assert_eq!(
        value(program.address, "1v1", "Position"),
        json!({"x": 9.0, "y": 2.0})
    );
    run(program.address, "set", set("", json!({"x": 1.0, "y": 1.0})));
    assert_eq!(
        value(program.address, "1v1", "Position"),
        json!({"x": 1.0, "y": 1.0})
    );
    assert_eq!(
        rejected(&program, "set", set("/z", json!(1))),
        (400, "bad_request".into())
    );
    assert_eq!(
        rejected(&program, "set", set("/x", json!("a"))),
        (400, "bad_request".into())
    );
    assert_eq!(
        value(program.address, "1v1", "Position"),
        json!({"x": 1.0, "y": 1.0})
    );
}

#[test]
fn a_component_is_added_and_removed() {
    let program = Program::start();
    let frozen = json!({"entity": "1v1", "component": "Frozen"});
    let with = json!({"entity": "1v1", "component": "Frozen", "value": {}});
    run(program.address, "add", with.clone());
    assert_eq!(value(program.address, "1v1", "Frozen"), json!({}));
    assert_eq!(rejected(&program, "add", with), (409, "rejected".into()));
    run(program.address, "remove", frozen.clone());
    assert_eq!(value(program.address, "1v1", "Frozen"), Value::Null);
    assert_eq!(
        rejected(&program, "remove", frozen),
        (409, "rejected".into())
    );
}

#[test]
fn a_component_without_serde_can_be_removed_but_not_written() {
    let program = Program::start();
    let write = json!({"entity": "1v1", "component": "Handle", "value": 7});
    assert_eq!(
        rejected(&program, "replace", write),
        (409, "rejected".into())
    );
    run(
        program.address,
        "remove",
        json!({"entity": "1v1", "component": "Handle"}),
    );
    let entity = get(program.address, "entity?entity=1v1");
    assert_eq!(entity["components"].as_array().unwrap().len(), 1);
}

#[test]
fn entities_are_created_and_destroyed() {
    let program = Program::start();
    let create = |params: Value| {
        let made = run(program.address, "create", params);
        made["entity"].as_str().unwrap().to_owned()
    };
    let plain = create(json!({"components": {"Position": {"x": 1.0, "y": 1.0}, "Frozen": {}}}));
    assert_eq!(value(program.address, &plain, "Position")["x"], 1.0);
    let walker =
        create(json!({"template": "walker", "components": {"Velocity": {"dx": 2.0, "dy": 0.0}}}));
    assert_eq!(value(program.address, &walker, "Position")["x"], 7.0);
    assert_eq!(value(program.address, &walker, "Velocity")["dx"], 2.0);
    let copy = create(json!({"like": "2v1"}));
    let parent =
        get(program.address, &format!("entity?entity={copy}"))["relations"][0]["target"].clone();
    assert_eq!(parent, "1v1");
    let empty = create(json!({}));
    run(program.address, "destroy", json!({"entity": empty}));
    assert_eq!(
        rejected(&program, "destroy", json!({"entity": empty})),
        (404, "unknown_entity".into())
    );
}

#[test]
fn a_rejected_creation_leaves_no_entity() {
    let program = Program::start();
    let count = || get(program.address, "entities")["total"].as_u64().unwrap();
    let before = count();
    let params = json!({"components": {"Frozen": {}, "Name": {"text": "Ärger"}}});
    assert_eq!(
        rejected(&program, "create", params),
        (409, "rejected".into())
    );
    let params = json!({"components": {"Frozen": {}, "Position": 3}});
    assert_eq!(
        rejected(&program, "create", params),
        (400, "bad_request".into())
    );
    let params = json!({"template": "runner"});
    assert_eq!(
        rejected(&program, "create", params),
        (404, "unknown_template".into())
    );
    let params = json!({"template": "walker", "like": "1v1"});
    assert_eq!(
        rejected(&program, "create", params),
        (400, "bad_request".into())
    );
    assert_eq!(count(), before);
}

#[test]
fn systems_pause_step_and_resume() {
    let program = Program::start();
    let frames = || value(program.address, "0v1", "Frames").as_u64().unwrap();
    run(program.address, "pause", json!({}));
    assert_eq!(get(program.address, "systems")["paused"], true);
    let at = frames();
    run(program.address, "step", json!({"frames": 3}));
    eventually(|| get(program.address, "systems")["paused"] == true);
    assert_eq!(frames(), at + 3);
    run(program.address, "step", json!({}));
    eventually(|| frames() == at + 4);
    run(program.address, "resume", json!({}));
    eventually(|| frames() > at + 10);
    assert_eq!(get(program.address, "systems")["paused"], false);
}

#[test]
fn invalid_numbers_are_rejected_with_a_helpful_message() {
    let program = Program::start();
    let step = |frames: &str| {
        let headers = [("Content-Type", "application/json")];
        let body = format!("{{\"frames\": {frames}}}");
        request(program.address, "POST", "/api/step", &headers, &body)
    };
    for frames in [
        "18446744073709551615",
        "18446744073709551616",
        "4294967296",
        "-1",
        "-0",
        "1.5",
        "1e3",
        "\"+1\"",
        "\"many\"",
        "\"\"",
        "null",
        "[1]",
        "{}",
        "true",
    ] {
        let (status, body) = step(frames);
        let said = frames.trim_matches('"');
        let message = format!("`frames` must be a whole number from 0 to 4294967295, not `{said}`");
        assert_eq!(status, 400, "{frames}");
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["error"]["message"], message);
    }
    assert_eq!(step(&"9".repeat(10_000)).0, 400);
    assert_eq!(get(program.address, "systems")["paused"], false);
    assert_eq!(step("4294967295").0, 200);
    assert_eq!(step("\"7\"").0, 200);
}

#[test]
fn a_system_is_switched_off_and_on() {
    let program = Program::start();
    let frames = || value(program.address, "0v1", "Frames").as_u64().unwrap();
    run(
        program.address,
        "enable",
        json!({"system": "Move", "enabled": false}),
    );
    let at = frames();
    let state = get(program.address, "systems")["systems"][0].clone();
    assert_eq!(
        (&state["enabled"], &state["state"]),
        (&json!(false), &json!("off"))
    );
    assert_eq!(frames(), at);
    run(
        program.address,
        "enable",
        json!({"system": "Move", "enabled": true}),
    );
    eventually(|| frames() > at);
    let unknown = rejected(
        &program,
        "enable",
        json!({"system": "Nope", "enabled": true}),
    );
    assert_eq!(unknown, (404, "unknown_system".into()));
}

#[test]
fn commands_that_cannot_be_read_change_nothing() {
    let program = Program::start();
    let before = get(program.address, "entity?entity=1v1");
    let send = |path: &str, body: &str| {
        let headers = [("Content-Type", "application/json")];
        error(request(
            program.address,
            "POST",
            &format!("/api/{path}"),
            &headers,
            body,
        ))
    };
    for body in [
        "{",
        "[]",
        "7",
        "{}",
        r#"{"entity": "1v1", "component": "Position"}"#,
        r#"{"entity": "1v1", "component": "Position", "value": null}"#,
        r#"{"entity": "1v1", "component": "Position", "value": {"x": 1.0}}"#,
        r#"{"entity": "1v1", "component": "Position", "value": {"x": 1.0, "y": "b"}}"#,
        r#"{"entity": 1, "component": "Position", "value": {"x": 1.0, "y": 1.0}}"#,
        r#"{"entity": "1v1", "component": "Position", "value": {"x": 1.0, "y": 1.0}, "more": 1}"#,
        &format!("{}1{}", "[".repeat(2000), "]".repeat(2000)),
    ] {
        assert_eq!(send("replace", body), (400, "bad_request".into()), "{body}");
    }
    assert_eq!(send("nothing", "{}"), (404, "unknown_command".into()));
    assert_eq!(
        send("step", r#"{"frames": -1}"#),
        (400, "bad_request".into())
    );
    assert_eq!(get(program.address, "entity?entity=1v1"), before);
}
