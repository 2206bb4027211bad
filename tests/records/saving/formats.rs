//! A game written and read in several formats.

use super::*;

#[test]
fn ron_is_read_back_as_it_was_written() {
    let game = world();
    let text = ron::ser::to_string_pretty(&game.save(), Default::default()).unwrap();
    let mut from = ron::Deserializer::from_str(&text).unwrap();
    let loaded: Game = Game::load(&mut from).unwrap();
    assert_eq!(json(&loaded), json(&game));
}

#[test]
fn pretty_json_is_read_in_any_order() {
    let game = world();
    let value: serde_json::Value = serde_json::from_str(&json(&game)).unwrap();
    // The map of a `Value` is sorted: `context`, `entities`, `format`, `free`, `order`.
    let loaded = Game::load(value).unwrap();
    assert_eq!(json(&loaded), json(&game));
}

#[test]
fn reading_from_a_reader_needs_no_borrowed_text() {
    let game = world();
    let text = json(&game);
    let from = &mut serde_json::Deserializer::from_reader(text.as_bytes());
    assert_eq!(json(&Game::load(from).unwrap()), text);
}

#[test]
fn a_save_can_be_part_of_a_larger_file() {
    #[derive(Serialize)]
    struct File<'a> {
        level: u32,
        game: ecs::Save<'a, Game>,
    }

    #[derive(Deserialize)]
    struct Loaded {
        level: u32,
        #[serde(deserialize_with = "Game::load")]
        game: Game,
    }

    let game = world();
    let file = File {
        level: 3,
        game: game.save(),
    };
    let loaded: Loaded = serde_json::from_str(&serde_json::to_string(&file).unwrap()).unwrap();
    assert_eq!((loaded.level, json(&loaded.game)), (3, json(&game)));
    let loaded: Loaded = postcard::from_bytes(&postcard::to_stdvec(&file).unwrap()).unwrap();
    assert_eq!((loaded.level, json(&loaded.game)), (3, json(&game)));
}

#[test]
fn a_header_is_read_without_the_game_behind_it() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Header {
        level: String,
        tick: u64,
    }

    #[derive(Serialize)]
    struct File<'a> {
        header: Header,
        game: ecs::Save<'a, Game>,
    }

    #[derive(Deserialize)]
    struct Head {
        header: Header,
    }

    let game = world();
    let header = || Header {
        level: "harbor".to_owned(),
        tick: 7,
    };
    let file = File {
        header: header(),
        game: game.save(),
    };
    // Text that no program can load, with the header in front.
    let text = serde_json::to_string(&file).unwrap();
    let newer = text.replace("\"format\":1", "\"format\":99");
    let head: Head = serde_json::from_str(&newer).unwrap();
    assert_eq!(head.header, header());
    let text = ron::to_string(&file).unwrap();
    let head: Head = ron::from_str(&text).unwrap();
    assert_eq!(head.header, header());
    let bytes = postcard::to_stdvec(&file).unwrap();
    let (head, rest) = postcard::take_from_bytes::<Header>(&bytes).unwrap();
    let loaded = Game::load(&mut postcard::Deserializer::from_bytes(rest)).unwrap();
    assert_eq!((head, json(&loaded)), (header(), json(&game)));
}

type Lists = (Vec<u16>, BTreeMap<String, Vec<()>>, [u8; 3], Box<[i32]>);

/// Everything in serde's data model, through the encoding of columns.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Everything {
    numbers: (u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64),
    signs: (bool, char, String, Option<Option<u8>>, ()),
    lists: Lists,
    kinds: Vec<Kind>,
    unit: Unit,
    newtype: Newtype,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Unit,
    Newtype(u64),
    Tuple(i8, String),
    Struct { deep: Option<Box<Kind>> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(Vec<Unit>);

fn everything(extreme: bool) -> Everything {
    let deep = Some(Box::new(Kind::Tuple(-1, "deep".into())));
    Everything {
        numbers: match extreme {
            true => (
                u8::MAX,
                u16::MAX,
                u32::MAX,
                u64::MAX,
                u128::MAX,
                i8::MIN,
                i16::MIN,
                i32::MIN,
                i64::MIN,
                i128::MIN,
                f32::MIN_POSITIVE,
                f64::MAX,
            ),
            false => (0, 127, 128, 16383, 16384, 1, -1, 63, -64, 64, -0.0, 0.1),
        },
        signs: (
            extreme,
            'ß',
            "\u{1F600}\n\"".into(),
            extreme.then_some(Some(3)),
            (),
        ),
        lists: (
            vec![1; 300],
            BTreeMap::from([("a".into(), vec![(); 3])]),
            [1, 2, 3],
            Box::new([-5]),
        ),
        kinds: vec![
            Kind::Unit,
            Kind::Newtype(9),
            Kind::Tuple(1, "t".into()),
            Kind::Struct { deep },
        ],
        unit: Unit,
        newtype: Newtype(vec![Unit, Unit]),
    }
}

#[test]
fn every_kind_of_value_comes_back() {
    for extreme in [false, true] {
        let mut game = Game::new();
        let id = game.create_with(everything(extreme)).id();
        for loaded in [from_json(&json(&game)), from_bytes(&bytes(&game))] {
            assert_eq!(
                *loaded.unwrap().entity(id).everything(),
                everything(extreme)
            );
        }
    }
}

/// Values whose number is not known in advance, and types that need names or detect kinds from
/// values.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Sparse {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    field: Option<u8>,
}

