//! Rejects values that a human-readable format would change silently.
//!
//! JSON has no infinite numbers and no NaN, and writes `null`: a save with one could not be loaded,
//! or would be loaded as something else. It has no `Some` either, so `Some(None)` is read as
//! `None`. A serializer cannot be asked what it does with a value, and after writing it is too
//! late. So this file lists the formats known to preserve such values; for all others, values pass
//! through a serializer that checks them and records where in a component the problem is.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::any::type_name;
use core::cell::RefCell;
use core::fmt;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// Formats that preserve infinite numbers and NaN.
const KEEP_NUMBERS: &[&str] = &["ron", "serde_yaml", "toml", "toml_edit"];

/// Formats that distinguish `Some(None)` and `Some(())` from `None`.
const KEEP_SOME: &[&str] = &["ron"];

/// What a format preserves, and the value found that it does not.
pub(crate) struct FormatWatch {
    keeps_numbers: bool,
    keeps_some: bool,
    found: RefCell<Option<ChangedValue>>,
}

/// A value that the format would change, and its path, innermost step first.
struct ChangedValue {
    what: String,
    path: Vec<PathStep>,
}

enum PathStep {
    Name(&'static str),
    At(usize),
}

impl FormatWatch {
    /// Recognizes a format by the type name of its serializer, which starts with the name of its
    /// crate. The compiler does not guarantee type names, so an unknown format is assumed to
    /// preserve nothing.
    pub(crate) fn of<S: Serializer>() -> Self {
        let name = type_name::<S>();
        let name = name.trim_start_matches(['&', ' ']);
        let name = name.strip_prefix("mut ").unwrap_or(name);
        let crate_name = name.split("::").next().unwrap_or(name);
        Self {
            keeps_numbers: KEEP_NUMBERS.contains(&crate_name),
            keeps_some: KEEP_SOME.contains(&crate_name),
            found: RefCell::new(None),
        }
    }

    /// Wraps a component's value to check it while it is written.
    pub(crate) fn watched<'w, T: Serialize + ?Sized>(&'w self, value: &'w T) -> impl Serialize {
        WatchedValue {
            value,
            watch: self,
            in_some: false,
        }
    }

    /// The error for a component's value: the value found, if any, or else the error of the format.
    pub(crate) fn error<E: serde::ser::Error>(&self, component: &str, error: E) -> E {
        match self.found.take() {
            Some(found) => E::custom(format_args!("{component} cannot be written: {found}")),
            None => error,
        }
    }

    fn reject<T, E: serde::ser::Error>(&self, what: String) -> Result<T, E> {
        let error = E::custom(&what);
        let path = Vec::new();
        self.found.replace(Some(ChangedValue { what, path }));
        Err(error)
    }

    /// Adds a step to the path of the value found.
    #[inline]
    fn inside<T, E>(&self, result: Result<T, E>, step: PathStep) -> Result<T, E> {
        if result.is_err()
            && let Some(found) = &mut *self.found.borrow_mut()
        {
            found.path.push(step);
        }
        result
    }
}

impl fmt::Display for ChangedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = String::new();
        for step in self.path.iter().rev() {
            match step {
                PathStep::Name(name) if path.is_empty() => path += name,
                PathStep::Name(name) => path += &format!(".{name}"),
                PathStep::At(at) => path += &format!("[{at}]"),
            }
        }
        match path.is_empty() {
            true => write!(f, "its value is {}", self.what),
            false => write!(f, "its field `{path}` is {}", self.what),
        }
    }
}

/// A value that is written through a [`Guard`].
struct WatchedValue<'w, T: ?Sized> {
    value: &'w T,
    watch: &'w FormatWatch,
    in_some: bool,
}

impl<T: Serialize + ?Sized> Serialize for WatchedValue<'_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Guard {
            to,
            watch: self.watch,
            in_some: self.in_some,
        })
    }
}

/// A serializer that checks values before it passes them on.
struct Guard<'w, S> {
    to: S,
    watch: &'w FormatWatch,
    /// Whether the value is inside `Some`.
    in_some: bool,
}

impl<'w, S: Serializer> Guard<'w, S> {
    fn check_number(&self, number: f64) -> Result<(), S::Error> {
        if number.is_finite() || self.watch.keeps_numbers {
            return Ok(());
        }
        self.watch.reject(format!(
            "{number}, which is not read back from this format: make it finite, or save as RON, TOML, YAML \
             or in a binary format"
        ))
    }

    /// Rejects a value that is written as nothing, inside `Some`.
    fn check_nothing(&self) -> Result<(), S::Error> {
        if !self.in_some || self.watch.keeps_some {
            return Ok(());
        }
        let what = "`Some` of a value that is written as nothing, which is read back as `None` from \
                    this format: save as RON or in a binary format";
        self.watch.reject(what.to_string())
    }

