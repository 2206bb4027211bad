//! Values and types that some formats cannot give back: they are kept, or refused by name when they are
//! saved.

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

/// Values that JSON has not, and what is said of each.
fn not_in_json() -> [(Measure, &'static str); 6] {
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
    Ok(Game::load(&mut ron::Deserializer::from_str(&text)?)?)
}

#[test]
fn a_value_that_a_format_lacks_is_refused_by_name_and_kept_by_formats_that_have_it() {
    for (measure, what) in not_in_json() {
        let mut game = Game::new();
        game.create_with(Frozen);
        let id = game.create_with(measure.clone()).id();
        let errors = [
            serde_json::to_string(&game.save()).unwrap_err(),
            serde_json::to_value(game.save()).unwrap_err(),
        ];
        for error in errors {
            let error = error.to_string();
            let expected = "component `Measure` of entity 1v1 cannot be written: its field ";
            assert!(
                error.starts_with(expected) && error.contains(what),
                "{error}"
            );
        }
        for loaded in [ron(&game).unwrap(), from_bytes(&bytes(&game)).unwrap()] {
            let loaded = format!("{:?}", loaded.entity(id).measure()); // `NaN` is not equal to itself
            assert_eq!(loaded, format!("{measure:?}"));
        }
        let template = Template::<Game>::new().with(measure.clone());
        let error = serde_json::to_string(&template).unwrap_err().to_string();
        let expected = "component `Measure` of a template cannot be written: ";
        assert!(
            error.starts_with(expected) && error.contains(what),
            "{error}"
        );
        let text = ron::to_string(&template).unwrap();
        let loaded: Template<Game> = ron::from_str(&text).unwrap();
        let loaded = format!("{:?}", loaded.get::<Measure>().unwrap());
        assert_eq!(loaded, format!("{measure:?}"));
    }
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
    let refused = |game: &Game| serde_json::to_string(&game.save()).unwrap_err().to_string();
    let (from, to) = (0.0, f32::NAN);
    let speeds = [Speed::Fixed(f32::NAN), Speed::Changing { from, to }];
    for (speed, field) in speeds.into_iter().zip(["Fixed", "to"]) {
        let mut game = Game::new();
        game.create_with(speed);
        let expected = format!("its field `{field}` is NaN");
        assert!(refused(&game).contains(&expected), "{}", refused(&game));
    }
    let mut game = Game::new();
    game.create_with(Velocity(f32::NEG_INFINITY));
    let expected = "component `Velocity` of entity 0v1 cannot be written: its value is -inf";
    assert!(refused(&game).starts_with(expected), "{}", refused(&game));
}
