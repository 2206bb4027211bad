//! The encoding of columns in binary formats: that of `postcard`, which stores serde's data model
//! without names and types.
//!
//! ```text
//! bool, u8, i8   one byte             str, bytes        length, bytes
//! u16 .. u128    varint               seq, map          length, elements
//! i16 .. i128    zigzag varint        Option            0, or 1 and the value
//! f32, f64       little endian        tuple, struct     the fields
//! char           a str                enum              varint of the variant, the fields
//!                                     unit, unit struct nothing
//! ```
//!
//! Values are written and read column by column, by functions that know both the type and the
//! encoding. A component does not know the user's format, so that would take dynamic calls for each
//! field. Builds with debug assertions make these calls nevertheless, to compile less.
//!
//! `postcard` reads primitive values. The rest of the reader adds limits, which `postcard` lacks:
//! memory is limited by the bytes left, and nesting by [`reader::DEEPEST`].
//!
//! The writer is not `postcard`'s, because its errors cannot carry the message of a type that fails
//! to serialize, it ignores skipped fields, and it rejects lists of unknown length. Nor does it
//! report [whether values vary](Packer::written), so all values would have to be read back: then
//! saving would take 1.5 times the instructions for a mixed world, and without it still 1.1 to 1.2
//! times for components of numbers or strings.

mod message;
mod reader;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod text;

use alloc::vec::Vec;
use core::fmt::Display;

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

pub(crate) use self::message::Message;
pub(crate) use self::reader::Unpacker;

type Result<T = ()> = core::result::Result<T, Message>;

/// A buffer that values are appended to.
pub(crate) type Packer = PackerOf<false>;

/// A buffer that values are appended to; if `TEXT`, a check of values, which appends nothing.
#[derive(Default)]
pub struct PackerOf<const TEXT: bool> {
    bytes: Vec<u8>,
    /// Whether something was written that can differ in length or shape between values of the same
    /// type: an option, a variant, a list.
    varies: bool,
    /// Whether the next value is inside `Some`.
    in_some: bool,
}

impl Packer {
    /// Returns the bytes written so far.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Calls `write`. Returns the bytes it appended, and whether other values of the same type can
    /// have another shape.
    pub(crate) fn written(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result,
    ) -> Result<(&[u8], bool)> {
        let start = self.bytes.len();
        self.varies = false;
        write(self)?;
        Ok((&self.bytes[start..], self.varies))
    }

    /// Removes the bytes written so far.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Reserves capacity for more bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Appends what `write` appends, preceded by its length in eight bytes, which is filled in
    /// afterwards.
    pub(crate) fn part(&mut self, write: impl FnOnce(&mut Self) -> Result) -> Result {
        self.raw(&[0; 8]);
        let start = self.bytes.len();
        write(self)?;
        let len = (self.bytes.len() - start) as u64;
        self.bytes[start - 8..start].copy_from_slice(&len.to_le_bytes());
        Ok(())
    }
}

impl<const TEXT: bool> PackerOf<TEXT> {
    /// Appends bytes without a length.
    #[inline]
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        match TEXT {
            true => self.in_some = false,
            false => self.bytes.extend_from_slice(bytes),
        }
    }

    /// Appends a varint: seven bits per byte, lowest first.
    #[inline]
    pub(crate) fn number(&mut self, mut number: u64) {
        if TEXT {
            return self.raw(&[]);
        }
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    #[inline]
    fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    /// Appends a value of a rarely used type.
    #[cold]
    fn rare(&mut self, value: &impl Serialize) -> Result {
        self.in_some = false;
        let bytes = core::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(value, bytes).map_err(Message::new)?;
        Ok(())
    }

    /// Appends bytes preceded by their length.
    #[inline]
    pub(crate) fn sized(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    #[cold]
    #[inline(never)]
    fn insert_number(&mut self, at: usize, number: u64) {
        let mut digits = Self::default();
        digits.number(number);
        self.bytes.splice(at..at, digits.bytes);
    }

    fn items(&mut self, len: Option<usize>) -> Items<'_, TEXT> {
        self.varies = true;
        if let Some(len) = len {
            self.number(len as u64);
        }
        let start = self.bytes.len();
        Items {
            unknown: len.is_none().then_some(start),
            ..self.fields()
        }
    }

    fn fields(&mut self) -> Items<'_, TEXT> {
        if TEXT {
            self.in_some = false;
        }
        Items {
            packer: self,
            unknown: None,
            count: 0,
        }
    }

    fn variant(&mut self, index: u32) -> Items<'_, TEXT> {
        self.varies = true;
        self.number(index.into());
        self.fields()
    }
}

/// The elements or fields of a value.
pub struct Items<'a, const TEXT: bool> {
    packer: &'a mut PackerOf<TEXT>,
    /// The position of the length, if that was not given in advance.
    unknown: Option<usize>,
    /// The number of elements so far.
    count: u64,
}

