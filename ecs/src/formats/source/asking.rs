//! The methods of serde's `Deserializer` and `Visitor`, as values that can cross a dynamic call.

use core::fmt;

use serde::de::Unexpected;

use crate::formats::packed::Message;

type Result<T = ()> = core::result::Result<T, Message>;

/// What a type expects: the method of `Deserializer` that it calls.
#[derive(Clone, Copy)]
pub(crate) enum TypeHint {
    Any,
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Char,
    Str,
    String,
    Bytes,
    ByteBuf,
    Option,
    Unit,
    UnitStruct(&'static str),
    NewtypeStruct(&'static str),
    Seq,
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Map,
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    Identifier,
    IgnoredAny,
}

/// What a format has: the method of `Visitor` that it calls.
pub(crate) enum Given<'g> {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Str(&'g str),
    Bytes(&'g [u8]),
    None,
    Unit,
    Some(&'g mut dyn Source),
    Newtype(&'g mut dyn Source),
    Seq(&'g mut dyn ListSource),
    Map(&'g mut dyn MapSource),
    Enum(&'g mut dyn Variant),
}

impl Given<'_> {
    /// Returns how serde names what a format has, in the error for a type that expects something
    /// else.
    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match *self {
            Self::Bool(value) => Unexpected::Bool(value),
            Self::I8(value) => Unexpected::Signed(value.into()),
            Self::I16(value) => Unexpected::Signed(value.into()),
            Self::I32(value) => Unexpected::Signed(value.into()),
            Self::I64(value) => Unexpected::Signed(value),
            Self::U8(value) => Unexpected::Unsigned(value.into()),
            Self::U16(value) => Unexpected::Unsigned(value.into()),
            Self::U32(value) => Unexpected::Unsigned(value.into()),
            Self::U64(value) => Unexpected::Unsigned(value),
            Self::I128(_) | Self::U128(_) => Unexpected::Other("integer of 128 bits"),
            Self::F32(value) => Unexpected::Float(value.into()),
            Self::F64(value) => Unexpected::Float(value),
            Self::Char(value) => Unexpected::Char(value),
            Self::Str(value) => Unexpected::Str(value),
            Self::Bytes(value) => Unexpected::Bytes(value),
            Self::None | Self::Some(_) => Unexpected::Option,
            Self::Unit => Unexpected::Unit,
            Self::Newtype(_) => Unexpected::NewtypeStruct,
            Self::Seq(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
            Self::Enum(_) => Unexpected::Enum,
        }
    }
}

/// The receiver of a value.
pub(crate) trait Asker {
    /// Prints what is expected, for messages.
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Receives a value.
    fn take(&mut self, given: Given<'_>) -> Result;
}

/// A value in a format.
pub(crate) trait Source {
    /// Returns whether the format is for people. Called for a whole value, not its parts.
    fn is_readable(&self) -> bool {
        true
    }

    /// Passes the value to the asker. Can be called only once.
    fn ask(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result;
}

/// The elements of a list.
pub(crate) trait ListSource {
    /// Passes the next element to the asker. Returns whether there was one.
    fn next(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result<bool>;

    /// Returns how many are left, if known.
    fn left(&self) -> Option<usize>;
}

/// The entries of a map.
pub(crate) trait MapSource {
    /// Passes the next key to the asker. Returns whether there was one.
    fn key(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result<bool>;

    /// Passes the value of the last key to the asker.
    fn value(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result;

    /// Returns how many are left, if known.
    fn left(&self) -> Option<usize>;
}

/// A variant of an enum.
pub(crate) trait Variant {
    /// Passes the name or index of the variant to the asker.
    fn name(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result;

    /// Checks that the variant has no fields.
    fn unit(&mut self) -> Result;

    /// Passes the only field to the asker.
    fn newtype(&mut self, hint: TypeHint, asker: &mut dyn Asker) -> Result;

    /// Passes the fields to the asker.
    fn tuple(&mut self, len: usize, asker: &mut dyn Asker) -> Result;

    /// Passes the named fields to the asker.
    fn fields(&mut self, fields: &'static [&'static str], asker: &mut dyn Asker) -> Result;
}
