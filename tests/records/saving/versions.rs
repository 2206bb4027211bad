//! Old files: older versions, older names, several components with one name.

use super::formats::Errors;
use super::*;

/// The first version of [`Shape`].
#[derive(Serialize, Deserialize)]
struct Square {
    side: u32,
}

/// The second one.
#[derive(Serialize, Deserialize)]
struct Rectangle(u32, u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(
    context = Game,
    by_value,
    version = 3,
    from(1 = Square, 2 = Rectangle),
    alias = "Form",
    alias = "Figure"
)]
struct Shape {
    sides: Vec<u32>,
}

impl From<Square> for Shape {
    fn from(old: Square) -> Self {
        Self {
            sides: vec![old.side; 4],
        }
    }
}

impl From<Rectangle> for Shape {
    fn from(Rectangle(a, b): Rectangle) -> Self {
        Self {
            sides: vec![a, b, a, b],
        }
    }
}

#[test]
fn older_versions_and_names_are_read() {
    let file = |component: &str| {
        let text =
            format!(r#"{{"format":1,"context":"Game","entities":{{"0v1":{{{component}}}}}}}"#);
        let game = from_json(&text);
        game.map(|game| game.query::<&Shape>().iter().next().unwrap().sides.clone())
    };
    assert_eq!(file(r#""Shape@3":{"sides":[1]}"#).unwrap(), [1]);
    assert_eq!(file(r#""Shape":{"side":2}"#).unwrap(), [2; 4]);
    assert_eq!(file(r#""Shape@1":{"side":2}"#).unwrap(), [2; 4]);
    assert_eq!(file(r#""Form@2":[2,3]"#).unwrap(), [2, 3, 2, 3]);
    assert_eq!(file(r#""Figure":{"side":1}"#).unwrap(), [1; 4]);
    let text = file(r#""Shape@4":{"sides":[1]}"#).unwrap_err();
    assert!(
        text.contains("saved in version 4, by a newer program, and is of version 3 here"),
        "{text}"
    );
    assert!(!text.contains("from(4"), "{text}");
    assert!(
        file(r#""Shape@x":{"sides":[1]}"#)
            .unwrap_err()
            .contains("`Shape@x`")
    );
    assert!(
        file(r#""Shape":{"side":2},"Form@2":[2,3]"#)
            .unwrap_err()
            .contains("twice")
    );
}

#[test]
fn the_present_version_is_written() {
    let mut game = Game::new();
    let id = game.create_with(Shape { sides: vec![3] }).id();
    assert!(json(&game).contains(r#""Shape@3":{"sides":[3]}"#));
    for loaded in [from_json(&json(&game)), from_bytes(&bytes(&game))] {
        assert_eq!(loaded.unwrap().entity(id).shape().sides, [3]);
    }
}

#[test]
fn older_versions_are_read_from_bytes() {
    // The file of a program in which the component was a `Square` of version 1.
    let mut game = Game::new();
    let id = game.create_with(Shape { sides: vec![5] }).id();
    let bytes = Errors::save(&game).unwrap();
    let at = bytes
        .windows(7)
        .position(|part| part == b"Shape@3")
        .unwrap();
    let mut old = bytes[..at - 1].to_vec();
    old.extend(b"\x05Shape\x00\x01"); // the bit of entity 0v1
    old.extend(b"\x01\0\0\0\0\0\0\0\x09\0"); // one byte: side 9
    let loaded = Errors::load(&old).unwrap();
    assert_eq!(loaded.entity(id).shape().sides, [9; 4]);
}

mod a {
    use super::*;

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(context = Game, name = "a_mark")]
    pub(super) struct Mark(pub(super) u8);
}

mod b {
    use super::*;

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(context = Game, name = "b_mark")]
    pub(super) struct Mark(pub(super) String);
}

#[test]
fn components_of_one_name_are_distinguished_by_path() {
    let mut game = Game::new();
    let id = game.create_with((a::Mark(3), b::Mark("b".into()))).id();
    assert!(json(&game).contains("::a::Mark\":3"), "{}", json(&game));
    for loaded in [from_json(&json(&game)), from_bytes(&bytes(&game))] {
        let loaded = loaded.unwrap();
        let entity = loaded.entity(id);
        assert_eq!((entity.a_mark().0, entity.b_mark().0.as_str()), (3, "b"));
    }
    let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Mark":3}}}"#;
    assert!(from_json(text).unwrap_err().contains("`Mark`"));
}
