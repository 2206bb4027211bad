//! The side that knows the type.
//!
//! Every component has its own instance of what is generic here, also in programs that never save.
//! So the generic functions are few and short: the source of a value is one type, a visitor gets
//! only those methods that the hint allows, and names of fields are received without their visitor.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use super::asking::{Asker, Given, ListSource, MapSource, Source, TypeHint, Variant};
use crate::formats::packed::Message;

type Result<T = ()> = core::result::Result<T, Message>;

pub(crate) fn read<'de, T: Deserialize<'de>>(from: &mut dyn Source) -> Result<T> {
    T::deserialize(at(from)) // borrows nothing from it
}

/// Returns a deserializer of the value.
#[inline]
pub(crate) fn at<'de>(from: &mut dyn Source) -> impl Deserializer<'de, Error = Message> {
    let readable = from.is_readable();
    ValueAt { from, readable }
}

/// A deserializer of a source.
struct ValueAt<'a> {
    from: &'a mut dyn Source,
    /// Whether the format is for people.
    readable: bool,
}

/// An asker that passes the value to a visitor: those kinds of values that `Kind` allows.
struct Asked<'de, V: Visitor<'de>, Kind> {
    visitor: Option<V>,
    value: Option<V::Value>,
    /// Whether the format is for people.
    readable: bool,
    kind: PhantomData<Kind>,
}

/// All kinds of values.
struct All;
/// What formats have for a type with fields.
struct Fields;
/// What formats have for a type of one field.
struct Wrapped;
/// What formats have for the name of a field or variant.
struct Name;
/// What formats have for an enum.
struct OneOf;

macro_rules! askers {
    ($($kind:ident($visitor:ident, $readable:ident) { $($given:pat => $visit:expr,)* })*) => { $(
        impl<'de, V: Visitor<'de>> Asker for Asked<'de, V, $kind> {
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match &self.visitor {
                    Some(visitor) => visitor.expecting(f),
                    None => f.write_str("one value"),
                }
            }

            fn take(&mut self, given: Given<'_>) -> Result {
                let Some($visitor) = self.visitor.take() else {
                    return Ok(());
                };
                let $readable = self.readable;
                let visited = match given {
                    $($given => $visit,)*
                    #[allow(unreachable_patterns)] // of `All`
                    other => Err(mismatch(&other, &$visitor)),
                };
                match visited {
                    Ok(value) => {
                        self.value = Some(value);
                        Ok(())
                    }
                    Err(error) => Err(error),
                }
            }
        }
    )* };
}

askers! {
    All(visitor, readable) {
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
        Given::Some(from) => visitor.visit_some(ValueAt { from, readable }),
        Given::Newtype(from) => visitor.visit_newtype_struct(ValueAt { from, readable }),
        Given::Seq(from) => visitor.visit_seq(ElementsFrom { from, readable }),
        Given::Map(from) => visitor.visit_map(EntriesFrom { from, readable }),
        Given::Enum(from) => visitor.visit_enum(VariantFrom { from, readable }),
    }
    Fields(visitor, readable) {
        Given::Map(from) => visitor.visit_map(EntriesFrom { from, readable }),
        Given::Seq(from) => visitor.visit_seq(ElementsFrom { from, readable }),
    }
    Wrapped(visitor, readable) {
        Given::Newtype(from) => visitor.visit_newtype_struct(ValueAt { from, readable }),
        Given::Seq(from) => visitor.visit_seq(ElementsFrom { from, readable }),
    }
    Name(visitor, _readable) {
        Given::Str(value) => visitor.visit_str(value),
        Given::Bytes(value) => visitor.visit_bytes(value),
        Given::U64(value) => visitor.visit_u64(value),
        Given::U32(value) => visitor.visit_u64(value.into()),
        Given::U16(value) => visitor.visit_u64(value.into()),
        Given::U8(value) => visitor.visit_u64(value.into()),
    }
    OneOf(visitor, readable) {
        Given::Enum(from) => visitor.visit_enum(VariantFrom { from, readable }),
    }
}

/// The error for a value of a kind that the type does not expect.
#[cold]
fn mismatch(given: &Given<'_>, expected: &dyn Expected) -> Message {
    Message::invalid_type(given.unexpected(), expected)
}

#[cold]
fn no_value() -> Message {
    Message::new("the format gave no value")
}

impl<'de, V: Visitor<'de>, Kind> Asked<'de, V, Kind> {
    #[inline]
    fn of(visitor: V, readable: bool) -> Self {
        Self {
            visitor: Some(visitor),
            value: None,
            readable,
            kind: PhantomData,
        }
    }
}

/// Returns the value that an asker has received.
macro_rules! received {
    ($asked:ident, $result:expr) => {
        match $result {
            Ok(()) => match $asked.value {
                Some(value) => Ok(value),
                None => Err(no_value()),
            },
            Err(error) => Err(error),
        }
    };
}

macro_rules! hints {
    ($($method:ident($($name:ident: $ty:ty),*) $hint:expr, $kind:ident;)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $ty,)* visitor: V) -> Result<V::Value> {
            let mut asked = Asked::<V, $kind>::of(visitor, self.readable);
            received!(asked, self.from.ask($hint, &mut asked))
        }
    )* };
}

