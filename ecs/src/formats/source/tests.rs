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
