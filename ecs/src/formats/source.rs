//! Reading a value when one side knows only the type, and the other side only the format.
//!
//! ```text
//! the type                             the format
//! T::deserialize(At(..))               D
//!    │ hint: a struct with these fields   │
//!    ├─────────── Source::ask ───────────►│ deserialize_struct
//!    │◄────────── Asker::take ────────────┤ visit_map: Given::Map
//!    │  then keys and values, one by one, in the same way
//! ```
//!
//! A value takes two dynamic calls, a field four, and none of them allocates. `erased-serde`, which
//! is used for writing, takes a dozen calls to read a field, so loading JSON would take two to
//! three times as long.

mod asking;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use core::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use self::asking::{Asker, Given, ListSource, MapSource, TypeHint, Variant};
use crate::formats::packed::{Message, Unpacker};

pub(crate) use self::asking::Source;
pub(crate) use self::tree::{Kept, Tree};
pub(crate) use self::value::{at, read};

type Result<T = ()> = core::result::Result<T, Message>;

/// A value in a format, until it is read. If `WHOLE`, a value read with `deserialize_any` is first
/// read into a [`Tree`].
pub(crate) struct Format<D, const WHOLE: bool = true>(Option<D>);

impl<D> Format<D> {
    pub(crate) fn new(deserializer: D) -> Self {
        Self(Some(deserializer))
    }
}

/// Returns the next value of the binary encoding as a source.
pub(crate) fn packed(from: &mut Unpacker<'_>) -> impl Source {
    Format::<_, false>(Some(from))
}

/// The error for reading a value a second time.
fn used_up() -> Message {
    Message::new("a value was asked for twice")
}

impl<'de, D: Deserializer<'de>, const WHOLE: bool> Source for Format<D, WHOLE> {
    fn is_readable(&self) -> bool {
        self.0.as_ref().is_none_or(D::is_human_readable)
    }

    fn ask(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result {
        let from = self.0.take().ok_or_else(used_up)?;
        ask::<D, WHOLE>(from, hint, asker).map_err(Message::new)
    }
}

/// Calls the method of the format for the hint.
#[inline]
fn ask<'de, D: Deserializer<'de>, const WHOLE: bool>(
    from: D,
    hint: TypeHint,
    asker: &mut dyn Asker,
) -> core::result::Result<(), D::Error> {
    let to = To::<WHOLE>(asker);
    match hint {
        TypeHint::Any if WHOLE => {
            let tree = Tree::read(from)?;
            tree.deserialize_any(To::<false>(to.0))
                .map_err(|error: Message| D::Error::custom(error))
        }
        TypeHint::Any => from.deserialize_any(to),
        TypeHint::Bool => from.deserialize_bool(to),
        TypeHint::I8 => from.deserialize_i8(to),
        TypeHint::I16 => from.deserialize_i16(to),
        TypeHint::I32 => from.deserialize_i32(to),
        TypeHint::I64 => from.deserialize_i64(to),
        TypeHint::I128 => from.deserialize_i128(to),
        TypeHint::U8 => from.deserialize_u8(to),
        TypeHint::U16 => from.deserialize_u16(to),
        TypeHint::U32 => from.deserialize_u32(to),
        TypeHint::U64 => from.deserialize_u64(to),
        TypeHint::U128 => from.deserialize_u128(to),
        TypeHint::F32 => from.deserialize_f32(to),
        TypeHint::F64 => from.deserialize_f64(to),
        TypeHint::Char => from.deserialize_char(to),
        TypeHint::Str => from.deserialize_str(to),
        TypeHint::String => from.deserialize_string(to),
        TypeHint::Bytes => from.deserialize_bytes(to),
        TypeHint::ByteBuf => from.deserialize_byte_buf(to),
        TypeHint::Option => from.deserialize_option(to),
        TypeHint::Unit => from.deserialize_unit(to),
        TypeHint::UnitStruct(name) => from.deserialize_unit_struct(name, to),
        TypeHint::NewtypeStruct(name) => from.deserialize_newtype_struct(name, to),
        TypeHint::Seq => from.deserialize_seq(to),
        TypeHint::Tuple(len) => from.deserialize_tuple(len, to),
        TypeHint::TupleStruct(name, len) => from.deserialize_tuple_struct(name, len, to),
        TypeHint::Map => from.deserialize_map(to),
        TypeHint::Struct(name, fields) => from.deserialize_struct(name, fields, to),
        TypeHint::Enum(name, variants) => from.deserialize_enum(name, variants, to),
        TypeHint::Identifier => from.deserialize_identifier(to),
        TypeHint::IgnoredAny => from.deserialize_ignored_any(to),
    }
}

/// Passes the value from the format to the asker.
struct To<'a, const WHOLE: bool>(&'a mut dyn Asker);

macro_rules! plain {
    ($($method:ident($ty:ty) $given:ident,)*) => { $(
        #[inline]
        fn $method<E: Error>(self, value: $ty) -> core::result::Result<(), E> {
            self.0.take(Given::$given(value)).map_err(E::custom)
        }
    )* };
}

