//! The side that knows the type.

use core::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::asking::{Asker, Given, ListSource, MapSource, Source, TypeHint, Variant};
use crate::formats::packed::Message;

type Result<T = ()> = core::result::Result<T, Message>;

pub(crate) fn read<'de, T: Deserialize<'de>>(from: &mut dyn Source) -> Result<T> {
    T::deserialize(at(from)) // borrows nothing from it
}

/// Returns a deserializer of the value.
pub(crate) fn at<'de>(from: &mut dyn Source) -> impl Deserializer<'de, Error = Message> {
    ValueAt(|hint, asker: &mut dyn Asker| from.ask(hint, asker))
}

/// A deserializer that calls the function with a hint.
struct ValueAt<F>(F);

/// An asker that passes the value to a visitor.
struct AskedValue<'de, V: Visitor<'de>> {
    visitor: Option<V>,
    value: Option<V::Value>,
}

impl<'de, V: Visitor<'de>> Asker for AskedValue<'de, V> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.visitor {
            Some(visitor) => visitor.expecting(f),
            None => f.write_str("one value"),
        }
    }

    fn take(&mut self, given: Given<'_>) -> Result {
        if let Some(visitor) = self.visitor.take() {
            self.value = Some(visit(visitor, given)?);
        }
        Ok(())
    }
}

/// Passes the value to the visitor.
#[inline]
fn visit<'de, V: Visitor<'de>>(visitor: V, given: Given<'_>) -> Result<V::Value> {
    match given {
        Given::Bool(value) => visitor.visit_bool(value),
        Given::I8(value) => visitor.visit_i8(value),
        Given::I16(value) => visitor.visit_i16(value),
        Given::I32(value) => visitor.visit_i32(value),
        Given::I64(value) => visitor.visit_i64(value),
        Given::I128(value) => visitor.visit_i128(value),
        Given::U8(value) => visitor.visit_u8(value),
        Given::U16(value) => visitor.visit_u16(value),
        Given::U32(value) => visitor.visit_u32(value),
        Given::U64(value) => visitor.visit_u64(value),
        Given::U128(value) => visitor.visit_u128(value),
        Given::F32(value) => visitor.visit_f32(value),
        Given::F64(value) => visitor.visit_f64(value),
        Given::Char(value) => visitor.visit_char(value),
        Given::Str(value) => visitor.visit_str(value),
        Given::Bytes(value) => visitor.visit_bytes(value),
        Given::None => visitor.visit_none(),
        Given::Unit => visitor.visit_unit(),
        Given::Some(from) => {
            visitor.visit_some(ValueAt(|hint, asker: &mut dyn Asker| from.ask(hint, asker)))
        }
        Given::Newtype(from) => visitor
            .visit_newtype_struct(ValueAt(|hint, asker: &mut dyn Asker| from.ask(hint, asker))),
        Given::Seq(from) => visitor.visit_seq(ElementsFrom(from)),
        Given::Map(from) => visitor.visit_map(EntriesFrom(from)),
        Given::Enum(from) => visitor.visit_enum(VariantFrom(from)),
    }
}

impl<F: FnOnce(TypeHint, &mut dyn Asker) -> Result> ValueAt<F> {
    #[inline]
    fn ask<'de, V: Visitor<'de>>(self, hint: TypeHint, visitor: V) -> Result<V::Value> {
        get(visitor, |asker| (self.0)(hint, asker))
    }
}

#[inline]
fn get<'de, V: Visitor<'de>>(
    visitor: V,
    ask: impl FnOnce(&mut dyn Asker) -> Result,
) -> Result<V::Value> {
    let mut asked = AskedValue {
        visitor: Some(visitor),
        value: None,
    };
    ask(&mut asked)?;
    let value = asked.value;
    value.ok_or_else(|| Message::new("the format gave no value"))
}

macro_rules! hints {
    ($($method:ident($($name:ident: $ty:ty),*) $hint:expr,)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $ty,)* visitor: V) -> Result<V::Value> {
            self.ask($hint, visitor)
        }
    )* };
}

