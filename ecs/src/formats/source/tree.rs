//! A complete value of a self-describing format.
//!
//! For types with `tag`, `untagged` or `flatten`, serde buffers the value before it decides what it
//! is. RON distinguishes variants from strings, and tags from variants, only if it recognizes serde
//! by the requested type. So this type is read in the same way.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, Serializer};

use crate::formats::packed::Message;

/// A value.
pub(crate) enum Tree {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    None,
    Unit,
    Some(Box<Tree>),
    Newtype(Box<Tree>),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

/// Makes serde buffer a value as a tree.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum WholeValue {
    Of(Tree),
}

impl Tree {
    /// Reads a value from a format.
    pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let WholeValue::Of(tree) = WholeValue::deserialize(from)?;
        Ok(tree)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TreeReader)
    }
}

struct TreeReader;

macro_rules! read {
    ($($method:ident($ty:ty) $variant:ident,)*) => { $(
        fn $method<E: Error>(self, value: $ty) -> Result<Tree, E> {
            Ok(Tree::$variant(value.into()))
        }
    )* };
}

impl<'de> Visitor<'de> for TreeReader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    read! {
        visit_bool(bool) Bool,
        visit_i64(i64) Signed,
        visit_u64(u64) Unsigned,
        visit_f64(f64) Float,
        visit_char(char) Char,
        visit_str(&str) Text,
        visit_bytes(&[u8]) Bytes,
    }

    fn visit_none<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::None)
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Unit)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Tree, D::Error> {
        Tree::deserialize(from).map(|tree| Tree::Some(Box::new(tree)))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Tree, D::Error> {
        Tree::deserialize(from).map(|tree| Tree::Newtype(Box::new(tree)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut all = Vec::new();
        while let Some(element) = from.next_element()? {
            all.push(element);
        }
        Ok(Tree::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = from.next_entry()? {
            all.push(entry);
        }
        Ok(Tree::Map(all))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Tree, A::Error> {
        Err(A::Error::custom("a variant whose type is not known"))
    }
}

/// A value whose type is not known, to be written again in the same format.
pub(crate) struct Kept(pub(crate) Tree);

/// By this name RON passes a value as text. Other formats ignore the name of a type of one field.
const RON: &str = "$ron::private::RawValue";

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let tree = from.deserialize_newtype_struct(RON, KeptReader)?;
        tree.map(Self).ok_or_else(|| {
            D::Error::custom(
                "RON does not tell structs, variants and tuples from other values if their type is not \
                 known; use JSON or a binary format",
            )
        })
    }
}

/// Reads a value, or nothing from RON, which replaces the errors of this reader.
struct KeptReader;

impl<'de> Visitor<'de> for KeptReader {
    type Value = Option<Tree>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        Tree::deserialize(from).map(Some)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Signed(value) => to.serialize_i64(*value),
            Self::Unsigned(value) => to.serialize_u64(*value),
            Self::Float(value) => to.serialize_f64(*value),
            Self::Char(value) => to.serialize_char(*value),
            Self::Text(value) => to.serialize_str(value),
            Self::Bytes(value) => to.serialize_bytes(value),
            Self::None => to.serialize_none(),
            Self::Unit => to.serialize_unit(),
            Self::Some(value) => to.serialize_some(&**value),
            Self::Newtype(value) => to.serialize_newtype_struct("", &**value),
            Self::List(all) => to.collect_seq(all),
            Self::Map(all) => to.collect_map(all.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl IntoDeserializer<'_, Message> for Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Message;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Message> {
        match self {
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Signed(value) => visitor.visit_i64(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Float(value) => visitor.visit_f64(value),
            Self::Char(value) => visitor.visit_char(value),
            Self::Text(value) => visitor.visit_string(value),
            Self::Bytes(value) => visitor.visit_byte_buf(value),
            Self::None => visitor.visit_none(),
            Self::Unit => visitor.visit_unit(),
            Self::Some(tree) => visitor.visit_some(*tree),
            Self::Newtype(tree) => visitor.visit_newtype_struct(*tree),
            Self::List(all) => visitor.visit_seq(SeqDeserializer::new(all.into_iter())),
            Self::Map(all) => visitor.visit_map(MapDeserializer::new(all.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Message> {
        match self {
            Self::None | Self::Unit => visitor.visit_none(),
            Self::Some(tree) => visitor.visit_some(*tree),
            tree => visitor.visit_some(tree),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Message> {
        match self {
            Self::Newtype(tree) => visitor.visit_newtype_struct(*tree),
            tree => visitor.visit_newtype_struct(tree),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Message> {
        match self {
            Self::Text(variant) => visitor.visit_enum(variant.into_deserializer()),
            Self::Map(all) => {
                let map = MapDeserializer::new(all.into_iter());
                MapAccessDeserializer::new(map).deserialize_enum(name, variants, visitor)
            }
            tree => tree.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
