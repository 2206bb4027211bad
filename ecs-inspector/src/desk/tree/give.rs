//! Reading a value from a tree.

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};
use serde_json::Error;
use serde_json::value::RawValue;

use super::Tree;

/// A deserializer for JSON from a client.
fn reader(json: &RawValue) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
    serde_json::Deserializer::from_str(json.get())
}

fn list<'t, V: Visitor<'t>>(parts: &'t [Tree], visitor: V) -> Result<V::Value, Error> {
    let mut parts = SeqDeserializer::new(parts.iter());
    let value = visitor.visit_seq(&mut parts)?;
    parts.end()?;
    Ok(value)
}

fn map<'t, K, V>(
    entries: impl Iterator<Item = (K, &'t Tree)>,
    visitor: V,
) -> Result<V::Value, Error>
where
    K: IntoDeserializer<'t, Error>,
    V: Visitor<'t>,
{
    let mut entries = MapDeserializer::new(entries);
    let value = visitor.visit_map(&mut entries)?;
    entries.end()?;
    Ok(value)
}

impl<'t> IntoDeserializer<'t, Error> for &'t Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! as_it_is {
    ($($method:ident,)*) => { $(
        fn $method<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Tree::Json(json) => reader(json).$method(visitor),
                _ => self.deserialize_any(visitor),
            }
        }
    )* };
}

impl<'t> Deserializer<'t> for &'t Tree {
    type Error = Error;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Unit => visitor.visit_unit(),
            Tree::Bool(it) => visitor.visit_bool(*it),
            Tree::Unsigned(it) => visitor.visit_u64(*it),
            Tree::Signed(it) => visitor.visit_i64(*it),
            Tree::Wide(it) => visitor.visit_u128(*it),
            Tree::WideSigned(it) => visitor.visit_i128(*it),
            Tree::Float(it) => visitor.visit_f64(*it),
            Tree::Char(it) => visitor.visit_char(*it),
            Tree::Text(it) => visitor.visit_str(it),
            Tree::Bytes(it) => visitor.visit_bytes(it),
            Tree::None => visitor.visit_none(),
            Tree::Some(inner) => visitor.visit_some(&**inner),
            Tree::List(parts) => list(parts, visitor),
            Tree::Map(entries) => map(entries.iter().map(|(key, part)| (key, part)), visitor),
            Tree::Struct(fields) => map(fields.iter().map(|(name, part)| (*name, part)), visitor),
            Tree::Variant(name, None) => visitor.visit_str(name),
            Tree::Variant(name, Some(content)) => {
                map(std::iter::once((*name, &**content)), visitor)
            }
            Tree::Json(json) => reader(json).deserialize_any(visitor),
        }
    }

    as_it_is! {
        deserialize_bool, deserialize_char, deserialize_str, deserialize_string,
        deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64, deserialize_i128,
        deserialize_u8, deserialize_u16, deserialize_u32, deserialize_u64, deserialize_u128,
        deserialize_f32, deserialize_f64, deserialize_bytes, deserialize_byte_buf,
        deserialize_unit, deserialize_seq, deserialize_map, deserialize_identifier,
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Json(json) => reader(json).deserialize_option(visitor),
            Tree::None | Tree::Unit => visitor.visit_none(),
            Tree::Some(inner) => visitor.visit_some(&**inner),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Tree::Json(json) => reader(json).deserialize_newtype_struct(name, visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_tuple<V: Visitor<'t>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Tree::Json(json) => reader(json).deserialize_struct(name, fields, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let unexpected = || Error::custom("expected a variant of an enum");
        match self {
            Tree::Json(json) => reader(json).deserialize_enum(name, variants, visitor),
            Tree::Variant(name, content) => visitor.visit_enum(Chosen(name, content.as_deref())),
            Tree::Text(name) => visitor.visit_enum(Chosen(name, None)),
            Tree::Map(entries) => {
                let [(Tree::Text(name), content)] = &**entries else {
                    return Err(unexpected());
                };
                visitor.visit_enum(Chosen(name, Some(content)))
            }
            _ => Err(unexpected()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

/// A variant of an enum, with its content.
struct Chosen<'t>(&'t str, Option<&'t Tree>);

impl<'t> EnumAccess<'t> for Chosen<'t> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'t>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'t> Chosen<'t> {
    fn content(self) -> Result<&'t Tree, Error> {
        let missing = || Error::custom(format_args!("the variant `{}` has a content", self.0));
        self.1.ok_or_else(missing)
    }
}

impl<'t> VariantAccess<'t> for Chosen<'t> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.1 {
            None => Ok(()),
            Some(content) => serde::Deserialize::deserialize(content),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'t>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.content()?.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.content()?.deserialize_struct("", fields, visitor)
    }
}
