//! Reading through the dynamic calls behaves like reading directly.

use alloc::collections::BTreeMap;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer};

use super::{Format, read};
use crate::formats::packed::tests::{Counted, List, Map, OF_THREE, Triple, packed};
use crate::formats::packed::{Message, Unpacker};

#[test]
fn size_hints_are_exact() {
    let list = packed(&Vec::from([1_u8, 2, 3]));
    let list: Counted<List> = read(&mut Format::new(&mut Unpacker::new(&list))).unwrap();
    assert_eq!(list.hints, OF_THREE);
    let map = packed(&BTreeMap::from([(1_u8, 1_u8), (2, 2), (3, 3)]));
    let map: Counted<Map> = read(&mut Format::new(&mut Unpacker::new(&map))).unwrap();
    assert_eq!(map.hints, OF_THREE);
    let triple: Counted<Triple> =
        read(&mut Format::new(&mut Unpacker::new(&[1, 2, 3, 9]))).unwrap();
    assert_eq!(triple.hints, OF_THREE);
}

#[derive(Debug, PartialEq, Deserialize)]
enum Order {
    Wait,
    Attack(u8),
}

/// Reads a variant in the form of human-readable formats: a map from its name to its fields.
fn order<'de>(
    variant: &'static str,
    fields: impl IntoDeserializer<'de, Error>,
) -> Result<Order, Message> {
    let map = MapDeserializer::new(core::iter::once((variant, fields)));
    read(&mut Format::new(MapAccessDeserializer::new(map)))
}

#[test]
fn a_unit_variant_with_fields_is_rejected() {
    assert_eq!(order("Wait", ()).unwrap(), Order::Wait);
    assert_eq!(order("Attack", 3_u8).unwrap(), Order::Attack(3));
    let rejected = order("Wait", 3_u8).unwrap_err().to_string();
    assert!(rejected.contains("expected unit"), "{rejected}");
}

#[derive(Debug, PartialEq, Deserialize)]
struct Point {
    x: u8,
}

#[test]
fn a_value_of_another_kind_is_rejected_as_by_serde() {
    let text = |error: Message| error.to_string();
    let point = read::<Point>(&mut Format::new(
        IntoDeserializer::<Error>::into_deserializer(3_u8),
    ));
    assert_eq!(
        text(point.unwrap_err()),
        "invalid type: integer `3`, expected struct Point"
    );
    let order = read::<Order>(&mut Format::new(
        IntoDeserializer::<Error>::into_deserializer(true),
    ));
    assert_eq!(
        text(order.unwrap_err()),
        "invalid type: boolean `true`, expected enum Order"
    );
    let fields = MapDeserializer::<_, Error>::new([(true, 1_u8)].into_iter());
    let point = read::<Point>(&mut Format::new(MapAccessDeserializer::new(fields)));
    assert_eq!(
        text(point.unwrap_err()),
        "invalid type: boolean `true`, expected field identifier"
    );
}

/// Reads what it cannot read as zero.
#[derive(Debug, PartialEq)]
struct Lenient(u8);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(u8::deserialize(from).unwrap_or_default()))
    }
}

#[test]
fn a_list_of_values_that_ignore_errors_ends() {
    let list = packed(&Vec::from([1_u8, 2]));
    let list: Vec<Lenient> = read(&mut Format::new(&mut Unpacker::new(&list))).unwrap();
    assert_eq!(list, [Lenient(1), Lenient(2)]);
}

#[test]
fn a_packed_value_is_not_for_people() {
    struct Readable(bool);
    impl<'de> Deserialize<'de> for Readable {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let readable = from.is_human_readable();
            u8::deserialize(from).map(|_| Self(readable))
        }
    }
    let bytes = packed(&Vec::from([1_u8, 2]));
    let read = read::<Vec<Readable>>(&mut super::packed(&mut Unpacker::new(&bytes))).unwrap();
    assert!(read.iter().all(|value| !value.0) && read.len() == 2);
}
