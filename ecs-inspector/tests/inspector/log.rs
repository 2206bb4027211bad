//! The log of changes.

use ecs::prelude::*;
use serde_json::{Value, json};

use crate::client::{Socket, eventually, get, run};
use crate::program::{Position, Program};
use crate::stage::{Stage, World};

fn entries(log: &Value) -> &Vec<Value> {
    log["entries"].as_array().unwrap()
}

#[test]
fn a_change_is_logged_with_both_values_and_its_author() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    socket.send(json!({"id": 1, "watch": "log", "params": {"components": ["Frames"]}}));
    let log = loop {
        let log = socket.read_of(1)["data"].clone();
        if !entries(&log).is_empty() {
            break log;
        }
    };
    let entry = &entries(&log)[0];
    assert_eq!(
        (&entry["entity"], &entry["kind"]),
        (&json!("0v1"), &json!("replaced"))
    );
    assert_eq!(
        (&entry["component"], &entry["by"]),
        (&json!("Frames"), &json!("Move"))
    );
    let number = |value: &Value| value["json"].as_u64();
    assert_eq!(entry["context"], "Game");
    assert!(number(&entry["new"]).is_some() || entry["new"]["json"].is_u64());
    let next = socket.read_of(1)["data"].clone();
    assert!(
        entries(&next)[0]["seq"].as_u64() > entry["seq"].as_u64(),
        "it is not reported twice"
    );
}

#[test]
fn an_edit_is_logged_as_the_inspectors() {
    let program = Program::start();
    run(program.address, "log", json!({"on": true}));
    eventually(|| !entries(&get(program.address, "log")).is_empty());
    let edit = json!({"entity": "1v1", "component": "Position", "path": "/x", "value": 50.0});
    run(program.address, "set", edit);
    let made = run(
        program.address,
        "create",
        json!({"components": {"Frozen": {}}}),
    );
    run(program.address, "destroy", made.clone());
    let kinds = || {
        let log = get(
            program.address,
            &format!("log?entity={}", made["entity"].as_str().unwrap()),
        );
        let all = entries(&log).iter();
        let inspectors: Vec<_> = all.clone().filter(|it| it["by"] == "inspector").collect();
        assert_eq!(inspectors.len(), entries(&log).len());
        all.map(|it| it["kind"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    eventually(|| kinds().len() == 4);
    assert_eq!(kinds(), ["created", "added", "removed", "destroyed"]);
    let log = get(program.address, "log?components=Position&entity=1v1");
    let entry = &entries(&log)[0];
    assert_eq!(entry["old"], json!({"json": {"x": 1.0, "y": 2.0}}));
    assert_eq!(entry["new"], json!({"json": {"x": 50.0, "y": 2.0}}));
}

#[test]
fn the_log_continues_from_a_number() {
    let program = Program::start();
    run(program.address, "log", json!({"on": true}));
    eventually(|| get(program.address, "log?count=3")["last"].as_u64() >= Some(3));
    let first = get(program.address, "log?count=3");
    let seqs: Vec<_> = entries(&first)
        .iter()
        .map(|it| it["seq"].as_u64().unwrap())
        .collect();
    assert_eq!((seqs, first["last"].as_u64()), (vec![1, 2, 3], Some(3)));
    let next = get(program.address, "log?since=3&count=1");
    assert_eq!(entries(&next)[0]["seq"], 4);
}

#[test]
fn nothing_is_logged_while_no_client_watches() {
    let program = Program::start();
    let (mut socket, _) = Socket::connect(program.address);
    socket.send(json!({"id": 1, "watch": "log", "params": {}}));
    socket.read_of(1);
    socket.read_of(1);
    socket.send(json!({"unwatch": 1}));
    drop(socket);
    eventually(|| {
        let last = get(program.address, "log")["last"].clone();
        std::thread::sleep(std::time::Duration::from_millis(20));
        get(program.address, "log")["last"] == last
    });
}

#[test]
fn too_many_changes_in_a_frame_are_counted() {
    let mut stage = Stage::new();
    stage.ask("do", "log", json!({"on": true}));
    stage.frame();
    let positions = (0..300).map(|nth| Position {
        x: nth as f32,
        y: 0.0,
    });
    stage.world.game.create_many(positions); // created, and added
    let log = stage.ask("get", "log", json!({"count": 500}))["data"].clone();
    assert_eq!((entries(&log).len(), &log["lost"]), (500, &json!(100)));
}

/// Moves all entities.
fn walk(world: &mut World) {
    world
        .game
        .query_mut::<&mut Position>()
        .for_each(|at| at.x += 1.0);
}

#[test]
fn expected_changes_are_kept_however_much_changes() {
    let mut stage = Stage::new();
    let crowd = (0..600).map(|_| Position { x: 0.0, y: 0.0 });
    stage.world.game.create_many(crowd);
    stage.systems = Systems::new().add(walk).named("Walk");
    let last = "600v1";
    stage.watch("log", json!({ "entity": last }));
    let edit = json!({"entity": "1v1", "component": "Position", "path": "/y", "value": 50.0});
    stage.ask("do", "set", edit);
    let of = |stage: &mut Stage, entity: &str| {
        let log = stage.ask("get", "log", json!({ "entity": entity, "count": 500 }));
        let data = log["data"].clone();
        assert!(data["lost"].as_u64() > Some(100));
        entries(&data).clone()
    };
    let edited = of(&mut stage, "1v1");
    assert!(edited.iter().any(|it| it["by"] == "inspector"));
    let watched = of(&mut stage, last);
    assert!(watched.iter().any(|it| it["by"] == "Walk"));
    assert!(of(&mut stage, "599v1").is_empty(), "no client waits for it");
}