impl<'de, const WHOLE: bool> Visitor<'de> for To<'_, WHOLE> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    plain! {
        visit_bool(bool) Bool,
        visit_i8(i8) I8,
        visit_i16(i16) I16,
        visit_i32(i32) I32,
        visit_i64(i64) I64,
        visit_i128(i128) I128,
        visit_u8(u8) U8,
        visit_u16(u16) U16,
        visit_u32(u32) U32,
        visit_u64(u64) U64,
        visit_u128(u128) U128,
        visit_f32(f32) F32,
        visit_f64(f64) F64,
        visit_char(char) Char,
        visit_str(&str) Str,
        visit_bytes(&[u8]) Bytes,
    }

    fn visit_none<E: Error>(self) -> core::result::Result<(), E> {
        self.0.take(Given::None).map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> core::result::Result<(), E> {
        self.0.take(Given::Unit).map_err(E::custom)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> core::result::Result<(), D::Error> {
        let mut from = Format::<_, WHOLE>(Some(from));
        self.0
            .take(Given::Some(&mut from))
            .map_err(D::Error::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        from: D,
    ) -> core::result::Result<(), D::Error> {
        let mut from = Format::<_, WHOLE>(Some(from));
        self.0
            .take(Given::Newtype(&mut from))
            .map_err(D::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> core::result::Result<(), A::Error> {
        let mut from = ElementsOf::<_, WHOLE>(from);
        self.0.take(Given::Seq(&mut from)).map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> core::result::Result<(), A::Error> {
        let mut from = EntriesOf::<_, WHOLE>(from);
        self.0.take(Given::Map(&mut from)).map_err(A::Error::custom)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> core::result::Result<(), A::Error> {
        let mut from = VariantOf::<_, WHOLE>::Unknown(Some(from));
        self.0
            .take(Given::Enum(&mut from))
            .map_err(A::Error::custom)
    }
}

/// An element of a list, map or enum, to be read.
struct Seed<'a, const WHOLE: bool> {
    hint: TypeHint,
    asker: &'a mut dyn Asker,
}

impl<'de, const WHOLE: bool> DeserializeSeed<'de> for Seed<'_, WHOLE> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> core::result::Result<(), D::Error> {
        ask::<D, WHOLE>(from, self.hint, self.asker)
    }
}

struct ElementsOf<A, const WHOLE: bool>(A);

impl<'de, A: SeqAccess<'de>, const WHOLE: bool> ListSource for ElementsOf<A, WHOLE> {
    fn next(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result<bool> {
        let next = self.0.next_element_seed(Seed::<WHOLE> { hint, asker });
        Ok(next.map_err(Message::new)?.is_some())
    }

    fn left(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

struct EntriesOf<A, const WHOLE: bool>(A);

impl<'de, A: MapAccess<'de>, const WHOLE: bool> MapSource for EntriesOf<A, WHOLE> {
    fn key(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result<bool> {
        let next = self.0.next_key_seed(Seed::<WHOLE> { hint, asker });
        Ok(next.map_err(Message::new)?.is_some())
    }

    fn value(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result {
        let value = self.0.next_value_seed(Seed::<WHOLE> { hint, asker });
        value.map_err(Message::new)
    }

    fn left(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

enum VariantOf<'de, A: EnumAccess<'de>, const WHOLE: bool> {
    Unknown(Option<A>),
    Known(Option<A::Variant>),
}

impl<'de, A: EnumAccess<'de>, const WHOLE: bool> VariantOf<'de, A, WHOLE> {
    fn known(&mut self) -> Result<A::Variant> {
        match self {
            Self::Known(variant) => variant.take().ok_or_else(used_up),
            Self::Unknown(_) => Err(used_up()),
        }
    }
}

impl<'de, A: EnumAccess<'de>, const WHOLE: bool> Variant for VariantOf<'de, A, WHOLE> {
    fn name(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result {
        let Self::Unknown(from) = self else {
            return Err(used_up());
        };
        let from = from.take().ok_or_else(used_up)?;
        let ((), variant) = from
            .variant_seed(Seed::<WHOLE> { hint, asker })
            .map_err(Message::new)?;
        *self = Self::Known(Some(variant));
        Ok(())
    }

    fn unit(&mut self) -> Result {
        self.known()?.unit_variant().map_err(Message::new)
    }

    fn newtype(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result {
        let seed = Seed::<WHOLE> { hint, asker };
        self.known()?
            .newtype_variant_seed(seed)
            .map_err(Message::new)
    }

    fn tuple(&mut self, len: usize, asker: &mut dyn Asker) -> Result {
        let variant = self.known()?;
        variant
            .tuple_variant(len, To::<WHOLE>(asker))
            .map_err(Message::new)
    }

    fn fields(&mut self, fields: &'static [&'static str], asker: &mut dyn Asker) -> Result {
        let variant = self.known()?;
        variant
            .struct_variant(fields, To::<WHOLE>(asker))
            .map_err(Message::new)
    }
}
