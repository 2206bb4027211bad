//! Large values: how much of them is visited, and how much is shown.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::stage::{Stage, Ui, UiEntity, UiEntityMut};

thread_local! {
    /// The number of elements written, printed or read on this thread.
    static VISITS: Cell<usize> = const { Cell::new(0) };
}

fn visit() {
    VISITS.set(VISITS.get() + 1);
}

/// An element that counts its visits.
#[derive(Clone, PartialEq)]
struct Counted(u32);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        visit();
        serializer.serialize_u32(self.0)
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        visit();
        u32::deserialize(deserializer).map(Self)
    }
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        visit();
        self.0.fmt(f)
    }
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Ui)]
struct Chunk {
    name: String,
    cells: Vec<Counted>,
    end: String,
}

/// Has only a hand-written `Debug`, which skips the rest once the output is no longer read.
#[derive(Component, Clone)]
#[component(context = Ui)]
struct Opaque {
    cells: Vec<Counted>,
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in &self.cells {
            _ = write!(f, "<{cell:?}>"); // does not stop on errors
        }
        Ok(())
    }
}

#[derive(Component, Clone, Debug)]
#[component(context = Ui)]
struct Locked(Arc<Mutex<Vec<Counted>>>);

const MANY: u32 = 1_000_000;

fn cells(count: u32) -> Vec<Counted> {
    (0..count).map(Counted).collect()
}

fn chunk(count: u32) -> Chunk {
    Chunk {
        name: "start".into(),
        cells: cells(count),
        end: "finish".into(),
    }
}

fn with<B: Bundle<Ui>>(values: B) -> Stage {
    let mut stage = Stage::new();
    let id = stage.world.ui.create_with(values).id();
    assert_eq!(id.to_string(), "1v1");
    VISITS.set(0);
    stage
}

/// Returns the first component of the entity `1v1` as shown.
fn shown(stage: &mut Stage) -> Value {
    let params = json!({"context": "Ui", "entity": "1v1"});
    stage.ask("get", "entity", params)["data"]["components"][0].clone()
}

/// Returns a window of a value of the entity `1v1`, or the error.
fn window(stage: &mut Stage, component: &str, path: &str, from: usize, count: usize) -> Value {
    let params = json!({
        "context": "Ui", "entity": "1v1", "component": component, "path": path, "from": from,
        "count": count,
    });
    let answer = stage.ask("get", "value", params);
    match answer.get("data") {
        Some(data) => data.clone(),
        None => answer["error"].clone(),
    }
}

