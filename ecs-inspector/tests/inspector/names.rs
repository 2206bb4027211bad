//! Names and texts with characters that have a meaning somewhere else: commas, brackets, quotes, slashes,
//! percent signs.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::thread;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client;
use crate::stage::Stage;

/// Has components with such names.
#[ecs::context]
struct Shop;

#[derive(Clone, Debug)]
struct Hp;

#[derive(Clone, Debug)]
struct Mana;

#[derive(Component, Clone, Debug)]
#[component(context = Shop, instances(
    Pair<Hp, Mana> as hp_mana,
    Pair<[Hp; 2], (Mana, Hp)> as array_tuple,
))]
struct Pair<A, B>(PhantomData<(A, B)>)
where
    A: Clone + std::fmt::Debug + Send + Sync + 'static,
    B: Clone + std::fmt::Debug + Send + Sync + 'static;

#[derive(Component, Clone, Debug)]
#[component(context = Shop, instances(Hook<fn(u8, u16) -> u8> as hook))]
struct Hook<F: Clone + std::fmt::Debug + Send + Sync + 'static>(PhantomData<F>);

#[derive(Component, Clone, Debug)]
#[component(context = Shop, instances(Key<'<'> as bracket_key, Key<','> as comma_key))]
struct Key<const LETTER: char>;

#[derive(Component, Clone, Debug)]
#[component(context = Shop)]
struct Größe(u32);

mod left {
    use super::*;

    #[derive(Component, Clone, Debug)]
    #[component(context = Shop, instances(Shelf<u8> as left_shelf))]
    pub(super) struct Shelf<T: Clone + std::fmt::Debug + Send + Sync + 'static>(pub(super) T);
}

mod right {
    use super::*;

    #[derive(Component, Clone, Debug)]
    #[component(context = Shop, instances(Shelf<u8> as right_shelf))]
    pub(super) struct Shelf<T: Clone + std::fmt::Debug + Send + Sync + 'static>(pub(super) T);
}

/// A text that is written as JSON.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Shop)]
struct Sign(String);

/// A text that is written by `Debug`.
#[derive(Component, Clone, Debug)]
#[component(context = Shop)]
struct Note(String);

/// Has keys with slashes, inside of a variant and outside.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Shop)]
enum Prices {
    Of {
        #[serde(rename = "per kg/€")]
        weight: BTreeMap<String, u32>,
    },
}

