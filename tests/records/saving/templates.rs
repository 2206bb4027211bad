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

/// Cannot be cloned, so no template contains it.
#[derive(Component, Debug, Serialize, Deserialize)]
#[component(context = Game)]
struct Once(u8);

#[test]
fn components_that_a_template_cannot_have_are_rejected() {
    let rejected = |text: &str| match serde_json::from_str::<Template<Game>>(text) {
        Ok(template) => panic!("{template:?}"),
        Err(error) => error.to_string(),
    };
    assert!(rejected(r#"{"Old":1,"Older":2}"#).contains("`Old`, `Older`"));
    assert!(rejected(r#"{"Once":1}"#).contains("add `#[derive(Clone)]` to `Once`"));
    assert!(rejected(r#"{"Frozen":{},"Frozen":{}}"#).contains("component `Frozen` appears twice"));
    assert!(rejected(r#"{"Name":3}"#).contains("component `Name` cannot be read"));
}

#[test]
fn the_remedy_for_unknown_names_is_one_that_templates_have() {
    let read = serde_json::from_str::<Template<Game>>(r#"{"Older":3}"#);
    let error = read.map(drop).unwrap_err().to_string();
    assert!(error.contains("loaded as `Older`: write"), "{error}");
    assert!(!error.contains("Loader"), "{error}"); // it reads games only
}

/// A tank with a turret that follows no entity, and two in an explicit order.
const TANK: &str = r#"{
    "0v1 tank": { "Name": "tank" },
    "1v1 turret": { "ChildOf": { "parent": "0v1" }, "Name": "turret" },
    "2v1": { "ChildOf": { "parent": "1v1" }, "Mind": {
        "targets": ["0v1", "1v1"], "home": "2v1", "orders": [{ "Attack": "1v1" }], "opinions": { "0v1": 3 },
        "ranks": {}, "name": "0v1" } },
    "order": [["ChildOf", "0v1", ["1v1"]]]
}"#;

#[test]
fn a_tree_is_read_from_a_file_and_refers_to_itself() {
    let tank: Template<Game> = serde_json::from_str(TANK).unwrap();
    assert_eq!((tank.name(), tank.entities()), (Some("tank"), 3));
    let tank = tank.with_at("turret", Name("small".into()));
    let mut game = Game::new();
    for _ in 0..2 {
        game.create_entity();
        let id = tank.create(&mut game).id();
        let turret = game.entity(id).children()[0];
        let gunner = game.entity(turret).children()[0];
        assert_eq!(game.entity(turret).name().0, "small");
        let mind = game.entity(gunner).mind();
        assert_eq!(
            (&mind.targets[..], mind.home),
            (&[id, turret][..], Some(gunner))
        );
        assert_eq!(mind.orders, [Order::Attack(turret)]);
        assert_eq!((mind.opinions[&id], mind.name.as_str()), (3, "0v1"));
    }
    game.storage().check_invariants();
}

#[test]
fn a_tree_comes_back_in_every_format() {
    let mut game = Game::new();
    let root = game.create_with(Name("root".into())).id();
    let ids = game.create_many((0..3).map(|_| ChildOf { parent: root }));
    for nth in [2, 0] {
        game.entity_mut(ids[nth]).remove_child_of();
        game.entity_mut(ids[nth]).add_child_of(root);
    }
    game.entity_mut(ids[1]).add_tag("first".into());
    let options = ecs::CloneOptions::all().with_descendants::<ChildOf>();
    let template = options.template(&game, root);
    let template = Template::new()
        .named("fleet")
        .with(Frozen)
        .with_child(|parent| ChildOf { parent }, template.named("one ship"));
    let text = serde_json::to_string(&template).unwrap();
    assert!(
        text.contains(r#""0v1 fleet":{"Frozen":{}},"1v1 one ship":{"ChildOf":{"parent":"0v1"}"#),
        "{text}"
    );
    let ron = ron::to_string(&template).unwrap();
    let bytes = postcard::to_stdvec(&template).unwrap();
    let loaded: [Template<Game>; 3] = [
        serde_json::from_str(&text).unwrap(),
        ron::from_str(&ron).unwrap(),
        postcard::from_bytes(&bytes).unwrap(),
    ];
    for loaded in loaded {
        assert_eq!(format!("{loaded:?}"), format!("{template:?}"));
        assert_eq!(serde_json::to_string(&loaded).unwrap(), text);
        assert_eq!(postcard::to_stdvec(&loaded).unwrap(), bytes);
        let mut game = Game::new();
        let fleet = loaded.create(&mut game).id();
        let ship = game.entity(fleet).children()[0];
        let tags: Vec<_> = game
            .entity(ship)
            .children()
            .iter()
            .map(|id| game.entity(*id).has_tag())
            .collect();
        assert_eq!(tags, [true, false, false]);
    }
    for cut in 0..bytes.len() {
        _ = postcard::from_bytes::<Template<Game>>(&bytes[..cut]);
    }
    for at in 0..bytes.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut broken = bytes.clone();
            broken[at] = byte;
            if let Ok(template) = postcard::from_bytes::<Template<Game>>(&broken) {
                let text = serde_json::to_string(&template);
                assert!(text.is_ok(), "{text:?}");
            }
        }
    }
    // A program that sorts the names of a text.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sorted: Template<Game> = serde_json::from_value(value).unwrap();
    assert_eq!(format!("{sorted:?}"), format!("{template:?}"));
}

/// F43.
#[test]
fn a_tree_that_refers_to_others_is_not_written() {
    let mut game = Game::new();
    let leader = game.create_entity().id();
    let root = game.create_entity().id();
    game.create_with((ChildOf { parent: root }, Follows { leader }));
    let options = ecs::CloneOptions::all().with_descendants::<ChildOf>();
    let template = options.template(&game, root);
    for error in [
        serde_json::to_string(&template).unwrap_err().to_string(),
        ron::to_string(&template).unwrap_err().to_string(),
    ] {
        assert!(
            error.contains(
                "cannot save a template of context `Game`: component `Follows` refers to entity 0v1, which is \
                 not part of the template; leave the component out by `without_at`, or if the entity is part of it, derive `MapIds` for the field's type"
            ),
            "{error}"
        );
    }
    assert!(postcard::to_stdvec(&template).is_err());
    assert!(serde_json::to_string(&template.without_at::<Follows>(1)).is_ok());
}

#[test]
fn a_tree_with_gaps_or_ids_of_no_entity_is_rejected() {
    let rejected = |text: &str| match serde_json::from_str::<Template<Game>>(text) {
        Ok(template) => panic!("{template:?}"),
        Err(error) => error.to_string(),
    };
    assert!(rejected(r#"{"0v1":{},"2v1":{}}"#).contains("1v1 is not one of them"));
    assert!(rejected(r#"{"0v1":{},"0v1 a":{}}"#).contains("entity 0v1 appears twice"));
    assert!(rejected(r#"{"0v1":{},"Frozen":{}}"#).contains("`Frozen` is not an entity id"));
    assert!(rejected(r#"{"0v1":{"ChildOf":{"parent":"3v1"}}}"#).contains("id 3v1 is of no entity"));
    assert!(rejected(r#"{"0v1":{"ChildOf":{"parent":"0v2"}}}"#).contains("id 0v2 is of no entity"));
    assert!(rejected(r#"{"Frozen":{},"0v1":{}}"#).contains("`0v1`"));
    assert!(rejected(r#"{"0v1":{"1v1":{}}}"#).contains("`1v1`"));
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Opaque(Id);

/// Has an id in a field that copies do not map.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
struct Vague(Opaque);

/// F43.
#[test]
fn ids_that_cannot_become_others_are_rejected() {
    let read = serde_json::from_str::<Template<Game>>(r#"{"0v1":{"Vague":"1v1"},"1v1":{}}"#);
    let error = read.map(drop).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "component `Vague` of a template of context `Game` has ids in a field whose type does not implement \
             `MapIds`, so they cannot become those of the entities that are created: derive it"
        ),
        "{error}"
    );
}

/// Its fields are those of the guide's table.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, name = "guide_fuse")]
struct Fuse(Timer);

/// As in the guide.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, name = "guide_gait")]
enum Gait {
    Idle,
    Walking(u32),
}

#[test]
fn the_samples_of_the_guide_are_read_from_both_formats() {
    let page = include_str!("../../../ecs/src/guide/save_formats.md");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| `struct") || line.starts_with("| `enum"));
    let samples: Vec<Vec<&str>> = rows
        .map(|row| row.split('`').skip(1).step_by(2).collect())
        .collect();
    assert_eq!(samples.len(), 6);
    let samples = |format: usize| {
        let each = samples.iter().map(|sample| sample[format]);
        let (link, own): (Vec<_>, Vec<_>) = each.partition(|sample| sample.contains("ChildOf"));
        format!(
            r#"{{"0v1": {{{}}}, "1v1": {{{}}}}}"#,
            own.join(", "),
            link[0]
        )
    };
    let both: [Template<Game>; 2] = [
        serde_json::from_str(&samples(1)).unwrap(),
        ron::from_str(&samples(2)).unwrap(),
    ];
    for template in both {
        let mut game = Game::new();
        let id = template.create(&mut game).id();
        let entity = game.entity(id);
        assert!(entity.is_frozen() && entity.score().0 == 7);
        assert_eq!(*entity.position(), Position { x: 1.0, y: 2.0 });
        assert_eq!(*entity.guide_gait(), Gait::Walking(3));
        let timer = Timer::repeating(std::time::Duration::from_millis(750));
        assert_eq!(entity.guide_fuse().0, timer);
        assert_eq!(entity.children().len(), 1);
    }
}
