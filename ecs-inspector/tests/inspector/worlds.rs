//! Worlds of several contexts, and contexts that are replaced.

use ecs::prelude::*;
use ecs_inspector::Inspector;
use serde_json::{Value, json};

use crate::program::{Game, Position};
use crate::stage::{Button, Stage, Ui, World};

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
    assert_eq!(world["local"], json!([]));
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
fn all_contexts_rewind_together() {
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
fn a_replaced_context_is_shown_and_observed_but_no_longer_recorded() {
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
        history["rejected"]
            .as_str()
            .unwrap()
            .contains("`Game` has been replaced by another one")
    );
}

#[test]
fn a_reset_context_is_still_recorded() {
    let mut stage = Stage::new();
    stage.ask("do", "record", json!({"on": true}));
    stage.world.game.reset();
    (0..700).for_each(|_| stage.frame()); // more than the limit of marks
    stage.ask("do", "pause", json!({}));
    let mark = stage.ask("get", "history", json!({}))["data"]["at"].clone();
    stage.ask("do", "create", json!({"components": {"Frozen": {}}}));
    stage.ask("do", "look", json!({"mark": mark}));
    assert_eq!(stage.world.game.len(), 0);
}

/// A local context, because the inspector rejects those.
#[ecs::context(local)]
pub(crate) struct Canvas;

/// A world that has a local context first.
#[derive(Contexts)]
struct Screen {
    canvas: Canvas,
    ui: Ui,
}

fn error(answer: &Value) -> (&str, &str) {
    let field = |name: &str| answer["error"][name].as_str().unwrap();
    (field("code"), field("message"))
}

const LOCAL: &str = "context `Canvas` is local and not shown: its values stay on their thread, which the \
    inspector and the observers of its log may leave; a context without `local` is shown";

#[test]
fn a_local_context_is_named_as_one_that_is_not_shown() {
    let (canvas, mut ui) = (Canvas::new(), Ui::new());
    ui.create_with(Button(3));
    let mut stage = Stage::with(Screen { canvas, ui });
    let world = stage.ask("get", "world", json!({}))["data"].clone();
    assert_eq!(world["contexts"].as_array().unwrap().len(), 1);
    assert_eq!(world["local"], json!(["Canvas"]));
    for query in ["entities", "counts", "memory", "log"] {
        let answer = stage.ask("get", query, json!({"context": "Canvas"}));
        assert_eq!(error(&answer), ("unknown_context", LOCAL));
    }
    // The first one of those shown.
    assert_eq!(stage.ask("get", "entities", json!({}))["data"]["total"], 1);
    let answer = stage.ask("get", "entities", json!({"context": "Cnavas"}));
    let message = "there is no context `Cnavas`";
    assert_eq!(error(&answer), ("unknown_context", message));
}

#[test]
fn a_world_without_shared_contexts_says_why_nothing_is_shown() {
    let mut stage = Stage::with(Canvas::new());
    let world = stage.ask("get", "world", json!({}))["data"].clone();
    assert_eq!(world["contexts"], json!([]));
    assert_eq!(world["local"], json!(["Canvas"]));
    let answer = stage.ask("get", "entities", json!({}));
    assert_eq!(error(&answer), ("unknown_context", LOCAL));
    let answer = stage.ask("do", "create", json!({"components": {}}));
    assert_eq!(error(&answer), ("unknown_context", LOCAL));
}

fn tick(_: &mut World) {}

fn walk(_: &mut World) {}

/// Runs a frame of two lists, of which the first repeats.
fn frame_of_two(stage: &mut Stage, steps: &mut Systems<World>) {
    steps.execute(&mut stage.world);
    stage.systems.execute(&mut stage.world);
    let lists = &mut [steps, &mut stage.systems];
    stage.inspector.update(&mut stage.world, lists);
}

#[test]
fn several_lists_are_shown_with_their_systems_also_those_in_steps() {
    let mut stage = Stage::new();
    let physics = Systems::with_name("Physics").add(tick);
    let mut left = 0;
    let physics = physics.repeat_while(move |_: &mut World| {
        left = (left + 1) % 4; // three steps a frame
        left > 0
    });
    let mut steps = Systems::with_name("Steps").add(physics);
    stage.systems = Systems::with_name("Frame").add(walk);
    let mut ask = |stage: &mut Stage, kind: &str, name: &str, params| {
        stage.ask_with(kind, name, params, |stage| frame_of_two(stage, &mut steps))
    };
    ask(&mut stage, "get", "systems", json!({})); // starts measuring
    let tree = ask(&mut stage, "get", "systems", json!({}))["data"].clone();
    let rows = tree["systems"].as_array().unwrap();
    let names: Vec<_> = rows
        .iter()
        .map(|row| json!([row["depth"], row["name"], row["list"]]))
        .collect();
    let expected = json!([
        [0, "Steps", true],
        [1, "Physics", false],
        [2, "tick", false],
        [0, "Frame", true],
        [1, "walk", false],
    ]);
    assert_eq!(json!(names), expected);
    let calls = |row: usize| rows[row]["execute"]["calls"].as_u64().unwrap();
    assert_eq!((calls(2), calls(0)), (3 * calls(1), calls(1)));

    let off = json!({"system": "tick", "enabled": false});
    assert_eq!(ask(&mut stage, "do", "enable", off)["data"], json!({}));
    ask(&mut stage, "do", "pause", json!({}));
    assert!(stage.systems.is_suspended());
    let unknown = ask(
        &mut stage,
        "do",
        "enable",
        json!({"system": "run", "enabled": false}),
    );
    assert_eq!(unknown["error"]["code"], "unknown_system");
    assert!(steps.is_suspended() && steps.is_enabled("tick") == Some(false));
}

#[test]
fn an_inspector_that_is_off_does_nothing() {
    let mut stage = Stage::new();
    stage.inspector = Inspector::off();
    stage.frame();
    assert!(!stage.inspector.is_on() && !stage.inspector.is_paused());
    assert_eq!(stage.inspector.address(), None);
}
