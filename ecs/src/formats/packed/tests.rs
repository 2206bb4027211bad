//! Packed values can be read back, and invalid bytes are rejected.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::reader::MOST_EMPTY;
use super::{Message, Packer, Unpacker};

pub(crate) fn packed(value: &impl Serialize) -> Vec<u8> {
    let mut packer = Packer::default();
    value.serialize(&mut packer).unwrap();
    packer.into_bytes()
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Message> {
    let mut unpacker = Unpacker::new(bytes);
    let value = T::deserialize(&mut unpacker)?;
    unpacker.finish().map(|()| value)
}

#[test]
fn numbers_of_every_length_are_read_back() {
    let ones = (0..=64).map(|bits| u64::MAX.checked_shr(bits).unwrap_or(0));
    let numbers: Vec<u64> = ones
        .flat_map(|ones| [ones, ones / 2 + 1, ones / 3, !ones])
        .collect();
    assert_eq!(unpacked::<Vec<u64>>(&packed(&numbers)).unwrap(), numbers);
    let signed: Vec<i64> = numbers.iter().map(|number| *number as i64).collect();
    assert_eq!(unpacked::<Vec<i64>>(&packed(&signed)).unwrap(), signed);
}

#[test]
fn values_are_packed_like_those_of_postcard() {
    let unsigned = (true, 200_u8, 300_u16, 70_000_u32, u64::MAX, u128::MAX);
    let signed = (-1_i8, -300_i16, i32::MIN, i64::MAX, i128::MIN);
    let others = (
        1.5_f32,
        -0.1_f64,
        'a',
        '\u{1f980}',
        "text",
        Some(Ok::<u8, ()>(7)),
    );
    let lists = ([(), ()], None::<u8>, BTreeMap::from([("key", [1_u16; 2])]));
    let all = (unsigned, signed, others, lists);
    let bytes = packed(&all);
    assert_eq!(bytes, postcard::to_stdvec(&all).unwrap());
    let unpacker = &mut Unpacker::new(&bytes);
    assert_eq!(Deserialize::deserialize(&mut *unpacker).ok(), Some(all));
    assert!(unpacker.finish().is_ok());
}

#[test]
fn a_number_of_more_than_64_bits_is_rejected() {
    let with_last = |last: u8| [[0xff; 9].as_slice(), &[last]].concat();
    assert_eq!(unpacked::<u64>(&with_last(1)).unwrap(), u64::MAX);
    for last in [2, 0x7f, 0x80, 0x81] {
        assert!(unpacked::<u64>(&with_last(last)).is_err(), "{last}");
    }
}

/// A list without a known length.
struct Unmeasured<'a>(&'a [u16]);

impl Serialize for Unmeasured<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().filter(|_| true))
    }
}

/// A map without a known length.
struct UnmeasuredMap<'a>(&'a [u16]);

impl Serialize for UnmeasuredMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|n| (n, !n)).filter(|_| true))
    }
}

#[test]
fn lists_of_unknown_length_are_packed_like_others() {
    for len in [0, 1, 127, 128, 300] {
        let list: Vec<u16> = (0..len).collect();
        let map: BTreeMap<u16, u16> = list.iter().map(|n| (*n, !n)).collect();
        assert_eq!(
            packed(&("before", Unmeasured(&list), UnmeasuredMap(&list), 7)),
            packed(&("before", &list, &map, 7))
        );
        let lists = [Unmeasured(&list), Unmeasured(&[1])];
        assert_eq!(packed(&lists), packed(&[list, Vec::from([1])]));
    }
}

/// Serialized as bytes.
struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn bytes_are_read_back_without_a_copy() {
    let bytes = packed(&(Raw(&[1, 0xff]), Raw(&[]), 3_u8));
    let read = <(&[u8], &[u8], u8)>::deserialize(&mut Unpacker::new(&bytes));
    assert_eq!(read.unwrap(), ([1, 0xff].as_slice(), [].as_slice(), 3));
}

#[test]
fn siblings_do_not_count_as_nested() {
    let some = (0..1_000).map(|n| (n % 2 == 0).then(|| Vec::from([1])));
    let many: Vec<Option<Vec<u8>>> = some.collect();
    let read = unpacked::<Vec<Option<Vec<u8>>>>(&packed(&many));
    assert_eq!(read.unwrap(), many);
}

