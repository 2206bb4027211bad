//! The command `set`: which fields stay unchanged, and which values are rejected.

use std::collections::{BTreeMap, HashMap, HashSet};

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::stage::{Stage, Ui, UiEntity, UiEntityMut};

/// Values that JSON cannot express.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Ui)]
struct Odd {
    near: f32,
    far: f64,
    wide: u128,
    low: i128,
    deep: Option<Option<u8>>,
    plain: u8,
}

fn odd() -> Odd {
    Odd {
        near: f32::NAN,
        far: f64::NEG_INFINITY,
        wide: u128::MAX,
        low: i128::MIN,
        deep: Some(None),
        plain: 1,
    }
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Ui)]
struct Door {
    open: u8,
    #[serde(skip)]
    hits: u8,
}

/// Is not read back as it is written.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Ui)]
struct OneWay {
    open: u8,
    #[serde(serialize_with = "as_text")]
    hits: u8,
}

fn as_text<S: serde::Serializer>(hits: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(hits)
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Mode {
    Idle,
    Busy(u8),
    Split(u8, u8),
    Moving { x: u8, y: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Near { by: u8 },
    Far { by: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Meters(u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Extra {
    depth: u8,
}

/// Values of every shape.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Ui)]
struct Shapes {
    mode: Mode,
    modes: Vec<Mode>,
    tagged: Tagged,
    either: [Either; 2],
    meters: Meters,
    pair: (u8, char),
    by_number: BTreeMap<u32, Meters>,
    by_mode: BTreeMap<String, Option<u8>>,
    hashed: HashMap<String, u8>,
    set: HashSet<Mode>,
    unit: (),
    #[serde(flatten)]
    extra: Extra,
}

fn shapes() -> Shapes {
    Shapes {
        mode: Mode::Busy(1),
        modes: vec![Mode::Idle, Mode::Split(1, 2), Mode::Moving { x: 1, y: 2 }],
        tagged: Tagged::Near { by: 1 },
        either: [Either::Number(1), Either::Text("a".into())],
        meters: Meters(1),
        pair: (1, 'ä'),
        by_number: BTreeMap::from([(7, Meters(1)), (8, Meters(2))]),
        by_mode: BTreeMap::from([("a/b~c".into(), Some(1)), ("n".into(), None)]),
        hashed: (0..50).map(|nth| (nth.to_string(), nth)).collect(),
        set: (0..50).map(Mode::Busy).collect(),
        unit: (),
        extra: Extra { depth: 1 },
    }
}

/// Sets a field of the entity `1v1` of `Ui`; returns the error, if there is one.
fn set(stage: &mut Stage, component: &str, path: &str, value: Value) -> Value {
    let params = json!({
        "context": "Ui", "entity": "1v1", "component": component, "path": path, "value": value,
    });
    stage.ask("do", "set", params)["error"].clone()
}

/// A stage with an entity `1v1`.
fn with<B: Bundle<Ui>>(values: B) -> Stage {
    let mut stage = Stage::new();
    let id = stage.world.ui.create_with(values).id();
    assert_eq!(id.to_string(), "1v1");
    stage
}

fn value<T: Component<Ui>>(stage: &Stage) -> &T {
    stage.world.ui.query::<&T>().iter().next().unwrap()
}

/// F45.
#[test]
fn setting_a_field_keeps_values_that_json_cannot_express_in_others() {
    let mut stage = with(odd());
    assert_eq!(set(&mut stage, "Odd", "/plain", json!(2)), Value::Null);
    let odd: &Odd = value(&stage);
    assert!(odd.near.is_nan());
    assert_eq!(odd.far, f64::NEG_INFINITY);
    assert_eq!((odd.wide, odd.low), (u128::MAX, i128::MIN));
    assert_eq!((odd.deep, odd.plain), (Some(None), 2));
}

/// The expected result of a step.
type Edit = fn(&mut Shapes);

#[test]
fn a_field_of_every_shape_is_set_alone() {
    let mut stage = with(shapes());
    let mut expected = shapes();
    let steps: [(&str, Value, Edit); 16] = [
        ("/mode/Busy", json!(9), |it| it.mode = Mode::Busy(9)),
        ("/mode", json!("Idle"), |it| it.mode = Mode::Idle),
        ("/modes/0", json!({"Busy": 9}), |it| {
            it.modes[0] = Mode::Busy(9)
        }),
        ("/modes/1/Split/1", json!(9), |it| {
            it.modes[1] = Mode::Split(1, 9)
        }),
        ("/modes/2/Moving/y", json!(9), |it| {
            it.modes[2] = Mode::Moving { x: 1, y: 9 }
        }),
        ("/tagged/by", json!(9), |it| {
            it.tagged = Tagged::Near { by: 9 }
        }),
        ("/tagged/kind", json!("Far"), |it| {
            it.tagged = Tagged::Far { by: 9 }
        }),
        ("/either/0", json!("b"), |it| {
            it.either[0] = Either::Text("b".into())
        }),
        ("/meters", json!(9), |it| it.meters = Meters(9)),
        ("/pair/1", json!("b"), |it| it.pair.1 = 'b'),
        ("/by_number/8", json!(9), |it| {
            _ = it.by_number.insert(8, Meters(9))
        }),
        ("/by_mode/a~1b~0c", json!(9), |it| {
            _ = it.by_mode.insert("a/b~c".into(), Some(9))
        }),
        ("/by_mode/n", json!(9), |it| {
            _ = it.by_mode.insert("n".into(), Some(9))
        }),
        ("/hashed/17", json!(9), |it| {
            _ = it.hashed.insert("17".into(), 9)
        }),
        ("/extra/depth", json!(9), |_| {}),
        ("/depth", json!(9), |it| it.extra.depth = 9),
    ];
    for (path, new, edit) in steps {
        let error = set(&mut stage, "Shapes", path, new);
        assert_eq!(
            error != Value::Null,
            path == "/extra/depth",
            "{path}: {error}"
        );
        edit(&mut expected);
        assert_eq!(value::<Shapes>(&stage), &expected, "{path}");
    }
}

#[test]
fn wide_integers_are_set_exactly() {
    let mut stage = with(odd());
    let wide = u128::MAX - 1;
    let text = format!(
        r#"{{"id": 1, "do": "set", "params": {{"context": "Ui", "entity": "1v1",
            "component": "Odd", "path": "/wide", "value": {wide}}}}}"#
    );
    assert_eq!(stage.ask_text(1, text)["error"], Value::Null);
    assert_eq!(value::<Odd>(&stage).wide, wide);
}

/// F45.
#[test]
fn a_field_beside_one_that_serde_skips_is_not_set() {
    let mut stage = with((Door { open: 0, hits: 3 }, OneWay { open: 0, hits: 3 }));
    for component in ["Door", "OneWay"] {
        let error = set(&mut stage, component, "/open", json!(1));
        let message = error["message"].as_str().unwrap();
        assert_eq!(error["code"], "rejected", "{message}");
        assert!(
            message.contains(component) && message.contains("`replace`"),
            "{message}"
        );
    }
    assert_eq!(value::<Door>(&stage), &Door { open: 0, hits: 3 });
    assert_eq!(set(&mut stage, "Door", "", json!({"open": 1})), Value::Null);
    assert_eq!(value::<Door>(&stage), &Door { open: 1, hits: 0 });
    assert_eq!(set(&mut stage, "Door", "/open", json!(2)), Value::Null);
    assert_eq!(value::<Door>(&stage), &Door { open: 2, hits: 0 });
}

/// F45.
#[test]
fn numbers_that_are_too_large_for_a_float_are_rejected() {
    let mut stage = with(Odd {
        near: 1.0,
        far: 1.0,
        ..odd()
    });
    let whole = |near: Value| json!({"near": near, "far": 1.0, "wide": 1, "low": 1, "deep": null, "plain": 1});
    let one = json!({"context": "Ui", "entity": "1v1", "component": "Odd"});
    let with = |name: &str, value: Value| {
        let mut params = one.clone();
        params[name] = value;
        params
    };
    let mut set = with("value", json!(1e39));
    set["path"] = json!("/near");
    let commands = [
        ("set", set),
        ("replace", with("value", whole(json!(1e39)))),
        ("replace", with("value", whole(json!(-3.5e38)))),
        (
            "create",
            json!({"context": "Ui", "components": {"Odd": whole(json!(1e300))}}),
        ),
    ];
    for (command, params) in commands {
        let error = stage.ask("do", command, params)["error"].clone();
        let message = error["message"].as_str().unwrap_or("none");
        assert_eq!(error["code"], "bad_request", "{command}: {message}");
        assert!(
            message.contains("/near") && message.contains("too large"),
            "{message}"
        );
    }
    assert_eq!(value::<Odd>(&stage).near, 1.0);
    assert_eq!(stage.world.ui.len(), 2);
    let replace = with("value", whole(json!(3.4e38)));
    assert_eq!(stage.ask("do", "replace", replace)["error"], Value::Null);
    assert_eq!(value::<Odd>(&stage).near, 3.4e38);
}

#[test]
fn errors_of_set_say_where_and_what_there_is() {
    let mut stage = with(shapes());
    for (path, value, parts) in [
        (
            "/mod",
            json!(1),
            &["`Shapes`", "`/mod`", "`mode`", "`modes`"][..],
        ),
        (
            "/modes/3",
            json!(1),
            &["`/modes/3`", "3 elements", "`/modes/0`"],
        ),
        ("/modes/last", json!(1), &["`/modes/last`", "3 elements"]),
        (
            "/meters/0",
            json!(1),
            &["`/meters/0`", "nothing below `/meters`"],
        ),
        ("/mode/Idle", json!(1), &["`/mode/Idle`", "`Busy`"]),
        ("modes/0", json!(1), &["begins with `/`"]),
        (
            "/pair/0",
            json!(300),
            &["`Shapes`", "`/pair/0`", "300", "u8"],
        ),
        ("/pair/0", json!(-1), &["-1", "u8"]),
        ("/pair/0", json!(1.5), &["1.5", "u8"]),
        ("/pair", json!([1]), &["`/pair`", "length 1"]),
    ] {
        let error = set(&mut stage, "Shapes", path, value);
        let message = error["message"].as_str().unwrap();
        assert_eq!(error["code"], "bad_request", "{path}: {message}");
        for part in parts {
            assert!(message.contains(part), "{path}: {message} lacks {part}");
        }
    }
    assert_eq!(value::<Shapes>(&stage), &shapes());
}
