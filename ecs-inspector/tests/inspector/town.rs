//! Components with attributes that the inspector shows: labels, states, one that is not `Clone`.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::stage::Stage;

#[ecs::context]
struct Town;

#[derive(Component, Clone, Debug)]
#[component(context = Town, label)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Town, unique, state)]
enum Mode {
    Day,
    Night,
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Town, unique)]
struct Mayor(u32);

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Town)]
struct LivesIn {
    #[component(relation)]
    house: EntityId<Town>,
}

/// Cannot be copied.
#[derive(Component, Debug)]
#[component(context = Town)]
struct Window(u32);

/// Queries skip entities that have it.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Town, disables)]
struct Disabled;

/// Has hints for its fields.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Town)]
struct Lamp {
    #[component(range = 0..=100)]
    power: u8,
    #[component(color)]
    light: [f32; 3],
    #[component(hidden)]
    handle: u64,
}

/// Tools omit it.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Town, hidden, unique)]
struct Seed(u64);

fn town() -> Stage<Town> {
    let mut town = Town::new();
    let house = town.create_with((Name("House".into()), Window(1))).id();
    town.create_with((Name("Ann".into()), LivesIn { house }));
    town.set_mode(Mode::Day);
    Stage::with(town)
}

fn get(stage: &mut Stage<Town>, query: &str, params: Value) -> Value {
    stage.ask("get", query, params)["data"].clone()
}

#[test]
fn entities_are_shown_with_their_labels() {
    let mut stage = town();
    let rows = get(&mut stage, "entities", json!({}))["rows"].clone();
    assert_eq!(
        (&rows[0]["label"], &rows[1]["label"]),
        (&json!("House"), &json!("Ann"))
    );
    assert!(rows[2].get("label").is_none());
    let entity = get(&mut stage, "entity", json!({"entity": "1v1"}));
    assert_eq!(entity["label"], "Ann");
    let tree = json!({"relation": "LivesIn", "entity": "0v1"});
    let tree = get(&mut stage, "tree", tree);
    assert_eq!(
        (&tree["label"], &tree["children"][0]["label"]),
        (&json!("House"), &json!("Ann"))
    );
    let world = get(&mut stage, "world", json!({}));
    let components = world["contexts"][0]["components"].as_array().unwrap();
    let labels = components.iter().filter(|it| it["label"] == true);
    assert_eq!(labels.map(|it| &it["name"]).collect::<Vec<_>>(), ["Name"]);
}

#[test]
fn hints_are_sent_with_the_components() {
    let mut stage = town();
    let world = get(&mut stage, "world", json!({}));
    let components = world["contexts"][0]["components"].as_array().unwrap();
    let hints = |name: &str| {
        let component = components.iter().find(|it| it["name"] == name).unwrap();
        component.get("hints").cloned()
    };
    let expected = json!([
        {"path": "/power", "kind": "range", "from": 0.0, "to": 100.0},
        {"path": "/light", "kind": "color"},
        {"path": "/handle", "kind": "hidden"},
    ]);
    assert_eq!((hints("Lamp"), hints("Mode")), (Some(expected), None));
}

#[test]
fn entities_with_two_coordinates_are_points() {
    let mut stage = town();
    for power in 0..10 {
        stage.world.create_entity().add_lamp(power, [0.5; 3], 1);
    }
    let ask = json!({"x": "Lamp/power", "y": "Lamp/light/1", "color": "Lamp/light"});
    let points = get(&mut stage, "points", ask.clone());
    assert_eq!(points["total"], 10);
    assert_eq!(
        points["points"][1],
        json!(["4v1", 1.0, 0.5, [0.5, 0.5, 0.5]])
    );
    let few = get(
        &mut stage,
        "points",
        json!({"x": "Lamp/power", "y": "Lamp/power", "color": "Name", "count": 4}),
    );
    assert_eq!(few["points"].as_array().unwrap().len(), 4);
    assert_eq!(few["points"][1], json!(["6v1", 3.0, 3.0, null]));
    let none = get(
        &mut stage,
        "points",
        json!({"x": "Lamp/power", "y": "Lamp/power", "none": "Lamp"}),
    );
    assert_eq!((&none["total"], &none["points"]), (&json!(0), &json!([])));
    let error = stage.ask("get", "points", json!({"x": "Door/x", "y": "Lamp/power"}));
    assert_eq!(error["error"]["code"], "unknown_component");
    assert_eq!(
        stage.ask("get", "points", json!({}))["error"]["code"],
        "bad_request"
    );

    assert_eq!(stage.watch("points", ask.clone())["data"]["total"], 10);
}

