//! Rejections and their messages.

use super::formats::Errors;
use super::*;

/// Neither serializable nor transient.
#[derive(Component, Debug)]
#[component(context = Game)]
struct Socket(u16);

/// Implements only one of the two traits.
#[derive(Component, Debug, Serialize)]
#[component(context = Game)]
struct Handle(u16);

#[test]
fn components_that_cannot_be_saved_are_named_with_the_remedy() {
    let mut game = world();
    assert!(serde_json::to_string(&game.save()).is_ok()); // no entity has one
    game.create_entity();
    let id = game.create_with((Socket(1), Handle(2))).id();
    game.create_with(Socket(2));
    let expected = format!(
        "cannot save context `Game`: component `Handle` (of entity {id}), component `Socket` (of \
         entity {id}) cannot be written: derive both `serde::Serialize` and `serde::Deserialize` \
         for each type, or leave it out of saves by `#[component(transient)]`"
    );
    assert_eq!(
        serde_json::to_string(&game.save()).unwrap_err().to_string(),
        expected
    );
    assert_eq!(Errors::save(&game).unwrap_err().0, expected);
    let mut written = Vec::new();
    serde_json::to_writer(&mut written, &game.save()).unwrap_err();
    assert!(written.is_empty());
}

/// The error of a file with these parts after the name of the context.
#[track_caller]
fn rejection(rest: &str) -> String {
    let text = format!(r#"{{"format":1,"context":"Game",{rest}}}"#);
    let error = from_json(&text).unwrap_err();
    let end = error.find(" at line").unwrap_or(error.len());
    error[..end].to_owned()
}

#[test]
fn slots_that_do_not_fit_together_are_rejected() {
    let has = |rest: &str, expected: &str| {
        let text = rejection(rest);
        assert!(text.contains(expected), "{text}");
    };
    has(r#""entities":{"0v1":{},"0v2":{}}"#, "slot 0 appears twice");
    has(r#""entities":{"0v1":{},"0v1":{}}"#, "slot 0 appears twice");
    has(
        r#""entities":{"0v1":{}},"free":["0v2"]"#,
        "slot 0 appears twice",
    );
    has(
        r#""entities":{},"free":["0v2","0v2"]"#,
        "slot 0 appears twice",
    );
    has(
        r#""entities":{},"free":["0v2"],"retired":[0]"#,
        "slot 0 appears twice",
    );
    has(
        r#""entities":{"4294967295v1":{}}"#,
        "slot 4294967295 is named, but the save has only 1",
    );
    has(
        r#""entities":{"0v0":{}}"#,
        "the id of an entity, such as \"12v3\"",
    );
    has(
        r#""entities":{"0v1":{}},"rows":[]"#,
        "0 of 1 slots have a row",
    );
    has(
        r#""entities":{"0v1":{},"1v1":{}},"rows":[1,1]"#,
        "the list of rows has slot 1",
    );
    has(
        r#""entities":{"0v1":{}},"rows":[7]"#,
        "the list of rows has slot 7",
    );
    has(r#""free":[]"#, "missing field `entities`");
    has(
        r#""entities":{},"entities":{}"#,
        "duplicate field `entities`",
    );
    has(r#""entities":{},"more":3"#, "unknown field `more`");
}

#[test]
fn values_that_do_not_fit_are_rejected_with_entity_and_component() {
    let of = |components: &str| rejection(&format!(r#""entities":{{"0v1":{components}}}"#));
    let text = of(r#"{"Position":{"x":1}}"#);
    assert!(
        text.starts_with("component `Position` of entity 0v1 cannot be read: missing field `y`")
    );
    let text = of(r#"{"Frozen":false}"#);
    assert!(
        text.contains("component `Frozen` of entity 0v1 cannot be read"),
        "{text}"
    );
    assert!(text.contains("omit it if it is not set"), "{text}");
    assert!(of(r#"{"Frozen":{"a":1}}"#).contains("a flag has no fields"));
    assert!(of(r#"{"Frozen":[1]}"#).contains("a flag has no fields"));
    let text = of(r#"{"Frozen":{},"Frozen":{}}"#);
    assert!(
        text.contains("component `Frozen` of entity 0v1 appears twice"),
        "{text}"
    );
}

#[test]
fn templates_that_could_not_be_created_are_rejected() {
    let both = |component: &str| {
        rejection(&format!(
            r#""entities":{{"0v1":{{{component}}},"1v1":{{{component}}}}}"#
        ))
    };
    assert!(both(r#""Score":1"#).contains("`Score`"));
    let text = both(r#""Seat":{"number":3}"#);
    assert!(
        text.contains("cannot add component `Seat` to entity 1v1"),
        "{text}"
    );
    assert!(text.contains("entity 0v1"), "{text}");

    let tree = |parents: &[&str]| {
        let entities = (0..)
            .zip(parents)
            .map(|(at, parent)| format!(r#""{at}v1":{{"ChildOf":{{"parent":"{parent}"}}}}"#));
        rejection(&format!(
            r#""entities":{{{}}}"#,
            entities.collect::<Vec<_>>().join(",")
        ))
    };
    assert!(
        tree(&["0v1"]).contains("its own target"),
        "{}",
        tree(&["0v1"])
    );
    assert!(tree(&["9v1"]).contains("9v1"), "{}", tree(&["9v1"]));
    assert!(tree(&["1v2", "0v1"]).contains("1v2"));
    assert!(tree(&["1v1", "2v1", "3v1", "1v1"]).contains("`ChildOf`"));
}

#[test]
fn a_long_chain_in_any_order_is_checked_in_linear_time() {
    let len = 50_000;
    for downwards in [false, true] {
        let entities = (0..len).map(|at| {
            let (at, parent) = match downwards {
                true => (at, at + 1),
                false => (len - at - 1, len - at),
            };
            format!(r#""{at}v1":{{"ChildOf":{{"parent":"{parent}v1"}}}}"#)
        });
        let entities: Vec<_> = entities.collect();
        let text = format!(
            r#"{{"format":1,"context":"Game","entities":{{{},"{len}v1":{{}}}}}}"#,
            entities.join(",")
        );
        assert_eq!(from_json(&text).unwrap().len(), len + 1);
    }
}

#[test]
fn saves_of_something_else_are_rejected() {
    let text = json(&world());
    let error = from_json(&text.replace("\"Game\"", "\"Input\"")).unwrap_err();
    assert!(error.contains("this is a save of context `Input`, not of `Game`"));
    let error = from_json(&text.replace("\"format\":1", "\"format\":0")).unwrap_err();
    assert!(error.contains("the save has format 0, which never existed"));
    assert!(
        Errors::load(b"")
            .unwrap_err()
            .contains("not a saved context")
    );
    assert!(
        Errors::load(b"elf\x01\x04Game")
            .unwrap_err()
            .contains("not a saved context")
    );
}

#[test]
fn a_save_of_a_newer_format_is_an_error_that_says_what_to_do() {
    let expected = "the save has format 2, and this program reads formats up to 1: it was written with a \
                    newer version of `ecs`; build this program with that version, or write the save with \
                    the version of this program";
    let text = json(&world()).replace("\"format\":1", "\"format\":2");
    let error = from_json(&text).unwrap_err();
    assert!(error.contains(expected), "{error}");
    let error = Errors::load(b"ecs\x02\x04Game").unwrap_err();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn unknown_components_are_all_listed_or_skipped_and_reported() {
    let text = r#"{"format":1,"context":"Game","entities":{
        "0v1":{"Old":{"deep":[1,{"a":null}]},"Frozen":{},"Sprite":3},
        "1v1":{"Older":3,"Old":4,"Socket":1}
    }}"#;
    let error = from_json(text).unwrap_err();
    assert!(
        error.contains("loaded as `Old`, `Sprite`, `Older`, `Socket`: write"),
        "{error}"
    );
    assert!(
        error.contains("leave these out by `Loader::skip_unknown`"),
        "{error}"
    );
    let mut loader = ecs::Loader::<Game>::new().skip_unknown();
    let game = loader
        .load(&mut serde_json::Deserializer::from_str(text))
        .unwrap();
    assert_eq!(loader.skipped(), ["Old", "Sprite", "Older", "Socket"]);
    assert!(game.len() == 2 && game.query::<&Socket>().iter().count() == 0);
    let mut game = Game::new();
    let merged = loader.merge(&mut game, &mut serde_json::Deserializer::from_str(text));
    assert_eq!((merged.unwrap().len(), loader.skipped().len()), (2, 4));
}