    fn parts<P>(
        watch: &'w FormatWatch,
        to: Result<P, S::Error>,
    ) -> Result<GuardedParts<'w, P>, S::Error> {
        let at = 0;
        Ok(GuardedParts { to: to?, watch, at })
    }
}

/// The elements or fields of a value, one after the other.
struct GuardedParts<'w, P> {
    to: P,
    watch: &'w FormatWatch,
    /// The number of elements so far.
    at: usize,
}

macro_rules! pass_on {
    ($($method:ident($ty:ty),)*) => { $(
        #[inline]
        fn $method(self, value: $ty) -> Result<S::Ok, S::Error> {
            self.to.$method(value)
        }
    )* };
}

impl<'w, S: Serializer> Serializer for Guard<'w, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = GuardedParts<'w, S::SerializeSeq>;
    type SerializeTuple = GuardedParts<'w, S::SerializeTuple>;
    type SerializeTupleStruct = GuardedParts<'w, S::SerializeTupleStruct>;
    type SerializeTupleVariant = GuardedParts<'w, S::SerializeTupleVariant>;
    type SerializeMap = GuardedParts<'w, S::SerializeMap>;
    type SerializeStruct = GuardedParts<'w, S::SerializeStruct>;
    type SerializeStructVariant = GuardedParts<'w, S::SerializeStructVariant>;

    fn is_human_readable(&self) -> bool {
        self.to.is_human_readable()
    }

    pass_on! {
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_u128(u128),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        self.check_number(value.into())?;
        self.to.serialize_f32(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        self.check_number(value)?;
        self.to.serialize_f64(value)
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.check_nothing()?;
        self.to.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.to.serialize_some(&WatchedValue {
            value,
            watch: self.watch,
            in_some: true,
        })
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.check_nothing()?;
        self.to.serialize_unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<S::Ok, S::Error> {
        self.check_nothing()?;
        self.to.serialize_unit_struct(name)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.to.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let (watch, in_some) = (self.watch, self.in_some);
        let value = &WatchedValue {
            value,
            watch,
            in_some,
        };
        self.to.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let inner = &self.watch.watched(value);
        let written = self
            .to
            .serialize_newtype_variant(name, index, variant, inner);
        self.watch.inside(written, PathStep::Name(variant))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Self::parts(self.watch, self.to.serialize_seq(len))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        Self::parts(self.watch, self.to.serialize_tuple(len))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        Self::parts(self.watch, self.to.serialize_tuple_struct(name, len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        let to = self.to.serialize_tuple_variant(name, index, variant, len);
        Self::parts(self.watch, to)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Self::parts(self.watch, self.to.serialize_map(len))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        Self::parts(self.watch, self.to.serialize_struct(name, len))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let to = self.to.serialize_struct_variant(name, index, variant, len);
        Self::parts(self.watch, to)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.to.collect_str(value)
    }
}

macro_rules! numbered_parts {
    ($($name:ident::$method:ident,)*) => { $(
        impl<P: $name> $name for GuardedParts<'_, P> {
            type Ok = P::Ok;
            type Error = P::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), P::Error> {
                let written = self.to.$method(&self.watch.watched(value));
                self.at += 1;
                self.watch.inside(written, PathStep::At(self.at - 1))
            }

            fn end(self) -> Result<P::Ok, P::Error> {
                self.to.end()
            }
        }
    )* };
}

numbered_parts! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

macro_rules! named_parts {
    ($($name:ident)*) => { $(
        impl<P: $name> $name for GuardedParts<'_, P> {
            type Ok = P::Ok;
            type Error = P::Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), P::Error> {
                let written = self.to.serialize_field(name, &self.watch.watched(value));
                self.watch.inside(written, PathStep::Name(name))
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), P::Error> {
                self.to.skip_field(name)
            }

            fn end(self) -> Result<P::Ok, P::Error> {
                self.to.end()
            }
        }
    )* };
}

named_parts!(SerializeStruct SerializeStructVariant);

impl<P: SerializeMap> SerializeMap for GuardedParts<'_, P> {
    type Ok = P::Ok;
    type Error = P::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), P::Error> {
        let written = self.to.serialize_key(&self.watch.watched(key));
        self.watch.inside(written, PathStep::At(self.at))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), P::Error> {
        let written = self.to.serialize_value(&self.watch.watched(value));
        self.at += 1;
        self.watch.inside(written, PathStep::At(self.at - 1))
    }

    fn end(self) -> Result<P::Ok, P::Error> {
        self.to.end()
    }
}
