//! What the binary formats of saves, templates and deltas share: how a serde format passes bytes,
//! their header, lists of entities, and columns of values.
//!
//! ```text
//! entities  0, one bit per entity; or 1, count, the distance from each listed entity to the next;
//!           or 2, if all are listed
//! ```

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::cmp::Ordering;
use core::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::save::loading::OwnerPlaces;
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::state::core::HasCore;
use crate::storage::value_list::ValueList;
use crate::words::signature::Bits;

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

/// Entities as one bit each.
const BITS: u8 = 0;
/// Entities as distances from one to the next.
const DISTANCES: u8 = 1;
/// All entities.
pub(crate) const ALL: u8 = 2;

/// Writes which of `entities` entities are listed; `places` is ascending.
pub(crate) fn write_places(places: &[u32], entities: usize, to: &mut Packer) {
    if places.len() == entities {
        return to.raw(&[ALL]);
    }
    let bytes = entities.div_ceil(8);
    if bytes <= 2 * places.len() {
        let mut bits = vec![0_u8; bytes];
        for &place in places {
            bits[place as usize / 8] |= 1 << (place % 8);
        }
        to.raw(&[BITS]);
        return to.raw(&bits);
    }
    to.raw(&[DISTANCES]);
    to.number(places.len() as u64);
    let mut next = 0;
    for &place in places {
        to.number((place - next).into());
        next = place + 1;
    }
}

/// Reads which of `entities` entities are listed.
pub(crate) fn read_places(
    entities: usize,
    from: &mut Unpacker<'_>,
) -> Result<OwnerPlaces, Message> {
    match *from.raw(1)? {
        [ALL] => Ok(OwnerPlaces::All),
        [BITS] => read_bits(entities, from).map(OwnerPlaces::Listed),
        [DISTANCES] => read_distances(entities, from).map(OwnerPlaces::Listed),
        _ => Err(Message::new("it does not say how entities are listed")),
    }
}

fn read_bits(entities: usize, from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let bytes = from.raw(entities.div_ceil(8))?;
    let all: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
    let mut places = Vec::with_capacity(all as usize); // at most eight per byte
    for (start, byte) in (0..).step_by(8).zip(bytes) {
        places.extend(Bits(u64::from(*byte)).map(|bit| start + bit));
    }
    match places.last().is_none_or(|&last| (last as usize) < entities) {
        true => Ok(places),
        false => Err(no_owner()),
    }
}

fn read_distances(entities: usize, from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let mut next = 0_u64;
    let count = from.count()?;
    let each = (0..count).map(|_| {
        let place = next.saturating_add(from.number()?);
        next = place.saturating_add(1);
        let place = u32::try_from(place).ok();
        place
            .filter(|&place| (place as usize) < entities)
            .ok_or_else(no_owner)
    });
    each.collect()
}

fn no_owner() -> Message {
    Message::new("an owner is not one of the entities")
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