/// F35.
#[test]
fn only_the_beginning_of_a_large_value_is_shown() {
    let mut stage = with(chunk(MANY));
    let value = shown(&mut stage);
    assert_eq!(value["cut"], true);
    let text = value["text"].as_str().unwrap();
    assert!(
        text.starts_with(r#"{"name":"start","cells":[0,1,2,3,"#),
        "{text}"
    );
    assert!(text.ends_with('…') && text.len() < 5000, "{}", text.len());
    assert!(VISITS.get() < 20_000, "{} of {MANY} visited", VISITS.get());
}

#[test]
fn only_the_beginning_of_large_debug_output_is_shown() {
    let mut stage = with(Opaque { cells: cells(MANY) });
    let value = shown(&mut stage);
    assert_eq!(value["cut"], true);
    assert!(
        value["text"].as_str().unwrap().starts_with("<0><1><2>"),
        "{value}"
    );
    assert!(VISITS.get() < 20_000, "{} of {MANY} visited", VISITS.get());
}

#[test]
fn a_mutex_that_is_shown_is_not_poisoned() {
    let cells = cells(10_000);
    let mut stage = with(Locked(Arc::new(Mutex::new(cells))));
    assert_eq!(shown(&mut stage)["cut"], true);
    let locked = stage.world.ui.query::<&Locked>().iter().next().unwrap();
    assert!(!locked.0.is_poisoned());
}

#[test]
fn a_small_value_is_not_cut() {
    let mut stage = with(chunk(0));
    let value = shown(&mut stage);
    assert_eq!(
        value["json"],
        json!({"name": "start", "cells": [], "end": "finish"})
    );
    assert_eq!(value["cut"], Value::Null);
}

#[test]
fn a_list_of_large_values_has_a_bounded_length() {
    let mut stage = with(Opaque { cells: cells(MANY) });
    for _ in 0..300 {
        let opaque = Opaque { cells: cells(1000) };
        stage.world.ui.create_with((opaque, chunk(1000)));
    }
    VISITS.set(0);
    let columns = ["Chunk", "Opaque", "Button"];
    let params = json!({"context": "Ui", "all": "Chunk", "columns": columns, "count": 200});
    let list = stage.ask("get", "entities", params)["data"].clone();
    assert_eq!(list["rows"].as_array().unwrap().len(), 200);
    assert!(
        list.to_string().len() < 100_000,
        "{} bytes",
        list.to_string().len()
    );
    assert!(VISITS.get() < 40_000, "{} visited", VISITS.get());
}

#[test]
fn a_large_value_is_shown_in_windows() {
    let mut stage = with((chunk(MANY), Opaque { cells: cells(MANY) }));
    let whole = window(&mut stage, "Chunk", "", 0, 100);
    assert_eq!(
        (&whole["kind"], &whole["count"]),
        (&json!("map"), &json!(3))
    );
    assert_eq!(whole["items"][0], json!({"key": "name", "json": "start"}));
    assert_eq!(
        (&whole["items"][1]["key"], &whole["items"][1]["cut"]),
        (&json!("cells"), &json!(true))
    );
    let list = window(&mut stage, "Chunk", "/cells", 5000, 2);
    assert_eq!(
        (&list["kind"], &list["count"]),
        (&json!("list"), &json!(MANY))
    );
    assert_eq!(list["items"], json!([{"json": 5000}, {"json": 5001}]));
    let one = window(&mut stage, "Chunk", "/cells/7000", 0, 1);
    assert_eq!(
        (&one["kind"], &one["items"]),
        (&json!("value"), &json!([{"json": 7000}]))
    );
    let end = window(&mut stage, "Chunk", "/end", 0, 100);
    assert_eq!(
        (&end["kind"], &end["items"][0]["text"]),
        (&json!("text"), &json!("finish"))
    );
    let printed = window(&mut stage, "Opaque", "", 3, 6);
    assert_eq!(printed["items"][0], json!({"text": "<1><2>", "cut": true}));
    assert!(VISITS.get() < 50_000, "{} visited", VISITS.get());
    VISITS.set(0);
    for (component, path, from, code, words) in [
        ("Chunk", "/cells", 900_000, "too_large", "hold up the game"),
        ("Chunk", "/cells/900000", 0, "too_large", "hold up the game"),
        ("Opaque", "", 900_000, "too_large", "hold up the game"),
        ("Chunk", "/sells", 0, "bad_request", "nothing at `/sells`"),
        ("Chunk", "/end/0", 0, "bad_request", "nothing at `/end/0`"),
        ("Opaque", "/cells", 0, "bad_request", "nothing at `/cells`"),
        ("Chunk", "cells", 0, "bad_request", "begins with `/`"),
        ("Button", "", 0, "bad_request", "no component `Button`"),
    ] {
        let error = window(&mut stage, component, path, from, 10);
        assert_eq!(error["code"], code, "{path}: {error}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{path}: {error}"
        );
    }
    assert!(VISITS.get() < 20_000, "{} visited", VISITS.get());
}

#[derive(Clone, Serialize, Deserialize)]
enum Kind {
    One,
    Two(u8),
    Three(u8, Vec<u8>),
    Four { x: Option<u8> },
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Ui)]
struct Mixed {
    kinds: Vec<Kind>,
    map: BTreeMap<u8, Kind>,
    text: String,
    nothing: Option<u8>,
}

