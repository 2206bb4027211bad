//! Reading values from bytes, whatever the bytes are.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use core::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

type Result<T> = core::result::Result<T, Message>;

/// How deep values may be nested: a type that contains itself would else use up the stack.
pub(crate) const DEEPEST: u32 = 128;

/// How many elements may take no bytes at all, in all that is read: a list of units would else go
/// on as long as its length says.
pub(super) const MOST_EMPTY: u32 = 1 << 20;

/// Bytes that values are read from.
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

    /// How many bytes have not been read.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next bytes, so many.
    #[inline]
    pub(crate) fn raw(&mut self, len: usize) -> Result<&'de [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            return Err(ends_early());
        };
        self.rest = rest;
        Ok(bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((bytes, rest)) = self.rest.split_first_chunk() else {
            return Err(ends_early());
        };
        self.rest = rest;
        Ok(*bytes)
    }

    /// A number, seven bits a byte.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64> {
        let [first] = self.array()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        self.long_number(first)
    }

    #[inline(never)] // so that short ones take no call
    fn long_number(&mut self, first: u8) -> Result<u64> {
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Message::new("a number is too large"))
    }

    fn signed(&mut self) -> Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A number that says how many of something there are, each of which takes a byte at least.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        let count = usize::try_from(count).ok();
        count
            .filter(|count| *count <= self.left())
            .ok_or_else(ends_early)
    }

    /// Bytes behind their length.
    #[inline]
    pub(crate) fn sized(&mut self) -> Result<&'de [u8]> {
        let len = self.count()?;
        self.raw(len)
    }

    /// Bytes behind their length in eight bytes.
    pub(crate) fn part(&mut self) -> Result<&'de [u8]> {
        let len = u64::from_le_bytes(self.array()?);
        self.raw(usize::try_from(len).map_err(|_| ends_early())?)
    }

    /// A text behind its length.
    pub(crate) fn text(&mut self) -> Result<&'de str> {
        let text = core::str::from_utf8(self.sized()?);
        text.map_err(|_| Message::new("a text is not UTF-8"))
    }

    /// An error unless everything has been read.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(Message::new(format_args!("{left} bytes are left over"))),
        }
    }

    /// Reads something that may contain its own type. What is a struct, tuple or newtype through and
    /// through cannot, so these are not counted.
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

    #[inline]
    fn fields(&mut self, left: usize) -> Fields<'_, 'de> {
        Fields {
            unpacker: self,
            left,
        }
    }

    fn items(&mut self, left: u64) -> ItemsLeft<'_, 'de> {
        ItemsLeft {
            unpacker: self,
            left,
        }
    }
}

#[cold]
fn ends_early() -> Message {
    Message::new("the data ends too early")
}

/// The elements of a value that are left.
struct ItemsLeft<'a, 'de> {
    unpacker: &'a mut Unpacker<'de>,
    left: u64,
}

impl<'de> ItemsLeft<'_, 'de> {
    #[inline]
    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let before = self.unpacker.left();
        let value = seed.deserialize(&mut *self.unpacker)?;
        if self.unpacker.left() == before {
            self.note_empty()?;
        }
        Ok(Some(value))
    }

    /// How many there are, as far as that can be believed.
    fn hint(&self) -> Option<usize> {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        Some(left.min(self.unpacker.left()))
    }

    #[cold]
    fn note_empty(&mut self) -> Result<()> {
        self.unpacker.empty += 1;
        match self.unpacker.empty <= MOST_EMPTY {
            true => Ok(()),
            false => Err(Message::new("too many values take no bytes")),
        }
    }
}

/// The fields of a value that are left, of which the type says how many there are.
struct Fields<'a, 'de> {
    unpacker: &'a mut Unpacker<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Fields<'_, 'de> {
    type Error = Message;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.unpacker).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> SeqAccess<'de> for ItemsLeft<'_, 'de> {
    type Error = Message;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

impl<'de> MapAccess<'de> for ItemsLeft<'_, 'de> {
    type Error = Message;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(&mut *self.unpacker)
    }

    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

impl<'de> EnumAccess<'de> for &mut Unpacker<'de> {
    type Error = Message;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        let index = u32::try_from(self.number()?);
        let index = index.map_err(|_| Message::new("there is no such variant"))?;
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

macro_rules! little_endian {
    ($($method:ident $visit:ident $ty:ident,)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit($ty::from_le_bytes(self.array()?))
        }
    )* };
}

macro_rules! numbers {
    ($($method:ident $visit:ident $ty:ident $how:ident,)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let number = $ty::try_from(self.$how()?);
            visitor.$visit(number.map_err(|_| too_large(stringify!($ty)))?)
        }
    )* };
}

#[cold]
fn too_large(ty: &str) -> Message {
    Message::new(format_args!("a number is too large for `{ty}`"))
}

impl<'de> Deserializer<'de> for &mut Unpacker<'de> {
    type Error = Message;

    fn is_human_readable(&self) -> bool {
        false
    }

    little_endian! {
        deserialize_u8 visit_u8 u8,
        deserialize_i8 visit_i8 i8,
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64,
        deserialize_u128 visit_u128 u128,
        deserialize_i128 visit_i128 i128,
    }

    numbers! {
        deserialize_u16 visit_u16 u16 number,
        deserialize_u32 visit_u32 u32 number,
        deserialize_u64 visit_u64 u64 number,
        deserialize_i16 visit_i16 i16 signed,
        deserialize_i32 visit_i32 i32 signed,
        deserialize_i64 visit_i64 i64 signed,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let expected = fmt::from_fn(|f| visitor.expecting(f));
        Err(Message::new(format_args!(
            "binary formats do not say what comes next, and {expected} is told from what comes: \
             remove serde's `untagged`, `tag` or `flatten`, or save in a format for people"
        )))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.array()? {
            [0] => visitor.visit_bool(false),
            [1] => visitor.visit_bool(true),
            _ => Err(Message::new("a `bool` is neither 0 nor 1")),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let code = u32::try_from(self.number()?).ok();
        let value = code.and_then(char::from_u32);
        visitor.visit_char(value.ok_or_else(|| Message::new("a `char` is none"))?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.sized()?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.array()? {
            [0] => visitor.visit_none(),
            [1] => self.nested(|unpacker| visitor.visit_some(unpacker)),
            _ => Err(Message::new("an `Option` is neither 0 nor 1")),
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
        let len = self.number()?;
        self.nested(|unpacker| visitor.visit_seq(unpacker.items(len)))
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
        let len = self.number()?;
        self.nested(|unpacker| visitor.visit_map(unpacker.items(len)))
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

/// An error of the encoding, or of the type that is written or read.
#[derive(Debug)]
pub struct Message(Option<Box<MessageText>>);

/// Behind a thin pointer, so that a number or an error is returned in registers.
#[derive(Debug)]
struct MessageText(String);

impl Message {
    /// An error that nobody is told of.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// An error with this text.
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        Self(Some(Box::new(MessageText(text.to_string()))))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("", |text| &text.0))
    }
}

impl core::error::Error for Message {}

impl serde::ser::Error for Message {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(text)
    }
}

impl serde::de::Error for Message {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(text)
    }
}
