//! Unusual formats: bytes one by one, a declared number of fields, input that is no save. And the
//! size of the owners of a component.

use std::fmt::Display;

use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::formats::Errors;
use super::*;

/// A format like another one, but not human-readable.
struct Binary<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Binary<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Bytes, one after the other.
fn one_by_one(bytes: &[u8]) -> Binary<SeqDeserializer<impl Iterator<Item = u8>, Error>> {
    Binary(SeqDeserializer::new(bytes.iter().copied()))
}

/// The bytes that a save or a template serializes as one byte string.
fn whole(saved: &impl Serialize) -> Vec<u8> {
    postcard::from_bytes(&postcard::to_stdvec(saved).unwrap()).unwrap()
}

#[test]
fn bytes_are_read_one_by_one() {
    let game = world();
    let loaded = Game::load(one_by_one(&whole(&game.save()))).unwrap();
    assert_eq!(json(&loaded), json(&game));
    let template = Template::<Game>::new()
        .with(Name("orc".into()))
        .with(Frozen);
    let loaded = Template::<Game>::deserialize(one_by_one(&whole(&template))).unwrap();
    assert_eq!(format!("{loaded:?}"), format!("{template:?}"));
}

fn text<T>(result: Result<T, impl Display>) -> String {
    result.map(drop).unwrap_err().to_string()
}

#[test]
fn input_that_is_no_save_names_what_was_expected() {
    let part = |text: &str| {
        let error = from_json(&format!(r#"{{"format":1,"context":"Game",{text}}}"#));
        error.map(drop).unwrap_err()
    };
    let numbers = || MapDeserializer::<_, Error>::new([(1_u8, 2_u8)].into_iter());
    let named = BTreeMap::from([("0v1", BTreeMap::from([(1_u8, 2_u8)]))]);
    let entities = MapDeserializer::<_, Error>::new([("entities", named)].into_iter());
    let number: serde::de::value::U8Deserializer<Error> = 3_u8.into_deserializer();
    let messages = [
        from_json("[]").map(drop).unwrap_err(),
        part(r#""entities":[]"#),
        part(r#""entities":{"0v1":3}"#),
        part(r#""entities":{},"order":[]"#),
        part(r#""entities":{},"order":{"ChildOf":[]}"#),
        text(Game::load(numbers())),
        text(Game::load(entities)),
        text(Game::load(Binary(number))),
        text(Template::<Game>::deserialize(number)),
    ];
    let expected = [
        "a save of context `Game`",
        "entities by id",
        "the components of an entity by name",
        "a map",
        "a map",
        "a part of a save",
        "the name of a component",
        "a save of context `Game`, as bytes",
        "components of context `Game` by name, or entities by id",
    ];
    for (message, expected) in messages.iter().zip(expected) {
        let said = message.split_once(", expected ").expect(message).1;
        let said = said.split(" at line").next().unwrap();
        assert_eq!(said, expected, "{message}");
    }
    for order in &messages[3..5] {
        assert!(
            order.starts_with("the order of sources cannot be read: "),
            "{order}"
        );
    }
}

/// The size of a component owned by these of a thousand entities, in bytes.
fn room_of(owners: impl Iterator<Item = usize>) -> usize {
    let mut game = Game::new();
    let ids = game.create_many([(); 1000]);
    let without = whole(&game.save()).len();
    for at in owners {
        game.entity_mut(ids[at]).add_frozen();
    }
    let saved = bytes(&game);
    assert_eq!(json(&from_bytes(&saved).unwrap()), json(&game));
    whole(&game.save()).len() - without
}

#[test]
fn owners_take_a_byte_each_or_a_bit_of_each_entity_or_nothing() {
    let head = room_of(0..1000); // all of them, so no owner is listed
    assert!(head < 20, "{head} bytes");
    assert_eq!(room_of([0, 1, 2, 120, 121].into_iter()), head + 1 + 5);
    assert_eq!(room_of((0..62).map(|at| at * 16)), head + 1 + 62);
    assert_eq!(room_of((0..63).map(|at| at * 15)), head + 125);
    assert_eq!(room_of((0..1000).step_by(2)), head + 125);
}

/// Serializable, but transient.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, transient)]
struct Cached(u8);

#[test]
fn serializable_transient_components_are_excluded() {
    let mut game = Game::new();
    game.create_with((Cached(1), Frozen));
    assert!(!json(&game).contains("Cached"), "{}", json(&game));
    assert!(
        !from_bytes(&bytes(&game))
            .unwrap()
            .entities()
            .any(|it| it.has::<Cached>())
    );
}

/// Formats that write the number of fields before the first one rely on it.
#[test]
fn a_format_receives_the_number_of_fields() {
    let mut game = Game::new();
    Errors::check_fields(&game);
    let ids = game.create_many([(); 3].map(|()| Frozen));
    Errors::check_fields(&game);
    game.destroy(ids[1]);
    Errors::check_fields(&game);
    game.entity_mut(ids[0]).remove_frozen();
    game.defragment();
    Errors::check_fields(&game);
    Errors::check_fields(&world());
}