#[test]
fn the_log_has_labels() {
    let mut stage = town();
    stage.ask("do", "log", json!({"on": true}));
    stage.ask(
        "do",
        "remove",
        json!({"entity": "0v1", "component": "Window"}),
    );
    stage.ask("do", "create", json!({}));
    let entries = get(&mut stage, "log", json!({}))["entries"].clone();
    assert_eq!(
        (&entries[0]["entity"], &entries[0]["label"]),
        (&json!("0v1"), &json!("House"))
    );
    assert!(entries[1].get("label").is_none());
}

#[test]
fn the_log_says_what_triggered_a_system() {
    let mut stage = town();
    let lit = Town::all_of::<Lamp>().updated();
    let light = |town: &mut Town, id| {
        town.entity_mut(id).replace_window(3);
    };
    stage.systems = Systems::new()
        .for_each_changed(&mut stage.world, lit, light)
        .named("Light");
    let house = stage.world.entities().next().unwrap().id();
    stage.world.entity_mut(house).add_lamp(1, [1.0; 3], 2);
    stage.ask("do", "log", json!({"on": true}));
    stage.frame();
    stage
        .world
        .entity_mut(house)
        .update_lamp(|lamp| lamp.power = 9);
    stage.frame();
    stage.frame();
    let log = get(&mut stage, "log", json!({}));
    let entries = log["entries"].as_array().unwrap();
    let last = entries
        .iter()
        .rev()
        .find(|it| it["component"] == "Window")
        .unwrap();
    let woken_by = json!({
        "context": "Town", "entity": "0v1", "label": "House", "count": 1,
        "kind": "replaced", "component": "Lamp",
    });
    assert_eq!(
        (&last["by"], &last["woken_by"]),
        (&json!("Light"), &woken_by)
    );
    assert!(entries[0].get("woken_by").is_none());
}

#[test]
fn unique_components_and_states_have_a_query() {
    let mut stage = town();
    let uniques = get(&mut stage, "uniques", json!({}))["uniques"].clone();
    let mayor = json!({"name": "Mayor", "entity": null, "value": null});
    let mode = json!({"name": "Mode", "entity": "2v1", "value": {"json": "Day"}});
    assert_eq!(uniques, json!([mayor, mode]));
    let set = json!({"entity": "2v1", "component": "Mode", "path": "", "value": "Night"});
    assert_eq!(stage.ask("do", "set", set)["data"], json!({}));
    assert_eq!(stage.world.mode(), &Mode::Night);
    stage
        .world
        .entity_mut(stage.world.mode_entity().unwrap().id())
        .add_name("Clock".into());
    let uniques = get(&mut stage, "uniques", json!({"context": "Town"}))["uniques"].clone();
    assert_eq!(
        (&uniques[1]["label"], &uniques[1]["value"]["json"]),
        (&json!("Clock"), &json!("Night"))
    );
    let world = get(&mut stage, "world", json!({}));
    let components = world["contexts"][0]["components"].as_array().unwrap();
    let states = components.iter().filter(|it| it["state"] == true);
    assert_eq!(states.map(|it| &it["name"]).collect::<Vec<_>>(), ["Mode"]);
}

