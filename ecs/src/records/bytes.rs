//! What the binary formats of saves, templates and deltas share: how a serde format passes bytes,
//! their header, and columns of values.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::formats::packed::{Message, Unpacker};
use crate::state::core::HasCore;
use crate::storage::descriptor::saving::SavingTable;
use crate::storage::value_list::ValueList;

/// Reads all bytes of a format. `what` is the kind of data and its context, for errors.
pub(crate) fn read_bytes<'de, D: Deserializer<'de>, T>(
    what: [&'static str; 2],
    from: D,
    read: impl FnOnce(&mut Unpacker<'_>) -> Result<T, String>,
) -> Result<T, D::Error> {
    from.deserialize_bytes(BytesReader { what, read })
}

struct BytesReader<F> {
    what: [&'static str; 2],
    read: F,
}

impl<'de, T, F: FnOnce(&mut Unpacker<'_>) -> Result<T, String>> Visitor<'de> for BytesReader<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [what, context] = self.what;
        write!(f, "a {what} of context `{context}`, as bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        let from = &mut Unpacker::new(bytes);
        let read = (self.read)(from).and_then(|value| Ok(from.finish().map(|()| value)?));
        read.map_err(E::custom)
    }

    /// Some formats represent bytes as a list of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

/// The version of the formats that this library writes and reads.
pub(crate) const FORMAT: u64 = 1;

/// Rejects data of another format version.
pub(crate) fn check_format(what: &str, format: u64) -> Result<(), String> {
    match format.cmp(&FORMAT) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(format!(
            "the {what} has format {format}, and this program reads formats up to {FORMAT}: it was \
             written with a newer version of `ecs`; build this program with that version, or write the \
             {what} with the version of this program"
        )),
        Ordering::Less => Err(format!(
            "the {what} has format {format}, which never existed"
        )),
    }
}

/// Rejects data of another context.
pub(crate) fn check_context<C: HasCore>(what: &str, name: &str) -> Result<(), String> {
    match name == C::NAME {
        true => Ok(()),
        false => Err(format!(
            "this is a {what} of context `{name}`, not of `{}`",
            C::NAME
        )),
    }
}

/// The name of a column: that of the component and, behind a zero, its fields.
pub(crate) fn join_fields(name: String, fields: &str) -> String {
    match fields {
        "" => name,
        _ => name + "\0" + fields,
    }
}

/// Rejects values of the current version that were saved or sent (`how`) with other fields.
pub(crate) fn check_fields(
    (how, name): (&str, &str),
    saving: &SavingTable,
    version: u32,
    fields: &str,
) -> Result<(), String> {
    if version != saving.version || saving.has_fields(fields) {
        return Ok(());
    }
    Err(format!(
        "component `{name}` was {how} with the fields `{fields}` and has `{}` now, so its bytes cannot be read: \
         give it `version = {}` and read the former ones by `from({version} = ..)`; if the bytes mean the same, \
         write `#[component(former_fields = \"{fields}\")]`",
        saving.fields,
        version.saturating_add(1)
    ))
}

/// Reads exactly `count` values; an error has the position of the wrong one.
pub(crate) fn read_values(
    values: &mut ValueList,
    (version, count): (u32, usize),
    bytes: &[u8],
) -> Result<(), (usize, Message)> {
    let from = &mut Unpacker::new(bytes);
    values.unpack(version, from, count)?;
    from.finish().map_err(|error| (count, error))
}