impl<const TEXT: bool> Items<'_, TEXT> {
    /// Appends an element or field; `step` is the way to it.
    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, step: impl Display, value: &T) -> Result {
        let result = value.serialize(&mut *self.packer);
        match TEXT {
            true => result.map_err(|error| error.inside(step)),
            false => result,
        }
    }

    #[inline]
    fn put_next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        let nth = self.count;
        self.count += 1;
        self.put(format_args!("[{nth}]"), value)
    }

    /// Ends a list or a map. Values with fields need no length, because their type has it.
    #[inline] // the length is usually known
    fn close(self) -> Result {
        if let Some(at) = self.unknown {
            self.packer.insert_number(at, self.count);
        }
        Ok(())
    }
}

macro_rules! simple {
    ($($method:ident($to:ident, $value:ident: $ty:ty) $write:expr,)*) => { $(
        #[inline]
        fn $method(self, $value: $ty) -> Result {
            let $to = self;
            $write;
            Ok(())
        }
    )* };
}

impl<'a, const TEXT: bool> Serializer for &'a mut PackerOf<TEXT> {
    type Ok = ();
    type Error = Message;
    type SerializeSeq = Items<'a, TEXT>;
    type SerializeTuple = Items<'a, TEXT>;
    type SerializeTupleStruct = Items<'a, TEXT>;
    type SerializeTupleVariant = Items<'a, TEXT>;
    type SerializeMap = Items<'a, TEXT>;
    type SerializeStruct = Items<'a, TEXT>;
    type SerializeStructVariant = Items<'a, TEXT>;

    fn is_human_readable(&self) -> bool {
        TEXT
    }

    simple! {
        serialize_bool(to, value: bool) to.raw(&[value.into()]),
        serialize_u8(to, value: u8) to.raw(&[value]),
        serialize_u16(to, value: u16) to.number(value.into()),
        serialize_u32(to, value: u32) to.number(value.into()),
        serialize_u64(to, value: u64) to.number(value),
        serialize_u128(to, value: u128) to.rare(&value)?,
        serialize_i8(to, value: i8) to.raw(&value.to_le_bytes()),
        serialize_i16(to, value: i16) to.signed(value.into()),
        serialize_i32(to, value: i32) to.signed(value.into()),
        serialize_i64(to, value: i64) to.signed(value),
        serialize_i128(to, value: i128) to.rare(&value)?,
        serialize_f32(to, value: f32) to.float(value.into(), &value.to_le_bytes())?,
        serialize_f64(to, value: f64) to.float(value, &value.to_le_bytes())?,
        serialize_char(to, value: char) to.rare(&value)?,
        serialize_str(to, value: &str) to.sized(value.as_bytes()),
        serialize_bytes(to, value: &[u8]) to.sized(value),
    }

    fn serialize_none(self) -> Result {
        self.varies = true;
        self.nothing(&[0])
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        self.varies = true;
        self.raw(&[1]);
        self.in_some = TEXT;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        self.nothing(&[])
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.nothing(&[])
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result {
        self.varies = true;
        self.number(index.into());
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        self.variant(index).put(variant, value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Items<'a, TEXT>> {
        Ok(self.items(len))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a, TEXT>> {
        Ok(self.fields())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a, TEXT>> {
        Ok(self.fields())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Items<'a, TEXT>> {
        Ok(self.variant(index))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Items<'a, TEXT>> {
        Ok(self.items(len))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'a, TEXT>> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Items<'a, TEXT>> {
        Ok(self.variant(index))
    }
}

impl<const TEXT: bool> SerializeSeq for Items<'_, TEXT> {
    type Ok = ();
    type Error = Message;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        self.put_next(value)
    }

    fn end(self) -> Result {
        self.close()
    }
}

impl<const TEXT: bool> SerializeMap for Items<'_, TEXT> {
    type Ok = ();
    type Error = Message;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
        self.put_next(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        let nth = self.count - 1;
        self.put(format_args!("[{nth}]"), value)
    }

    fn end(self) -> Result {
        self.close()
    }
}

macro_rules! fields {
    ($($name:ident $method:ident,)*) => { $(
        impl<const TEXT: bool> $name for Items<'_, TEXT> {
            type Ok = ();
            type Error = Message;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                self.put_next(value)
            }

            fn end(self) -> Result {
                Ok(())
            }
        }
    )* };
}

macro_rules! named_fields {
    ($($name:ident)*) => { $(
        impl<const TEXT: bool> $name for Items<'_, TEXT> {
            type Ok = ();
            type Error = Message;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result {
                self.put(name, value)
            }

            /// Fields are identified by order, so none may be skipped.
            fn skip_field(&mut self, field: &'static str) -> Result {
                if TEXT {
                    return Ok(());
                }
                Err(Message::new(format_args!(
                    "its field `{field}` is skipped by a condition, and binary formats have no names \
                     to tell the fields apart: remove `skip_serializing_if`"
                )))
            }

            fn end(self) -> Result {
                Ok(())
            }
        }
    )* };
}

fields! {
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}
named_fields!(SerializeStruct SerializeStructVariant);