#[test]
fn leftover_bytes_are_rejected() {
    let bytes = packed(&(1_u8, "text"));
    assert!(unpacked::<(u8, String)>(&bytes).is_ok());
    let more = [bytes.as_slice(), &[0, 0]].concat();
    let rejected = unpacked::<(u8, String)>(&more).unwrap_err();
    assert_eq!(rejected.to_string(), "2 bytes are left over");
}

#[test]
fn the_number_of_values_without_bytes_is_limited() {
    let read = |count: u32| unpacked::<Vec<()>>(&packed(&u64::from(count)));
    assert_eq!(read(MOST_EMPTY).unwrap().len(), MOST_EMPTY as usize);
    assert!(read(MOST_EMPTY + 1).is_err());
}

/// The method that a [`Counted`] calls.
pub(crate) struct List;
pub(crate) struct Map;
pub(crate) struct Triple;

pub(crate) trait Shape {
    fn ask<'de, D: Deserializer<'de>>(from: D, to: Sent) -> Result<Sent, D::Error>;
}

impl Shape for List {
    fn ask<'de, D: Deserializer<'de>>(from: D, to: Sent) -> Result<Sent, D::Error> {
        from.deserialize_seq(to)
    }
}

impl Shape for Map {
    fn ask<'de, D: Deserializer<'de>>(from: D, to: Sent) -> Result<Sent, D::Error> {
        from.deserialize_map(to)
    }
}

impl Shape for Triple {
    fn ask<'de, D: Deserializer<'de>>(from: D, to: Sent) -> Result<Sent, D::Error> {
        from.deserialize_tuple(3, to)
    }
}

/// The size hints before each element, and at the end.
pub(crate) struct Counted<S> {
    pub(crate) hints: Vec<Option<usize>>,
    shape: PhantomData<S>,
}

impl<'de, S: Shape> Deserialize<'de> for Counted<S> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Sent(hints) = S::ask(from, Sent(Vec::new()))?;
        let shape = PhantomData;
        Ok(Self { hints, shape })
    }
}

pub(crate) struct Sent(Vec<Option<usize>>);

impl<'de> Visitor<'de> for Sent {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("some bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut from: A) -> Result<Self, A::Error> {
        self.0.push(from.size_hint());
        while from.next_element::<u8>()?.is_some() {
            self.0.push(from.size_hint());
        }
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut from: A) -> Result<Self, A::Error> {
        self.0.push(from.size_hint());
        while from.next_entry::<u8, u8>()?.is_some() {
            self.0.push(from.size_hint());
        }
        Ok(self)
    }
}

/// The size hints for three elements.
pub(crate) const OF_THREE: [Option<usize>; 4] = [Some(3), Some(2), Some(1), Some(0)];

#[test]
fn size_hints_are_exact() {
    let list = packed(&(Vec::from([1_u8, 2, 3]), 9_u8));
    let (read, last) = unpacked::<(Counted<List>, u8)>(&list).unwrap();
    assert_eq!((read.hints.as_slice(), last), (&OF_THREE[..], 9));
    let map = packed(&(BTreeMap::from([(1_u8, 1_u8), (2, 2), (3, 3)]), 9_u8));
    let (read, last) = unpacked::<(Counted<Map>, u8)>(&map).unwrap();
    assert_eq!((read.hints.as_slice(), last), (&OF_THREE[..], 9));
    let tuple = packed(&[1_u8, 2, 3, 9]);
    let (read, last) = unpacked::<(Counted<Triple>, u8)>(&tuple).unwrap();
    assert_eq!((read.hints.as_slice(), last), (&OF_THREE[..], 9));
}

#[test]
fn size_hints_are_limited_by_the_bytes_left() {
    let bytes = packed(&(usize::MAX, 1_u8, 2_u8));
    let mut hint = None;
    let from = &mut Unpacker::new(&bytes);
    _ = from.deserialize_seq(First(&mut hint));
    assert_eq!(hint, Some(2));
}

/// Records the first size hint.
struct First<'a>(&'a mut Option<usize>);

impl<'de> Visitor<'de> for First<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<(), A::Error> {
        *self.0 = from.size_hint();
        Ok(())
    }
}