#[test]
fn components_that_are_not_clone_can_be_excluded_from_recording() {
    let mut stage = town();
    let rejected = stage.ask("do", "record", json!({"on": true}));
    assert_eq!(rejected["error"]["code"], "rejected");
    let unknown = stage.ask("do", "record", json!({"on": true, "exclude": ["Door"]}));
    assert_eq!(unknown["error"]["code"], "unknown_component");
    let elsewhere = stage.ask(
        "do",
        "record",
        json!({"on": true, "exclude": ["Ui.Window"]}),
    );
    assert_eq!(elsewhere["error"]["code"], "unknown_component");

    let done = stage.ask(
        "do",
        "record",
        json!({"on": true, "exclude": ["Town.Window"]}),
    );
    assert_eq!(done["data"], json!({}));
    let history = get(&mut stage, "history", json!({}));
    assert_eq!(
        (&history["recording"], &history["excluded"]),
        (&json!(true), &json!(["Town.Window"]))
    );
    stage.ask("do", "pause", json!({}));
    let mark = get(&mut stage, "history", json!({}))["at"].clone();
    let house = stage.world.entities().next().unwrap().id();
    stage.world.set_mode(Mode::Night);
    stage.world.entity_mut(house).replace_window(2);
    stage.ask("do", "look", json!({"mark": mark}));
    assert_eq!(
        (stage.world.mode(), stage.world.entity(house).window().0),
        (&Mode::Day, 2)
    );

    stage.ask("do", "record", json!({"on": false}));
    assert_eq!(get(&mut stage, "history", json!({}))["excluded"], json!([]));
    let again = stage.ask("do", "record", json!({"on": true, "exclude": "Window"}));
    assert_eq!(again["data"], json!({}));
}

#[test]
fn a_system_keeps_its_id_when_others_are_added_or_removed() {
    let mut stage = town();
    let inner = Systems::with_name("Inner")
        .add(|_: &mut Town| ())
        .named("Last");
    let first = |_: &mut Town| ();
    stage.systems = Systems::new().add(first).named("First").add(inner);
    let ids = |stage: &mut Stage<Town>| {
        let systems = get(stage, "systems", json!({}))["systems"].clone();
        let rows = systems.as_array().unwrap().iter();
        rows.map(|row| json!([row["id"], row["name"]]))
            .collect::<Vec<_>>()
    };
    let both = [json!(["0.1", "Inner"]), json!(["0.1.0", "Last"])];
    assert_eq!(
        ids(&mut stage),
        [json!(["0.0", "First"]), both[0].clone(), both[1].clone()]
    );
    stage.systems.remove(&mut stage.world, "First");
    assert_eq!(ids(&mut stage), both);
}

#[test]
fn disabled_entities_are_shown_like_others() {
    let mut stage = town();
    let id = stage.world.create_entity().add_lamp(3, [0.5; 3], 1).id();
    stage.world.entity_mut(id).add_mayor(7).add_disabled();
    let rows = get(&mut stage, "entities", json!({"all": "Lamp"}));
    assert_eq!(
        (&rows["total"], &rows["rows"][0]["entity"]),
        (&json!(1), &json!(id.to_string()))
    );
    let total = get(&mut stage, "entities", json!({}))["total"].clone();
    assert_eq!(total, stage.world.len());
    let points = json!({"x": "Lamp/power", "y": "Lamp/power"});
    assert_eq!(get(&mut stage, "points", points)["total"], 1);
    let uniques = get(&mut stage, "uniques", json!({})).to_string();
    assert!(uniques.contains(&id.to_string()), "{uniques}");

    stage.ask("do", "log", json!({"on": true}));
    stage.world.entity_mut(id).replace_mayor(8);
    let entries = get(&mut stage, "log", json!({}))["entries"].clone();
    assert_eq!(
        (entries.as_array().unwrap().len(), &entries[0]["component"]),
        (1, &json!("Mayor"))
    );
}

#[test]
fn hidden_components_are_omitted() {
    let mut stage = town();
    stage.world.set_seed(7).add_name("Clock".into());
    let world = get(&mut stage, "world", json!({}));
    let components = world["contexts"][0]["components"].as_array().unwrap();
    let hidden = components.iter().filter(|it| it["hidden"] == true);
    assert_eq!(hidden.map(|it| &it["name"]).collect::<Vec<_>>(), ["Seed"]);
    let name = components.iter().position(|it| it["name"] == "Name");
    let rows = get(&mut stage, "entities", json!({}))["rows"].clone();
    assert_eq!(rows[3]["has"], json!([name]));
    let entity = get(&mut stage, "entity", json!({"entity": "3v1"}));
    assert_eq!(entity["components"].as_array().unwrap().len(), 1);
    let uniques = get(&mut stage, "uniques", json!({}))["uniques"].clone();
    assert_eq!(uniques.as_array().unwrap().len(), 2, "the others");
}
