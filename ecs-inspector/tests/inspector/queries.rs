//! The answers to queries.

use serde_json::{Value, json};

use crate::client::{eventually, get, get_error, request};
use crate::program::Program;

fn ids(list: &Value) -> Vec<&str> {
    let rows = list["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["entity"].as_str().unwrap())
        .collect()
}

#[test]
fn the_world_has_its_components_groups_and_templates() {
    let program = Program::start();
    let world = get(program.address, "world");
    assert_eq!(world["title"], "Test");
    assert_eq!(world["read_only"], false);
    let context = &world["contexts"][0];
    assert_eq!(
        (&context["name"], &context["templates"]),
        (&json!("Game"), &json!(["walker"]))
    );
    let component = |name: &str| {
        let components = context["components"].as_array().unwrap();
        components
            .iter()
            .find(|component| component["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(component("Position")["editable"], true);
    assert_eq!(component("Position")["size"], 8);
    assert_eq!(component("Handle")["editable"], false);
    assert_eq!(component("Frozen")["flag"], true);
    assert_eq!(component("Frozen")["editable"], true);
    assert_eq!(component("Frames")["unique"], true);
    assert_eq!(component("Parent")["relation"], true);
    assert!(
        context["groups"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it["name"] == "AllOf(Position)")
    );
}

#[test]
fn a_list_is_narrowed_by_components() {
    let program = Program::start();
    let list = |query: &str| get(program.address, &format!("entities?{query}"));
    assert_eq!(list("")["total"], 6);
    assert_eq!(ids(&list("all=Position")), ["1v1", "2v1", "3v1", "4v1"]);
    assert_eq!(ids(&list("all=Position,Parent&none=Frozen")), ["2v1"]);
    assert_eq!(ids(&list("any=Name,Frozen")), ["3v1", "4v1"]);
    assert_eq!(ids(&list("none=Position")), ["0v1", "5v1"]);
    assert_eq!(
        ids(&list("all=Position&context=Game")),
        ["1v1", "2v1", "3v1", "4v1"]
    );
}

#[test]
fn a_list_has_a_window_and_columns() {
    let program = Program::start();
    let list = get(
        program.address,
        "entities?all=Position&columns=Position,Handle&from=0&count=2",
    );
    assert_eq!(
        (&list["total"], &list["complete"]),
        (&json!(4), &json!(true))
    );
    assert_eq!(ids(&list), ["1v1", "2v1"]);
    let values = &list["rows"][0]["values"];
    assert_eq!(values["Position"], json!({"json": {"x": 1.0, "y": 2.0}}));
    assert_eq!(values["Handle"], json!({"text": "Handle(5)"}));
    assert_eq!(list["rows"][1]["values"].as_object().unwrap().len(), 1);
    let rest = get(program.address, "entities?all=Position&from=3");
    assert_eq!((ids(&rest), &rest["from"]), (vec!["4v1"], &json!(3)));
    assert!(ids(&get(program.address, "entities?from=100")).is_empty());
}

#[test]
fn a_list_is_narrowed_to_a_group() {
    let program = Program::start();
    let world = get(program.address, "world");
    let groups = world["contexts"][0]["groups"].as_array().unwrap();
    let group = groups
        .iter()
        .find(|group| group["name"] == "AllOf(Position)")
        .unwrap();
    let query = format!("entities?group={}&none=Frozen", group["id"]);
    assert_eq!(ids(&get(program.address, &query)), ["1v1", "2v1", "4v1"]);
    assert_eq!(
        get_error(program.address, "entities?group=99"),
        (404, "unknown_group".into())
    );
}

#[test]
fn a_list_is_searched_for_a_text() {
    let program = Program::start();
    let list = |text: &str| {
        get(
            program.address,
            &format!("entities?all=Position&text={text}"),
        )
    };
    assert_eq!(ids(&list("handle(5")), ["1v1"]);
    assert_eq!(ids(&list("%C3%84RGER")), ["4v1"]);
    assert_eq!(ids(&list("3v1")), ["3v1"]);
    assert_eq!(ids(&list("frozen")), ["3v1"]);
    assert_eq!(list("nowhere")["total"], 0);
}

#[test]
fn roots_and_trees_are_found() {
    let program = Program::start();
    assert_eq!(ids(&get(program.address, "entities?roots=Parent")), ["1v1"]);
    let tree = get(
        program.address,
        "tree?relation=Parent&entity=1v1&columns=Position",
    );
    assert_eq!(
        (&tree["entity"], &tree["count"]),
        (&json!("1v1"), &json!(2))
    );
    assert_eq!(tree["children"][1]["entity"], "3v1");
    assert_eq!(tree["children"][1]["values"]["Position"]["json"]["x"], 5.0);
    let short = get(program.address, "tree?relation=Parent&entity=1v1&depth=0");
    assert_eq!(
        (&short["count"], &short["children"]),
        (&json!(2), &json!([]))
    );
    let small = get(program.address, "tree?relation=Parent&entity=1v1&count=2");
    assert_eq!(small["children"].as_array().unwrap().len(), 1);
}

#[test]
fn an_entity_has_its_components_relations_and_groups() {
    let program = Program::start();
    let entity = get(program.address, "entity?entity=1v1");
    let handle = json!({"name": "Handle", "text": "Handle(5)"});
    let position = json!({"name": "Position", "json": {"x": 1.0, "y": 2.0}});
    assert_eq!(entity["components"], json!([handle, position]));
    let links =
        json!([{"component": "Parent", "target": null, "sources": ["2v1", "3v1"], "count": 2}]);
    assert_eq!(entity["relations"], links);
    let child = get(program.address, "entity?entity=2v1");
    assert_eq!(child["relations"][0]["target"], "1v1");
    assert!(!child["groups"].as_array().unwrap().is_empty());
}

#[test]
fn counts_name_what_is_counted() {
    let program = Program::start();
    let counts = get(program.address, "counts");
    assert_eq!(counts["entities"], 6);
    let count = |kind: &str, name: &str| {
        let all = counts[kind].as_array().unwrap();
        all.iter()
            .find(|it| it["name"] == name)
            .map_or(Value::Null, |it| it["count"].clone())
    };
    assert_eq!(count("groups", "AllOf(Position)"), 4);
    assert_eq!(count("indexes", "links of Parent"), 2);
    assert_eq!(count("indexes", "AllOf(Name)"), 1);
    assert_eq!(count("collectors", "AllOf(Position) {Entered, Updated}"), 0);
    assert_eq!(counts["inboxes"], json!([]));
}

#[test]
fn systems_are_a_tree_with_times() {
    let program = Program::start();
    let systems = || get(program.address, "systems")["systems"].clone();
    let tree = systems();
    let each = tree.as_array().unwrap().iter();
    let each: Vec<_> = each
        .map(|it| (it["depth"].as_u64().unwrap(), it["name"].as_str().unwrap()))
        .collect();
    assert_eq!(each, [(0, "Move"), (0, "Inner"), (1, "Count")]);
    eventually(|| systems()[0]["execute"]["calls"].as_u64().unwrap() > 3);
    let moving = &systems()[0]["execute"];
    let histogram = moving["histogram"].as_array().unwrap();
    assert!(
        histogram
            .iter()
            .map(|count| count.as_u64().unwrap())
            .sum::<u64>()
            > 3
    );
    assert!(moving["worst"].as_u64() >= moving["mean"].as_u64());
    assert_eq!(systems()[0]["reactions"], Value::Null);
    assert!(systems()[2]["reactions"]["calls"].is_u64());
}

#[test]
fn memory_is_listed_by_component() {
    let program = Program::start();
    let memory = get(program.address, "memory");
    let components = memory["components"].as_array().unwrap();
    let position = components
        .iter()
        .find(|it| it["name"] == "Position")
        .unwrap();
    assert_eq!(
        (&position["values"], &position["used"]),
        (&json!(4), &json!(32))
    );
    assert!(position["held"].as_u64() >= position["used"].as_u64());
    let held = components
        .iter()
        .map(|it| it["held"].as_u64().unwrap())
        .sum::<u64>();
    let other = memory["other"].as_object().unwrap().values();
    let other = other.map(|bytes| bytes.as_u64().unwrap()).sum::<u64>();
    assert_eq!(memory["total"], held + other);
    assert_eq!(memory["fragmentation"]["entities"], 6);
}

#[test]
fn unknown_names_are_errors_that_say_so() {
    let program = Program::start();
    let error = |query: &str| get_error(program.address, query);
    assert_eq!(error("nothing"), (404, "unknown_query".into()));
    assert_eq!(error("entity?entity=77v1"), (404, "unknown_entity".into()));
    assert_eq!(
        error("entities?all=Positon"),
        (404, "unknown_component".into())
    );
    assert_eq!(
        error("entities?context=Ui"),
        (404, "unknown_context".into())
    );
    assert_eq!(
        error("tree?relation=Nope&entity=1v1"),
        (404, "unknown_component".into())
    );
}

#[test]
fn parameters_that_cannot_be_read_are_rejected() {
    let program = Program::start();
    let columns = "a,".repeat(20);
    for query in [
        "entity",
        "entity?entity=12",
        "entity?entity=v",
        "entity?entity=1v1&colour=red",
        "entities?from=-1",
        "entities?from=many",
        "entities?count=1.5",
        "entities?color=red",
        "world?x=1",
        "tree?entity=1v1",
        &format!("entities?columns={columns}"),
    ] {
        assert_eq!(
            get_error(program.address, query),
            (400, "bad_request".into()),
            "{query}"
        );
    }
}

#[test]
fn every_number_of_a_query_is_named_if_it_cannot_be_read() {
    let program = Program::start();
    let most = u64::MAX;
    for (query, name) in [
        ("entities?from=", "from"),
        ("entities?count=", "count"),
        ("entities?group=", "group"),
        ("tree?relation=Parent&entity=1v1&depth=", "depth"),
        ("tree?relation=Parent&entity=1v1&count=", "count"),
        ("log?since=", "since"),
        ("log?count=", "count"),
        ("value?entity=1v1&component=Position&from=", "from"),
        ("value?entity=1v1&component=Position&count=", "count"),
    ] {
        for wrong in ["-1", "1.5", "1e3", "", "x", "18446744073709551616"] {
            let path = format!("/api/{query}{wrong}");
            let (status, body) = request(program.address, "GET", &path, &[], "");
            let words = format!("`{name}` must be a whole number from 0 to {most}, not `{wrong}`");
            assert!(status == 400 && body.contains(&words), "{path}: {body}");
        }
        let path = format!("/api/{query}{most}");
        let (status, body) = request(program.address, "GET", &path, &[], "");
        assert!(
            status == 200 || body.contains("unknown_group"),
            "{path}: {body}"
        );
    }
}
