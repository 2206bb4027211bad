//! Worlds of several contexts, and contexts that are replaced.

use ecs::prelude::*;
use ecs_inspector::Inspector;
use serde_json::json;

use crate::program::{Game, Position};
use crate::stage::Stage;

#[test]
fn each_context_of_a_world_is_shown() {
    let mut stage = Stage::new();
    let world = stage.ask("get", "world", json!({}))["data"].clone();
    let names: Vec<_> = world["contexts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["Game", "Ui"]);
    let list = stage.ask(
        "get",
        "entities",
        json!({"context": "Ui", "columns": "Button"}),
    );
    assert_eq!(
        list["data"]["rows"][0]["values"]["Button"]["text"],
        "Button(3)"
    );
    assert_eq!(stage.ask("get", "entities", json!({}))["data"]["total"], 6);
    let destroyed = stage.ask("do", "destroy", json!({"context": "Ui", "entity": "0v1"}));
    assert_eq!(destroyed["data"], json!({}));
    assert!(stage.world.ui.is_empty());
}

#[test]
fn all_contexts_go_back_together() {
    let mut stage = Stage::new();
    stage.ask("do", "record", json!({"on": true}));
    stage.ask("do", "pause", json!({}));
    let mark = stage.ask("get", "history", json!({}))["data"]["at"].clone();
    stage.ask("do", "destroy", json!({"context": "Ui", "entity": "0v1"}));
    stage.ask("do", "destroy", json!({"context": "Game", "entity": "4v1"}));
    assert_eq!((stage.world.ui.len(), stage.world.game.len()), (0, 5));
    stage.ask("do", "look", json!({"mark": mark}));
    assert_eq!((stage.world.ui.len(), stage.world.game.len()), (1, 6));
}

#[test]
fn a_context_that_is_replaced_is_shown_and_followed_and_no_longer_recorded() {
    let mut stage = Stage::new();
    stage.ask("do", "record", json!({"on": true}));
    stage.ask("do", "log", json!({"on": true}));
    stage.world.game = Game::new();
    stage.frame();
    stage.world.game.create_with(Position { x: 1.0, y: 1.0 });
    assert_eq!(stage.ask("get", "entities", json!({}))["data"]["total"], 1);
    let log = stage.ask("get", "log", json!({"components": "Position"}))["data"].clone();
    assert_eq!(log["entries"].as_array().unwrap().len(), 1);
    let history = stage.ask("get", "history", json!({}))["data"].clone();
    assert_eq!(history["recording"], false);
    assert!(
        history["refused"]
            .as_str()
            .unwrap()
            .contains("another `Game`")
    );
}

#[test]
fn a_context_that_is_reset_goes_on_being_recorded() {
    let mut stage = Stage::new();
    stage.ask("do", "record", json!({"on": true}));
    stage.world.game.reset();
    (0..700).for_each(|_| stage.frame()); // more than there are marks
    stage.ask("do", "pause", json!({}));
    let mark = stage.ask("get", "history", json!({}))["data"]["at"].clone();
    stage.ask("do", "create", json!({"components": {"Frozen": {}}}));
    stage.ask("do", "look", json!({"mark": mark}));
    assert_eq!(stage.world.game.len(), 0);
}

#[test]
fn an_inspector_that_is_off_does_nothing() {
    let mut stage = Stage::new();
    stage.inspector = Inspector::off();
    stage.frame();
    assert!(!stage.inspector.is_on() && !stage.inspector.is_paused());
    assert_eq!(stage.inspector.address(), None);
}