#[test]
fn limits_of_binary_formats_are_reported() {
    let mut game = Game::new();
    let id = game
        .create_with(Flat {
            rest: BTreeMap::from([("a".into(), 1)]),
        })
        .id();
    assert_eq!(
        from_json(&json(&game)).unwrap().entity(id).flat().rest["a"],
        1
    );
    let text = Errors::save(&game).unwrap_err().0;
    let expected = "component `Flat` cannot be written: it could not be read back: binary formats";
    assert!(text.contains(expected), "{text}");

    let mut game = Game::new();
    let id = game.create_with(Sparse { field: None }).id();
    assert_eq!(
        from_json(&json(&game)).unwrap().entity(id).sparse().field,
        None
    );
    let text = Errors::save(&game).unwrap_err().0;
    assert!(text.contains("component `Sparse` cannot be written: its field `field` is skipped"));
}

pub(super) use self::errors::Errors;

/// A binary format with meaningful errors, unlike `postcard`; and a human-readable one that only
/// counts.
mod errors {
    use serde::de::value::{BytesDeserializer, Error};
    use serde::ser::{Impossible, SerializeStruct, Serializer};
    use serde::{Deserializer, de};

    use super::*;

    pub(crate) struct Errors {
        for_people: bool,
    }

    #[derive(Debug)]
    pub(crate) struct Text(pub(crate) String);

    impl std::fmt::Display for Text {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl std::error::Error for Text {}

    impl serde::ser::Error for Text {
        fn custom<T: std::fmt::Display>(text: T) -> Self {
            Self(text.to_string())
        }
    }

    impl Errors {
        pub(crate) fn binary() -> Self {
            Self { for_people: false }
        }

        pub(crate) fn save(game: &Game) -> Result<Vec<u8>, Text> {
            game.save().serialize(Self::binary())
        }

        /// Panics if the outermost struct does not have the announced number of fields.
        pub(crate) fn check_fields(game: &Game) {
            game.save().serialize(Self { for_people: true }).unwrap();
        }

        pub(crate) fn load(bytes: &[u8]) -> Result<Game, String> {
            Game::load(Bytes(bytes)).map_err(|error| error.to_string())
        }

        pub(crate) fn merge(game: &mut Game, bytes: &[u8]) -> Result<Vec<Id>, String> {
            game.merge(Bytes(bytes)).map_err(|error| error.to_string())
        }
    }

    struct Bytes<'a>(&'a [u8]);

    impl<'de> Deserializer<'de> for Bytes<'_> {
        type Error = Error;

        fn is_human_readable(&self) -> bool {
            false
        }

        fn deserialize_any<V: de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            BytesDeserializer::new(self.0).deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    macro_rules! reject {
        ($($method:ident($($argument:ty),*) -> $output:ty;)*) => { $(
            fn $method(self, $(_: $argument),*) -> Result<$output, Text> {
                Err(Text("bytes alone".into()))
            }
        )* };
    }

    type No = Impossible<Vec<u8>, Text>;

    /// The number of remaining fields.
    pub(crate) struct Left(usize);

    impl SerializeStruct for Left {
        type Ok = Vec<u8>;
        type Error = Text;

        fn serialize_field<T: ?Sized>(&mut self, _: &'static str, _: &T) -> Result<(), Text> {
            self.0 -= 1;
            Ok(())
        }

        fn end(self) -> Result<Vec<u8>, Text> {
            assert_eq!(self.0, 0, "fields that were to come");
            Ok(Vec::new())
        }
    }

    impl Serializer for Errors {
        type Ok = Vec<u8>;
        type Error = Text;
        type SerializeSeq = No;
        type SerializeTuple = No;
        type SerializeTupleStruct = No;
        type SerializeTupleVariant = No;
        type SerializeMap = No;
        type SerializeStruct = Left;
        type SerializeStructVariant = No;

        fn is_human_readable(&self) -> bool {
            self.for_people
        }

        fn serialize_struct(self, _: &'static str, len: usize) -> Result<Left, Text> {
            Ok(Left(len))
        }

        fn serialize_bytes(self, bytes: &[u8]) -> Result<Vec<u8>, Text> {
            Ok(bytes.to_vec())
        }

        reject! {
            serialize_bool(bool) -> Vec<u8>; serialize_char(char) -> Vec<u8>;
            serialize_i8(i8) -> Vec<u8>; serialize_i16(i16) -> Vec<u8>;
            serialize_i32(i32) -> Vec<u8>; serialize_i64(i64) -> Vec<u8>;
            serialize_u8(u8) -> Vec<u8>; serialize_u16(u16) -> Vec<u8>;
            serialize_u32(u32) -> Vec<u8>; serialize_u64(u64) -> Vec<u8>;
            serialize_f32(f32) -> Vec<u8>; serialize_f64(f64) -> Vec<u8>;
            serialize_str(&str) -> Vec<u8>; serialize_none() -> Vec<u8>;
            serialize_unit() -> Vec<u8>; serialize_unit_struct(&'static str) -> Vec<u8>;
            serialize_unit_variant(&'static str, u32, &'static str) -> Vec<u8>;
            serialize_seq(Option<usize>) -> No; serialize_tuple(usize) -> No;
            serialize_tuple_struct(&'static str, usize) -> No;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
            serialize_map(Option<usize>) -> No;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
        }

        fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Vec<u8>, Text> {
            Err(Text("bytes alone".into()))
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: &T,
        ) -> Result<Vec<u8>, Text> {
            Err(Text("bytes alone".into()))
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Vec<u8>, Text> {
            Err(Text("bytes alone".into()))
        }
    }
}
