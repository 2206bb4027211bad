//! Values and types that some formats cannot represent: they are preserved, or rejected by name
//! while saving.

use super::formats::Errors;
use super::*;

/// Numbers, and options of options.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Measure {
    size: Option<f32>,
    angles: Vec<(u8, f64)>,
    chosen: Option<Option<u8>>,
    mark: Option<()>,
}

const MEASURE: Measure = Measure {
    size: None,
    angles: Vec::new(),
    chosen: None,
    mark: None,
};

/// Values that text formats lack, and the error of each.
fn not_in_text() -> [(Measure, &'static str); 6] {
    let sized = |size| Measure {
        size: Some(size),
        ..MEASURE
    };
    let turned = |angle| Measure {
        angles: vec![(0, 1.5), (1, angle)],
        ..MEASURE
    };
    let chosen = Some(None);
    let mark = Some(());
    let nothing = "`Some` of a value that is written as nothing";
    [
        (sized(f32::INFINITY), "its field `size` is inf"),
        (sized(f32::NAN), "its field `size` is NaN"),
        (
            turned(f64::NEG_INFINITY),
            "its field `angles[1][1]` is -inf",
        ),
        (turned(f64::NAN), "its field `angles[1][1]` is NaN"),
        (Measure { chosen, ..MEASURE }, nothing),
        (Measure { mark, ..MEASURE }, nothing),
    ]
}

fn ron(game: &Game) -> Result<Game, ron::Error> {
    let text = ron::to_string(&game.save())?;
    Game::load(&mut ron::Deserializer::from_str(&text)?)
}

/// F43.
#[test]
fn a_value_that_text_formats_lack_is_rejected_by_name_and_kept_by_binary_formats() {
    for (measure, what) in not_in_text() {
        let mut game = Game::new();
        game.create_with(Frozen);
        let id = game.create_with(measure.clone()).id();
        let errors = [
            serde_json::to_string(&game.save()).unwrap_err().to_string(),
            serde_json::to_value(game.save()).unwrap_err().to_string(),
            ron::to_string(&game.save()).unwrap_err().to_string(),
        ];
        for error in errors {
            let expected = "component `Measure` of entity 1v1 cannot be written: its field ";
            assert!(
                error.starts_with(expected) && error.contains(what),
                "{error}"
            );
        }
        let loaded = from_bytes(&bytes(&game)).unwrap();
        let loaded = format!("{:?}", loaded.entity(id).measure()); // `NaN` is not equal to itself
        assert_eq!(loaded, format!("{measure:?}"));
        let template = Template::<Game>::new().with(measure.clone());
        let error = serde_json::to_string(&template).unwrap_err().to_string();
        let expected = "component `Measure` of a template cannot be written: ";
        assert!(
            error.starts_with(expected) && error.contains(what),
            "{error}"
        );
        let file = postcard::to_stdvec(&template).unwrap();
        let loaded: Template<Game> = postcard::from_bytes(&file).unwrap();
        let loaded = format!("{:?}", loaded.get::<Measure>().unwrap());
        assert_eq!(loaded, format!("{measure:?}"));
    }
}

#[test]
fn values_that_only_some_text_formats_have_are_read_from_these() {
    let measure = "(size:Some(inf),angles:[(1,NaN)],chosen:Some(None),mark:Some(()))";
    let text = format!(r#"(format:1,context:"Game",entities:{{"0v1":{{"Measure":{measure}}}}})"#);
    let game = Game::load(&mut ron::Deserializer::from_str(&text).unwrap()).unwrap();
    let read = game.query::<&Measure>().single().unwrap();
    assert_eq!((read.size, read.chosen), (Some(f32::INFINITY), Some(None)));
    assert!(read.angles[0].1.is_nan() && read.mark == Some(()));
}

/// JSON has keys of one kind only.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Board(BTreeMap<(u8, u8), bool>);

#[test]
fn an_error_of_a_format_names_the_component() {
    let mut game = Game::new();
    let id = game
        .create_with(Board(BTreeMap::from([((1, 2), true)])))
        .id();
    let error = serde_json::to_string(&game.save()).unwrap_err().to_string();
    let expected = "component `Board` of entity 0v1 cannot be written: key must be a string";
    assert!(error.starts_with(expected), "{error}");
    assert_eq!(
        ron(&game).unwrap().entity(id).board(),
        game.entity(id).board()
    );
}

/// The value itself is the number.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
enum Speed {
    Fixed(f32),
    Changing { from: f32, to: f32 },
}

#[test]
fn a_number_in_a_variant_or_a_value_of_one_number_is_named() {
    let rejected = |game: &Game| serde_json::to_string(&game.save()).unwrap_err().to_string();
    let (from, to) = (0.0, f32::NAN);
    let speeds = [Speed::Fixed(f32::NAN), Speed::Changing { from, to }];
    for (speed, field) in speeds.into_iter().zip(["Fixed", "to"]) {
        let mut game = Game::new();
        game.create_with(speed);
        let expected = format!("its field `{field}` is NaN");
        assert!(rejected(&game).contains(&expected), "{}", rejected(&game));
    }
    let mut game = Game::new();
    game.create_with(Velocity(f32::NEG_INFINITY));
    let expected = "component `Velocity` of entity 0v1 cannot be written: its value is -inf";
    assert!(rejected(&game).starts_with(expected), "{}", rejected(&game));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Way {
    Up,
    Down(u8),
    Aside { by: u8, to: Id },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    count: u8,
    way: Way,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Nothing,
    Go {
        speed: f32,
        ways: Vec<Way>,
        who: Option<Id>,
    },
    Step(Step),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "what")]
enum Adjacent {
    Nothing,
    Step(Step),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Step(Step),
    Number(f64),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flattened {
    name: String,
    #[serde(flatten)]
    step: Step,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Detected {
    Tagged(Tagged),
    Adjacent(Adjacent),
    Untagged(Untagged),
    Flattened(Flattened),
}

/// Types distinguished by the next token, in a list that may be empty.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Plans(Vec<Detected>);

/// One of each, all of which refer to an entity.
fn plans(who: Id) -> Vec<Detected> {
    let ways = || [Way::Up, Way::Down(2), Way::Aside { by: 3, to: who }];
    let steps = ways().map(|way| Step { count: 1, way });
    let go = Tagged::Go {
        speed: 1.5,
        ways: ways().into(),
        who: Some(who),
    };
    let mut plans = vec![
        Detected::Tagged(Tagged::Nothing),
        Detected::Tagged(go),
        Detected::Adjacent(Adjacent::Nothing),
        Detected::Untagged(Untagged::Number(0.5)),
        Detected::Untagged(Untagged::Text("Up".into())),
    ];
    for step in steps {
        plans.push(Detected::Tagged(Tagged::Step(step.clone())));
        plans.push(Detected::Adjacent(Adjacent::Step(step.clone())));
        plans.push(Detected::Untagged(Untagged::Step(step.clone())));
        let name = "name".into();
        plans.push(Detected::Flattened(Flattened { name, step }));
    }
    plans
}

/// F43.
#[test]
fn self_describing_types_are_read_from_every_human_readable_format() {
    let mut game = Game::new();
    let who = game.create_entity().id();
    let plans = Plans(plans(who));
    let id = game.create_with(plans.clone()).id();
    for loaded in [ron(&game).unwrap(), from_json(&json(&game)).unwrap()] {
        assert_eq!(*loaded.entity(id).plans(), plans);
    }
    // The ids in it are mapped.
    let text = ron::to_string(&game.save()).unwrap();
    let ids = game.merge(&mut ron::Deserializer::from_str(&text).unwrap());
    let ids = ids.unwrap();
    let expected = Plans(self::plans(ids[0]));
    assert_eq!(*game.entity(ids[1]).plans(), expected);
}

/// F43.
#[test]
fn self_describing_types_are_rejected_by_binary_formats() {
    let who = Game::new().create_entity().id();
    for plan in plans(who) {
        let mut game = Game::new();
        game.create_entity();
        game.create_with(Plans(Vec::new())); // no value whose type must be detected
        let save = Errors::save(&game).unwrap();
        assert_eq!(Errors::load(&save).unwrap().len(), 2);
        let feed = game.feed::<Plans>();
        game.create_with(Plans(vec![plan.clone()]));
        let template = Template::<Game>::new().with(Plans(vec![plan.clone()]));
        let rejected = [
            Errors::save(&game).unwrap_err().0,
            serde_json::to_string(&feed.take(&mut game))
                .unwrap_err()
                .to_string(),
            template.serialize(Errors::binary()).unwrap_err().0,
        ];
        let expected =
            "component `Plans` cannot be written: it could not be read back: binary formats";
        for text in rejected {
            assert!(text.starts_with(expected), "{plan:?}: {text}");
        }
    }
}