impl<'de> Deserializer<'de> for ValueAt<'_> {
    type Error = Message;

    fn is_human_readable(&self) -> bool {
        self.readable
    }

    hints! {
        deserialize_any() TypeHint::Any, All;
        deserialize_bool() TypeHint::Bool, All;
        deserialize_i8() TypeHint::I8, All;
        deserialize_i16() TypeHint::I16, All;
        deserialize_i32() TypeHint::I32, All;
        deserialize_i64() TypeHint::I64, All;
        deserialize_i128() TypeHint::I128, All;
        deserialize_u8() TypeHint::U8, All;
        deserialize_u16() TypeHint::U16, All;
        deserialize_u32() TypeHint::U32, All;
        deserialize_u64() TypeHint::U64, All;
        deserialize_u128() TypeHint::U128, All;
        deserialize_f32() TypeHint::F32, All;
        deserialize_f64() TypeHint::F64, All;
        deserialize_char() TypeHint::Char, All;
        deserialize_str() TypeHint::Str, All;
        deserialize_string() TypeHint::String, All;
        deserialize_bytes() TypeHint::Bytes, All;
        deserialize_byte_buf() TypeHint::ByteBuf, All;
        deserialize_option() TypeHint::Option, All;
        deserialize_unit() TypeHint::Unit, All;
        deserialize_unit_struct(name: &'static str) TypeHint::UnitStruct(name), All;
        deserialize_newtype_struct(name: &'static str) TypeHint::NewtypeStruct(name), Wrapped;
        deserialize_seq() TypeHint::Seq, All;
        deserialize_tuple(len: usize) TypeHint::Tuple(len), All;
        deserialize_tuple_struct(name: &'static str, len: usize)
            TypeHint::TupleStruct(name, len), Fields;
        deserialize_map() TypeHint::Map, All;
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
            TypeHint::Struct(name, fields), Fields;
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
            TypeHint::Enum(name, variants), OneOf;
        deserialize_identifier() TypeHint::Identifier, Name;
        deserialize_ignored_any() TypeHint::IgnoredAny, All;
    }
}

macro_rules! parts {
    ($($(#[$doc:meta])* $part:ident of $whole:ident: |$from:ident, $hint:ident, $asker:ident| $ask:expr;)*) => { $(
        $(#[$doc])*
        struct $part<'a> {
            from: &'a mut dyn $whole,
            /// Whether there is a value. This is known only once it is requested.
            is_there: bool,
        }

        impl Source for $part<'_> {
            #[inline]
            fn ask(&mut self, $hint: TypeHint, $asker: &mut dyn Asker) -> Result {
                let $from = &mut *self.from;
                self.is_there = $ask;
                match self.is_there {
                    true => Ok(()),
                    false => Err(Message::none()), // never leaves this file
                }
            }
        }
    )* };
}

parts! {
    /// The next element of a list.
    Element of ListSource: |from, hint, asker| from.next(hint, asker)?;
    /// The next key of a map.
    Key of MapSource: |from, hint, asker| from.key(hint, asker)?;
    /// The value of the last key.
    Entry of MapSource: |from, hint, asker| from.value(hint, asker).map(|()| true)?;
    /// The name of a variant.
    VariantName of Variant: |from, hint, asker| from.name(hint, asker).map(|()| true)?;
    /// The only field of a variant.
    OnlyField of Variant: |from, hint, asker| from.newtype(hint, asker).map(|()| true)?;
}

/// Reads a part with a function, if it is there.
macro_rules! optional {
    ($self:ident.$part:ident, $read:expr) => {{
        let mut from = $part {
            from: &mut *$self.from,
            is_there: true,
        };
        let read = $read(ValueAt {
            from: &mut from,
            readable: $self.readable,
        });
        match read {
            _ if !from.is_there => Ok(None), // also if the type replaces errors by a value
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error),
        }
    }};
}

/// Reads a part with a function.
macro_rules! part {
    ($self:ident.$part:ident, $read:expr) => {
        $read(ValueAt {
            from: &mut $part {
                from: &mut *$self.from,
                is_there: true,
            },
            readable: $self.readable,
        })
    };
}

struct ElementsFrom<'a> {
    from: &'a mut dyn ListSource,
    readable: bool,
}

// What needs no seed saves two instances for each type.
impl<'de> SeqAccess<'de> for ElementsFrom<'_> {
    type Error = Message;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        optional!(self.Element, |from| seed.deserialize(from))
    }

    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        optional!(self.Element, T::deserialize)
    }

    fn size_hint(&self) -> Option<usize> {
        self.from.left()
    }
}

struct EntriesFrom<'a> {
    from: &'a mut dyn MapSource,
    readable: bool,
}

impl<'de> MapAccess<'de> for EntriesFrom<'_> {
    type Error = Message;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        optional!(self.Key, |from| seed.deserialize(from))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        part!(self.Entry, |from| seed.deserialize(from))
    }

    #[inline]
    fn next_key<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        optional!(self.Key, T::deserialize)
    }

    #[inline]
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T> {
        part!(self.Entry, T::deserialize)
    }

    fn size_hint(&self) -> Option<usize> {
        self.from.left()
    }
}

struct VariantFrom<'a> {
    from: &'a mut dyn Variant,
    readable: bool,
}

impl<'de> EnumAccess<'de> for VariantFrom<'_> {
    type Error = Message;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        match part!(self.VariantName, |from| seed.deserialize(from)) {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error),
        }
    }

    fn variant<T: Deserialize<'de>>(self) -> Result<(T, Self)> {
        match part!(self.VariantName, T::deserialize) {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error),
        }
    }
}

impl<'de> VariantAccess<'de> for VariantFrom<'_> {
    type Error = Message;

    fn unit_variant(self) -> Result {
        self.from.unit()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        part!(self.OnlyField, |from| seed.deserialize(from))
    }

    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T> {
        part!(self.OnlyField, T::deserialize)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let mut asked = Asked::<V, Fields>::of(visitor, self.readable);
        received!(asked, self.from.tuple(len, &mut asked))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mut asked = Asked::<V, Fields>::of(visitor, self.readable);
        received!(asked, self.from.fields(fields, &mut asked))
    }
}
