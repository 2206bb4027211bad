//! Flags in files: written as `{}`, without any trait of the type.

use core::fmt;

use serde::de::{Deserializer as _, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::formats::packed::Message;
use crate::formats::source::{Source, at};

/// Serializes a flag.
pub(crate) struct WrittenFlag;

impl Serialize for WrittenFlag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_struct("Flag", 0)?.end()
    }
}

/// Reads a flag. A flag is either present or not, so `false` is an error.
pub(crate) fn read(from: &mut dyn Source) -> Result<(), Message> {
    at(from).deserialize_struct("Flag", &[], Nothing)
}

struct Nothing;

impl<'de> Visitor<'de> for Nothing {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`{}`, since a flag has no value: omit it if it is not set")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match map.next_key::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("a flag has no fields")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("a flag has no fields")),
        }
    }
}
