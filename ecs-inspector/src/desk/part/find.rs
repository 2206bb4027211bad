//! Descending to a part of a value, skipping everything before it.

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer};
use serde_json::Error;

use super::{EACH, Found, MOST_ITEMS};
use crate::desk::show::{self, Limit};
use crate::desk::tree::{Tree, escaped, index};

/// The maximum size of a map's key.
const MOST_OF_KEY: usize = 256;

/// A serializer that descends to the part at a path.
#[derive(Clone, Copy)]
pub(super) struct Finder<'f> {
    path: &'f [String],
    found: &'f Found,
}

impl<'f> Finder<'f> {
    pub(super) fn new(path: &'f [String], found: &'f Found) -> Self {
        Self { path, found }
    }

    /// Shows a value that has no parts.
    fn plain<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        if self.path.is_empty() {
            self.found.begin("value", Some(1));
            let shown = show::json(value, Limit::WHOLE);
            let shown = shown.ok_or_else(|| Error::custom("the value cannot be written"))?;
            self.found.add(None, shown);
        }
        Ok(())
    }

    /// Starts the parts of a value; those of a variant are below its name.
    fn parts(
        self,
        kind: &'static str,
        count: Option<usize>,
        variant: Option<&'static str>,
    ) -> Result<Parts<'f>, Error> {
        let Some((key, below)) = self.path.split_first() else {
            self.found.begin(kind, count);
            return Ok(Parts::new(self, Aim::Window { variant }));
        };
        let Some(variant) = variant else {
            let finder = Self {
                path: below,
                ..self
            };
            return Ok(Parts::new(finder, Aim::Key(key)));
        };
        let finder = Self {
            path: below,
            ..self
        };
        match key == variant {
            true => finder.parts(kind, count, None),
            false => Ok(Parts::new(finder, Aim::Nothing)),
        }
    }
}

/// The requested parts of a value.
enum Aim<'f> {
    /// A window of them.
    Window {
        variant: Option<&'static str>,
    },
    /// The part with this key.
    Key(&'f str),
    Nothing,
}

/// The parts of a value, one after the other.
pub(super) struct Parts<'f> {
    finder: Finder<'f>,
    aim: Aim<'f>,
    /// The number of parts so far.
    nth: usize,
    /// The key of the next part, in a map.
    key: Option<String>,
}

impl<'f> Parts<'f> {
    fn new(finder: Finder<'f>, aim: Aim<'f>) -> Self {
        Self {
            finder,
            aim,
            nth: 0,
            key: None,
        }
    }

    /// Skips, enters or shows the next part.
    fn part<T: Serialize + ?Sized>(&mut self, key: Option<&str>, value: &T) -> Result<(), Error> {
        let (nth, found) = (self.nth, self.finder.found);
        self.nth += 1;
        found.pass(1)?;
        match self.aim {
            Aim::Nothing => Ok(()),
            Aim::Key(request) => {
                let is_attentive = match key {
                    Some(key) => key == request,
                    None => index(request) == Some(nth),
                };
                match is_attentive {
                    false => Ok(()),
                    true => value.serialize(self.finder).and_then(|()| Err(found.end())),
                }
            }
            Aim::Window { variant } => self.show(nth, variant, key, value),
        }
    }

    fn show<T: Serialize + ?Sized>(
        &self,
        nth: usize,
        variant: Option<&str>,
        key: Option<&str>,
        value: &T,
    ) -> Result<(), Error> {
        let found = self.finder.found;
        if nth < found.from {
            return Ok(());
        }
        if nth - found.from >= found.count.min(MOST_ITEMS) {
            return Err(found.end());
        }
        let key = key.map(escaped);
        let key = match variant.map(escaped) {
            Some(variant) => Some(format!("{variant}/{}", key.unwrap_or(nth.to_string()))),
            None => key,
        };
        let shown = show::json(value, EACH);
        let shown = shown.ok_or_else(|| Error::custom("the value cannot be written"))?;
        found.add(key, shown);
        Ok(())
    }

    /// Whether the key of the next part matters.
    fn asks_for_key(&self) -> bool {
        match self.aim {
            Aim::Window { .. } => self.nth >= self.finder.found.from,
            Aim::Key(_) => true,
            Aim::Nothing => false,
        }
    }
}

macro_rules! plain {
    ($($method:ident($ty:ty),)*) => { $(
        fn $method(self, value: $ty) -> Result<(), Error> {
            self.plain(&value)
        }
    )* };
}

impl<'f> Serializer for Finder<'f> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'f>;
    type SerializeTuple = Parts<'f>;
    type SerializeTupleStruct = Parts<'f>;
    type SerializeTupleVariant = Parts<'f>;
    type SerializeMap = Parts<'f>;
    type SerializeStruct = Parts<'f>;
    type SerializeStructVariant = Parts<'f>;

    plain! {
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
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        match self.path {
            [] => self.found.add_text(text),
            _ => Ok(()),
        }
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        use ser::SerializeSeq as _;
        let mut parts = self.serialize_seq(Some(bytes.len()))?;
        bytes
            .iter()
            .try_for_each(|byte| parts.serialize_element(byte))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.plain(&())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.plain(&())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.plain(&())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.plain(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut parts = self.parts("map", Some(1), None)?;
        parts.part(Some(variant), value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'f>, Error> {
        self.parts("list", len, None)
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts<'f>, Error> {
        self.parts("list", Some(len), None)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Parts<'f>, Error> {
        self.parts("list", Some(len), None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'f>, Error> {
        self.parts("list", Some(len), Some(variant))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Parts<'f>, Error> {
        self.parts("map", len, None)
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Parts<'f>, Error> {
        self.parts("map", Some(len), None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'f>, Error> {
        self.parts("map", Some(len), Some(variant))
    }
}

macro_rules! lists {
    ($($of:ident::$method:ident,)*) => { $(
        impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.part(None, value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )* };
}

lists! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = match self.asks_for_key() {
            true => Tree::of(key, MOST_OF_KEY).ok().and_then(|key| key.as_key()),
            false => None,
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take().unwrap_or_default();
        self.part(Some(&key), value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! structs {
    ($($of:ident,)*) => { $(
        impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.part(Some(name), value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )* };
}

structs! { SerializeStruct, SerializeStructVariant, }
