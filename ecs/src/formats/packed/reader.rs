//! Reading values from untrusted bytes.

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer as _,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::formats::packed::message::Message;

type Result<T> = core::result::Result<T, Message>;

/// The maximum nesting of values. Without it a recursive type could overflow the stack.
pub(crate) const DEEPEST: u32 = 128;

/// The maximum number of elements without bytes in one input. Without it a list of units could be
/// arbitrarily long.
pub(super) const MOST_EMPTY: u32 = 1 << 20;

/// The input that values are read from.
#[derive(Clone)]
pub struct Unpacker<'de> {
    rest: &'de [u8],
    depth: u32,
    empty: u32,
}

impl<'de> Unpacker<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        Self {
            rest: bytes,
            depth: 0,
            empty: 0,
        }
    }

    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    #[inline]
    pub(crate) fn raw(&mut self, len: usize) -> Result<&'de [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or_else(ends_early)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads a primitive value.
    #[inline]
    fn take<T: Deserialize<'de>>(&mut self) -> Result<T> {
        let (value, rest) = postcard::take_from_bytes(self.rest).map_err(broken)?;
        self.rest = rest;
        Ok(value)
    }

    /// Reads a varint. Most take one byte and need no call.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64> {
        match self.rest.split_first() {
            Some((&first, rest)) if first < 0x80 => {
                self.rest = rest;
                Ok(first.into())
            }
            _ => self.take(),
        }
    }

    /// Reads an index or a generation.
    pub(crate) fn index(&mut self) -> Result<u32> {
        self.take()
    }

    /// Reads the number of elements that take at least one byte each.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        let count = usize::try_from(count).ok();
        count
            .filter(|count| *count <= self.left())
            .ok_or_else(ends_early)
    }

    /// Reads bytes preceded by their length in eight bytes.
    pub(crate) fn part(&mut self) -> Result<&'de [u8]> {
        let len = u64::from_le_bytes(self.take()?);
        self.raw(usize::try_from(len).map_err(|_| ends_early())?)
    }

    /// Reads a string preceded by its length.
    pub(crate) fn text(&mut self) -> Result<&'de str> {
        self.take()
    }

    /// Fails unless all bytes have been read.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(Message::new(format_args!("{left} bytes are left over"))),
        }
    }

    /// Reads a value of a type that may be recursive. Structs, tuples and newtypes alone cannot be,
    /// so they do not count.
    #[inline]
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(Message::new(format_args!(
                "values are nested more than {DEEPEST} deep"
            )));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Returns the fields of a value.
    #[inline]
    fn fields(&mut self, left: usize) -> PackedElements<'_, 'de, false> {
        let unpacker = self;
        PackedElements { unpacker, left }
    }

    /// Returns the elements of a list, or the entries of a map.
    fn items(&mut self) -> Result<PackedElements<'_, 'de, true>> {
        let left = self.take()?;
        let unpacker = self;
        Ok(PackedElements { unpacker, left })
    }
}

/// The remaining elements of a value. If `COUNTED`, their number comes from the input and not from
/// the type, so each has to take bytes.
struct PackedElements<'a, 'de, const COUNTED: bool> {
    unpacker: &'a mut Unpacker<'de>,
    left: usize,
}

impl<const COUNTED: bool> PackedElements<'_, '_, COUNTED> {
    #[cold]
    fn record_empty(&mut self) -> Result<()> {
        self.unpacker.empty += 1;
        match self.unpacker.empty <= MOST_EMPTY {
            true => Ok(()),
            false => Err(Message::new("too many values take no bytes")),
        }
    }
}

impl<'de, const COUNTED: bool> SeqAccess<'de> for PackedElements<'_, 'de, COUNTED> {
    type Error = Message;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let before = self.unpacker.left();
        let value = seed.deserialize(&mut *self.unpacker)?;
        if COUNTED && self.unpacker.left() == before {
            self.record_empty()?;
        }
        Ok(Some(value))
    }

    /// Limited by the bytes left if the number comes from the input.
    fn size_hint(&self) -> Option<usize> {
        match COUNTED {
            true => Some(self.left.min(self.unpacker.left())),
            false => Some(self.left),
        }
    }
}

impl<'de> MapAccess<'de> for PackedElements<'_, 'de, true> {
    type Error = Message;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(&mut *self.unpacker)
    }

    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(self)
    }
}

impl<'de> EnumAccess<'de> for &mut Unpacker<'de> {
    type Error = Message;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        let index: u32 = self.take()?;
        let value = seed.deserialize(index.into_deserializer())?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Unpacker<'de> {
    type Error = Message;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.fields(len))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_seq(self.fields(fields.len()))
    }
}

macro_rules! simple {
    ($($method:ident $visit:ident $ty:ty,)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(self.take::<$ty>()?)
        }
    )* };
}

/// With `postcard`, loading components of floats would take 1.3 times the instructions.
macro_rules! little_endian {
    ($($method:ident $visit:ident $ty:ty,)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(ends_early)?;
            self.rest = rest;
            visitor.$visit(<$ty>::from_le_bytes(*bytes))
        }
    )* };
}

impl<'de> Deserializer<'de> for &mut Unpacker<'de> {
    type Error = Message;

    fn is_human_readable(&self) -> bool {
        false
    }

    little_endian! {
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64,
    }

    simple! {
        deserialize_bool visit_bool bool,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_char visit_char char,
        deserialize_str visit_borrowed_str &'de str,
        deserialize_string visit_borrowed_str &'de str,
        deserialize_bytes visit_borrowed_bytes &'de [u8],
        deserialize_byte_buf visit_borrowed_bytes &'de [u8],
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let expected: &dyn Expected = &visitor;
        Err(Message::new(format_args!(
            "binary formats do not say what comes next, and {expected} is determined by what comes: \
             remove serde's `untagged`, `tag` or `flatten`, or save in a format for people"
        )))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.take()? {
            true => self.nested(|unpacker| visitor.visit_some(unpacker)),
            false => visitor.visit_none(),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.nested(|unpacker| visitor.visit_seq(unpacker.items()?))
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.fields(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.nested(|unpacker| visitor.visit_map(unpacker.items()?))
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.nested(|unpacker| visitor.visit_enum(unpacker))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
}

#[cold]
fn ends_early() -> Message {
    Message::new("the data ends too early")
}

/// Describes an error of `postcard`.
#[cold]
fn broken(error: postcard::Error) -> Message {
    match error {
        postcard::Error::DeserializeUnexpectedEnd => ends_early(),
        postcard::Error::DeserializeBadVarint => Message::new("a number is too large"),
        postcard::Error::DeserializeBadBool => {
            Message::new("a `bool` or `Option` is neither 0 nor 1")
        }
        postcard::Error::DeserializeBadChar => Message::new("a `char` is invalid"),
        postcard::Error::DeserializeBadUtf8 => Message::new("a text is not UTF-8"),
        other => Message::new(other),
    }
}