/// Encodes every byte.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Sends a query over HTTP, while the shop has frames; returns the status and the answer.
fn get(stage: &mut Stage<Shop>, query: &str) -> (u16, Value) {
    let (address, path) = (stage.inspector.address().unwrap(), format!("/api/{query}"));
    let answer = thread::spawn(move || client::request(address, "GET", &path, &[], ""));
    while !answer.is_finished() {
        stage.frame();
    }
    let (status, body) = answer.join().unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

/// The entities in an answer that must not be an error.
fn entities((status, list): (u16, Value)) -> Vec<String> {
    assert_eq!(status, 200, "{list}");
    let rows = list["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["entity"].as_str().unwrap().into())
        .collect()
}

/// The names of all components of the shop, as `world` has them.
fn names(stage: &mut Stage<Shop>) -> Vec<String> {
    let world = get(stage, "world").1;
    let components = world["contexts"][0]["components"].as_array().unwrap();
    components
        .iter()
        .map(|it| it["name"].as_str().unwrap().into())
        .collect()
}

/// A shop with an entity of each component: the n-th component is that of the entity `nv1`.
fn shop() -> (Stage<Shop>, Vec<String>) {
    let mut stage = Stage::with(Shop::new());
    let names = names(&mut stage);
    for name in &names {
        let shop = &mut stage.world;
        match &name.replace(' ', "")[..] {
            "Pair<Hp,Mana>" => _ = shop.create_with(Pair::<Hp, Mana>(PhantomData)),
            "Pair<[Hp;2],(Mana,Hp)>" => {
                _ = shop.create_with(Pair::<[Hp; 2], (Mana, Hp)>(PhantomData))
            }
            "Hook<fn(u8,u16)->u8>" => _ = shop.create_with(Hook::<fn(u8, u16) -> u8>(PhantomData)),
            "Key<'<'>" => _ = shop.create_with(Key::<'<'>),
            "Key<','>" => _ = shop.create_with(Key::<','>),
            "Größe" => _ = shop.create_with(Größe(1)),
            "Sign" => _ = shop.create_with(Sign("say \"hi\" to C:\\temp\nΟΔΟΣ".into())),
            "Note" => {
                _ = shop.create_with(Note("tab\there, \"there\", nothing\u{200b}seen".into()))
            }
            "Prices" => {
                let weight = [("a/b~c".to_owned(), 3)].into();
                shop.create_with(Prices::Of { weight });
            }
            name if name.ends_with("::left::Shelf<u8>") => _ = shop.create_with(left::Shelf(1)),
            name if name.ends_with("::right::Shelf<u8>") => _ = shop.create_with(right::Shelf(2)),
            name => panic!("{name}"),
        }
    }
    (stage, names)
}

#[test]
fn every_name_of_a_component_is_found_in_each_list() {
    let (mut stage, names) = shop();
    for (nth, name) in names.iter().enumerate() {
        let (id, name) = (format!("{nth}v1"), encoded(name));
        assert_eq!(
            entities(get(&mut stage, &format!("entities?all={name}"))),
            [&*id]
        );
        assert_eq!(
            entities(get(&mut stage, &format!("entities?any={name}"))),
            [&*id]
        );
        let others = entities(get(&mut stage, &format!("entities?none={name}")));
        assert_eq!(
            (others.len(), others.contains(&id)),
            (names.len() - 1, false)
        );
        let (_, list) = get(&mut stage, &format!("entities?columns={name}&all={name}"));
        assert!(
            list["rows"][0]["values"].get(&names[nth]).is_some(),
            "{list}"
        );
        let (status, value) = get(&mut stage, &format!("value?entity={id}&component={name}"));
        assert_eq!((status, &value["component"]), (200, &json!(names[nth])));
        let (status, log) = get(&mut stage, &format!("log?components={name}"));
        assert_eq!(status, 200, "{log}");
    }
}

#[test]
fn lists_of_such_names_are_separated_by_commas_or_repeated() {
    let (mut stage, names) = shop();
    let all: Vec<_> = (0..names.len()).map(|nth| format!("{nth}v1")).collect();
    let list = encoded(&names.join(", "));
    assert_eq!(
        entities(get(&mut stage, &format!("entities?any={list}"))),
        all
    );
    let repeated: Vec<_> = names
        .iter()
        .map(|name| format!("any={}", encoded(name)))
        .collect();
    assert_eq!(
        entities(get(&mut stage, &format!("entities?{}", repeated.join("&")))),
        all
    );
    let plain = "entities?any=Pair<Hp,+Mana>,Sign"
        .replace(['<', '>'], "%3C")
        .replacen("Mana%3C", "Mana%3E", 1);
    assert_eq!(entities(get(&mut stage, &plain)).len(), 2);
    let rows = stage.ask("get", "entities", json!({"any": names}))["data"]["total"].clone();
    assert_eq!(rows, names.len());
    let rows =
        stage.ask("get", "entities", json!({"any": names.join(",")}))["data"]["total"].clone();
    assert_eq!(rows, names.len());
}

#[test]
fn unknown_and_repeated_parameters_are_errors() {
    let (mut stage, _) = shop();
    let mut code = |query: &str| {
        let (status, answer) = get(&mut stage, query);
        (
            status,
            answer["error"]["code"]
                .as_str()
                .unwrap_or("none")
                .to_owned(),
        )
    };
    let unknown = (404, "unknown_component".to_owned());
    assert_eq!(code("entities?any=Pair%3CHp"), unknown);
    assert_eq!(code("log?components=Pair%3CHp"), unknown);
    assert_eq!(code("log?context=Shop&components=Mana"), unknown);
    assert_eq!(code("log?context=Shed"), (404, "unknown_context".into()));
    assert_eq!(code("entities?text=a&text=b"), (400, "bad_request".into()));
    assert_eq!(code("entities?from=1&from=2"), (400, "bad_request".into()));
}

#[test]
fn texts_are_searched_as_they_are_and_as_they_are_written() {
    let (mut stage, names) = shop();
    let id_of = |name: &str| {
        format!(
            "{}v1",
            names.iter().position(|known| known == name).unwrap()
        )
    };
    let mut found =
        |text: &str| entities(get(&mut stage, &format!("entities?text={}", encoded(text))));
    for text in [
        "say \"hi\"",
        "\"Hi\" to C:\\TEMP",
        "temp\nοδοσ",
        "ΟΔΟΣ",
        "\\\"hi\\\"",
        "temp\\n",
    ] {
        assert_eq!(found(text), [id_of("Sign")], "{text}");
    }
    for text in ["\tHERE, \"there\"", "nothing\u{200b}seen", "note(\"tab"] {
        assert_eq!(found(text), [id_of("Note")], "{text}");
    }
    assert_eq!(found("pair<hp,m"), [id_of("Pair<Hp,Mana>")]);
    assert_eq!(found("GRÖSSE"), [""; 0]);
    assert_eq!(found("GRÖßE"), [id_of("Größe")]);
    assert_eq!(
        found("right::"),
        [format!(
            "{}v1",
            names
                .iter()
                .position(|name| name.contains("right::"))
                .unwrap()
        )]
    );
    assert_eq!(found("a/b~c"), [id_of("Prices")]);
}

#[test]
fn the_keys_of_parts_lead_to_these_parts() {
    let (mut stage, names) = shop();
    let entity = names.iter().position(|known| known == "Prices").unwrap();
    let (mut path, mut keys) = (String::new(), Vec::new());
    while keys.len() < 3 {
        let query = format!(
            "value?entity={entity}v1&component=Prices&path={}",
            encoded(&path)
        );
        let (status, part) = get(&mut stage, &query);
        assert_eq!(status, 200, "{path}: {part}");
        let Some(key) = part["items"][0]["key"].as_str() else {
            assert_eq!(part["items"][0]["json"], 3);
            break;
        };
        path = format!("{path}/{key}");
        keys.push(key.to_owned());
    }
    assert_eq!(keys, ["Of/per kg~1€", "a~1b~0c"]);
    let set =
        json!({"entity": format!("{entity}v1"), "component": "Prices", "path": path, "value": 5});
    let answer = stage.ask("do", "set", set);
    assert!(answer.get("error").is_none(), "{answer}");
    let query = format!(
        "value?entity={entity}v1&component=Prices&path={}",
        encoded(&path)
    );
    assert_eq!(get(&mut stage, &query).1["items"][0]["json"], 5);
}
