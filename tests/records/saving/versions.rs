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
    let text = file(r#""Shape":{"sides":[1]}"#).unwrap_err(); // as the present type is
    assert!(
        text.contains("read as version 1") && text.contains("`Shape@3`"),
        "{text}"
    );
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

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value, former_fields = "left: u8, width: u16")]
struct Span {
    left: u8,
    #[serde(skip)]
    drawn: Vec<u8>,
    size: u16,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
enum Pace {
    Idle,
    Walking(std::time::Duration),
    Running { speed: u8 },
}

/// The bytes of a game with this component, as a program would have written them in which its fields
/// were others.
fn with_fields(game: &Game, [now, then]: [&str; 2]) -> Vec<u8> {
    let bytes = Errors::save(game).unwrap();
    let text = now.as_bytes();
    let at = bytes.windows(text.len()).position(|part| part == text);
    let at = at.unwrap_or_else(|| panic!("{now} is not in the save"));
    let start = bytes[..at].iter().rposition(|&byte| byte == 0).unwrap();
    let name = bytes[..start]
        .iter()
        .rposition(|byte| *byte < b'A')
        .unwrap();
    let len = bytes[name] as usize + then.len() - now.len();
    let mut old = bytes[..name].to_vec();
    old.push(u8::try_from(len).unwrap());
    old.extend(&bytes[name + 1..at]);
    old.extend(then.as_bytes());
    old.extend(&bytes[at + now.len()..]);
    old
}

#[test]
fn bytes_saved_with_other_fields_are_rejected() {
    let mut game = Game::new();
    let span = Span {
        left: 1,
        drawn: vec![],
        size: 2,
    };
    let id = game.create_with(span.clone()).id();
    let now = "left: u8, size: u16";
    for then in [
        "size: u16, left: u8",
        "left: u8",
        "left: u8, size: u16, more: u8",
        "left: u16, size: u16",
    ] {
        let text = Errors::load(&with_fields(&game, [now, then])).unwrap_err();
        assert_eq!(
            text.to_string(),
            format!(
                "component `Span` was saved with the fields `{then}` and has `{now}` now, so its bytes cannot \
                 be read: give it `version = 2` and read the former ones by `from(1 = ..)`; if the bytes \
                 mean the same, write `#[component(former_fields = \"{then}\")]`"
            )
        );
    }
    let former = with_fields(&game, [now, "left: u8, width: u16"]);
    assert_eq!(*Errors::load(&former).unwrap().entity(id).span(), span);
}

#[test]
fn variants_may_be_added_behind_those_saved() {
    let mut game = Game::new();
    let id = game.create_with(Pace::Idle).id();
    let now = "Idle | Walking(Duration) | Running { speed: u8 }";
    let load = |then| Errors::load(&with_fields(&game, [now, then]));
    assert_eq!(
        *load("Idle | Walking(Duration)").unwrap().entity(id).pace(),
        Pace::Idle
    );
    assert!(load("Walking(Duration) | Idle").is_err());
    assert!(load("Idle | Walk").is_err());
}

#[test]
fn a_loader_keeps_the_text_of_errors_that_postcard_drops() {
    let mut game = Game::new();
    game.create_with(Span {
        left: 1,
        drawn: vec![],
        size: 2,
    });
    let now = "left: u8, size: u16";
    let former = "left: u8, width: u32";
    let bytes = |game: &Game| postcard::to_stdvec(&game.save()).unwrap();
    let good = bytes(&game);
    let inside = with_fields(&game, [now, former]);
    let wrapped = |inside: Vec<u8>| postcard::to_stdvec(&inside).unwrap();
    let bad = wrapped(inside);

    let mut loader = ecs::Loader::<Game>::new();
    assert_eq!(loader.error(), None);
    let expected = format!(
        "component `Span` was saved with the fields `{former}` and has `{now}` now, so its bytes cannot be \
         read: give it `version = 2` and read the former ones by `from(1 = ..)`; if the bytes mean the \
         same, write `#[component(former_fields = \"{former}\")]`"
    );
    let from = |bytes| postcard::Deserializer::from_bytes(bytes);
    assert!(loader.load(&mut from(&bad)).is_err());
    assert_eq!(loader.error(), Some(&*expected));
    assert!(loader.load(&mut from(&good)).is_ok());
    assert_eq!(loader.error(), None);
    assert!(loader.reload(&mut game, &mut from(&bad)).is_err());
    assert_eq!(loader.error(), Some(&*expected));
    assert!(loader.merge(&mut game, &mut from(&good)).is_ok());
    assert_eq!(loader.error(), None);
    assert!(loader.merge(&mut game, &mut from(&bad)).is_err());
    assert_eq!(loader.error(), Some(&*expected));

    // what is found after the bytes were read: nothing left over, unknown names, rejected values
    let long = wrapped([Errors::save(&game).unwrap(), vec![0]].concat());
    assert!(loader.load(&mut from(&long)).is_err());
    assert_eq!(
        loader.error(),
        Some("the bytes are broken: 1 bytes are left over")
    );
    let mut other = Game::new();
    other.create_with(Score(1));
    game.create_with(Score(1));
    let second = bytes(&game);
    assert!(loader.merge(&mut other, &mut from(&second)).is_err());
    assert!(loader.error().unwrap().contains("component `Score`"));

    // what the format itself finds, and formats with texts
    assert!(loader.load(&mut from(&good[..4])).is_err());
    assert!(loader.error().unwrap().contains("end"), "{loader:?}");
    let text = &mut serde_json::Deserializer::from_str("{\"format\":1,\"context\":\"Menu\"}");
    let error = loader.load(text).unwrap_err().to_string();
    assert_eq!(loader.error(), Some(&*error));
}
