//! Templates in files.

use super::*;

#[test]
fn prefabs_are_read_from_a_file() {
    let file = r#"{
        "orc": { "Name": "orc", "Position": { "x": 1, "y": 2 }, "Frozen": {} },
        "nothing": {}
    }"#;
    let prefabs: BTreeMap<String, Template<Game>> = serde_json::from_str(file).unwrap();
    let mut game = Game::new();
    let orc = prefabs["orc"].create(&mut game);
    assert!(orc.is_frozen() && orc.name().0 == "orc" && orc.position().y == 2.0);
    assert!(prefabs["nothing"].create(&mut game).is_empty());
}

#[test]
fn a_template_comes_back_in_every_format() {
    let template = Template::<Game>::new()
        .with(Name("orc".into()))
        .with(Frozen)
        .with(Sprite(3))
        .with(Stat {
            value: 3,
            kind: Mana,
        });
    let expected = template.clone().without::<Sprite>();
    let text = serde_json::to_string(&template).unwrap();
    assert_eq!(
        text,
        r#"{"Frozen":{},"Name":"orc","Stat<Mana>":{"value":3,"kind":null}}"#
    );
    let loaded: Template<Game> = serde_json::from_str(&text).unwrap();
    assert_eq!(format!("{loaded:?}"), format!("{expected:?}"));
    let text = ron::to_string(&template).unwrap();
    let loaded: Template<Game> = ron::from_str(&text).unwrap();
    assert_eq!(format!("{loaded:?}"), format!("{expected:?}"));
    let bytes = postcard::to_stdvec(&template).unwrap();
    let loaded: Template<Game> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(format!("{loaded:?}"), format!("{expected:?}"));
    for cut in 0..bytes.len() {
        _ = postcard::from_bytes::<Template<Game>>(&bytes[..cut]);
    }
}

/// Cannot be copied, so no template has it.
#[derive(Component, Debug, Serialize, Deserialize)]
#[component(context = Game)]
struct Once(u8);

#[test]
fn what_a_template_cannot_have_is_refused() {
    let refused = |text: &str| match serde_json::from_str::<Template<Game>>(text) {
        Ok(template) => panic!("{template:?}"),
        Err(error) => error.to_string(),
    };
    assert!(refused(r#"{"Old":1,"Older":2}"#).contains("`Old`, `Older`"));
    assert!(refused(r#"{"Once":1}"#).contains("add `#[derive(Clone)]` to `Once`"));
    assert!(refused(r#"{"Frozen":{},"Frozen":{}}"#).contains("component `Frozen` is there twice"));
    assert!(refused(r#"{"Name":3}"#).contains("component `Name` cannot be read"));
}

#[test]
fn the_remedy_for_unknown_names_is_one_that_templates_have() {
    let read = serde_json::from_str::<Template<Game>>(r#"{"Older":3}"#);
    let error = read.map(drop).unwrap_err().to_string();
    assert!(error.contains("loaded as `Older`: write"), "{error}");
    assert!(!error.contains("Loader"), "{error}"); // it reads games alone
}