#[test]
fn windows_descend_into_values_of_every_shape() {
    let kinds = vec![
        Kind::One,
        Kind::Two(2),
        Kind::Three(3, vec![4, 5]),
        Kind::Four { x: Some(6) },
    ];
    let map = BTreeMap::from([(7, Kind::One), (8, Kind::Two(9))]);
    let text = "ä".repeat(50);
    let mut stage = with(Mixed {
        kinds,
        map,
        text,
        nothing: None,
    });
    for (path, kind, items) in [
        ("/kinds/0", "value", json!([{"json": "One"}])),
        ("/kinds/1", "map", json!([{"key": "Two", "json": 2}])),
        ("/kinds/1/Two", "value", json!([{"json": 2}])),
        (
            "/kinds/2",
            "list",
            json!([{"key": "Three/0", "json": 3}, {"key": "Three/1", "json": [4, 5]}]),
        ),
        (
            "/kinds/2/Three/1",
            "list",
            json!([{"json": 4}, {"json": 5}]),
        ),
        ("/kinds/3", "map", json!([{"key": "Four/x", "json": 6}])),
        ("/kinds/3/Four/x", "value", json!([{"json": 6}])),
        (
            "/map",
            "map",
            json!([{"key": "7", "json": "One"}, {"key": "8", "json": {"Two": 9}}]),
        ),
        ("/map/8/Two", "value", json!([{"json": 9}])),
        ("/nothing", "value", json!([{"json": null}])),
    ] {
        let found = window(&mut stage, "Mixed", path, 0, 100);
        assert_eq!(
            (&found["kind"], &found["items"]),
            (&json!(kind), &items),
            "{path}: {found}"
        );
    }
    let text = window(&mut stage, "Mixed", "/text", 48, 100);
    assert_eq!(text["items"], json!([{"text": "ää"}]));
    let text = window(&mut stage, "Mixed", "/text", 10, 2);
    assert_eq!(text["items"], json!([{"text": "ää", "cut": true}]));
}

/// F35.
#[test]
fn a_search_reads_the_beginning_of_large_values_and_says_so() {
    let mut stage = with((chunk(MANY), Opaque { cells: cells(MANY) }));
    let search = |stage: &mut Stage, text: &str| {
        VISITS.set(0);
        let list = stage.ask("get", "entities", json!({"context": "Ui", "text": text}));
        assert!(VISITS.get() < 20_000, "{} of {MANY} visited", VISITS.get());
        list["data"].clone()
    };
    for (text, total) in [
        ("\"start\"", 1),
        ("<100>", 1),
        ("finish", 0),
        ("<100000>", 0),
    ] {
        let found = search(&mut stage, text);
        assert_eq!(
            (&found["total"], &found["cut"]),
            (&json!(total), &json!(1)),
            "{text}"
        );
    }
    let found = search(&mut stage, "chunk");
    assert_eq!(
        (&found["total"], &found["cut"]),
        (&json!(1), &Value::Null),
        "a name is found at once"
    );
}

#[test]
fn a_part_of_a_value_that_is_too_large_is_not_set() {
    let mut stage = with(chunk(MANY));
    let params = json!({
        "context": "Ui", "entity": "1v1", "component": "Chunk", "path": "/cells/5", "value": 9,
    });
    let error = stage.ask("do", "set", params)["error"].clone();
    assert_eq!(error["code"], "too_large", "{error}");
    assert!(
        error["message"].as_str().unwrap().contains("`Chunk`"),
        "{error}"
    );
    assert!(VISITS.get() < 20_000, "{} of {MANY} visited", VISITS.get());
}

/// F35.
#[test]
fn commands_that_take_long_are_done_over_several_frames() {
    let mut stage = with(chunk(2000));
    let set = |id: u32| {
        let params = json!({
            "context": "Ui", "entity": "1v1", "component": "Chunk", "path": "/cells/5", "value": id,
        });
        json!({"id": id, "do": "set", "params": params})
    };
    stage.ask_text(1, set(1).to_string());
    let one = VISITS.get();
    assert!(one > 2000);
    for id in 2..62 {
        stage.send(&set(id));
    }
    std::thread::sleep(std::time::Duration::from_millis(300)); // until all of them are queued
    VISITS.set(0);
    stage.frame();
    let in_a_frame = VISITS.get() / one;
    assert!((1..30).contains(&in_a_frame), "{in_a_frame} in one frame");
    stage.ask_text(62, set(62).to_string());
    let cell = |stage: &Stage| {
        stage
            .world
            .ui
            .query::<&Chunk>()
            .iter()
            .next()
            .unwrap()
            .cells[5]
            .0
    };
    assert_eq!(cell(&stage), 62);
}