impl<'de, F: FnOnce(TypeHint, &mut dyn Asker) -> Result> Deserializer<'de> for ValueAt<F> {
    type Error = Message;

    hints! {
        deserialize_any() TypeHint::Any,
        deserialize_bool() TypeHint::Bool,
        deserialize_i8() TypeHint::I8,
        deserialize_i16() TypeHint::I16,
        deserialize_i32() TypeHint::I32,
        deserialize_i64() TypeHint::I64,
        deserialize_i128() TypeHint::I128,
        deserialize_u8() TypeHint::U8,
        deserialize_u16() TypeHint::U16,
        deserialize_u32() TypeHint::U32,
        deserialize_u64() TypeHint::U64,
        deserialize_u128() TypeHint::U128,
        deserialize_f32() TypeHint::F32,
        deserialize_f64() TypeHint::F64,
        deserialize_char() TypeHint::Char,
        deserialize_str() TypeHint::Str,
        deserialize_string() TypeHint::String,
        deserialize_bytes() TypeHint::Bytes,
        deserialize_byte_buf() TypeHint::ByteBuf,
        deserialize_option() TypeHint::Option,
        deserialize_unit() TypeHint::Unit,
        deserialize_unit_struct(name: &'static str) TypeHint::UnitStruct(name),
        deserialize_newtype_struct(name: &'static str) TypeHint::NewtypeStruct(name),
        deserialize_seq() TypeHint::Seq,
        deserialize_tuple(len: usize) TypeHint::Tuple(len),
        deserialize_tuple_struct(name: &'static str, len: usize) TypeHint::TupleStruct(name, len),
        deserialize_map() TypeHint::Map,
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
            TypeHint::Struct(name, fields),
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
            TypeHint::Enum(name, variants),
        deserialize_identifier() TypeHint::Identifier,
        deserialize_ignored_any() TypeHint::IgnoredAny,
    }
}

/// Reads an element, if there is one. This is known only once it is requested.
#[inline]
fn next<'de, S: DeserializeSeed<'de>>(
    seed: S,
    ask: impl FnOnce(TypeHint, &mut dyn Asker) -> Result<bool>,
) -> Result<Option<S::Value>> {
    let mut is_there = true;
    let value = seed.deserialize(ValueAt(|hint, asker: &mut dyn Asker| {
        is_there = ask(hint, asker)?;
        match is_there {
            true => Ok(()),
            false => Err(Message::none()), // never leaves this function
        }
    }));
    match is_there {
        true => value.map(Some),
        false => Ok(None),
    }
}

struct ElementsFrom<'a>(&'a mut dyn ListSource);

impl<'de> SeqAccess<'de> for ElementsFrom<'_> {
    type Error = Message;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        next(seed, |hint, asker| self.0.next(hint, asker))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.left()
    }
}

struct EntriesFrom<'a>(&'a mut dyn MapSource);

impl<'de> MapAccess<'de> for EntriesFrom<'_> {
    type Error = Message;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        next(seed, |hint, asker| self.0.key(hint, asker))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(ValueAt(|hint, asker: &mut dyn Asker| {
            self.0.value(hint, asker)
        }))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.left()
    }
}

struct VariantFrom<'a>(&'a mut dyn Variant);

impl<'de> EnumAccess<'de> for VariantFrom<'_> {
    type Error = Message;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        let variant = seed.deserialize(ValueAt(|hint, asker: &mut dyn Asker| {
            self.0.name(hint, asker)
        }))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for VariantFrom<'_> {
    type Error = Message;

    fn unit_variant(self) -> Result {
        self.0.unit()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(ValueAt(|hint, asker: &mut dyn Asker| {
            self.0.newtype(hint, asker)
        }))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        get(visitor, |asker| self.0.tuple(len, asker))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        get(visitor, |asker| self.0.fields(fields, asker))
    }
}
