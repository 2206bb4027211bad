//! Reading what others have written: all bytes of it, and nothing nested too deeply.
//!
//! A value that contains itself is read recursively, so without a limit a few kilobytes overflow the stack of
//! each process that reads the log.

use serde::Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::fmt;

/// How deeply values may be nested.
const DEEPEST: u32 = 64;

/// Reads an input of an earlier version, for [`Game::upgrade`](crate::Game::upgrade): all of the bytes, and nothing
/// nested deeper than 64 levels.
///
/// # Examples
///
/// ```
/// let bytes = [5, 7];
/// assert_eq!(ecs_rooms::read_input::<(u8, u8)>(&bytes), Some((5, 7)));
/// assert_eq!(ecs_rooms::read_input::<u8>(&bytes), None); // a byte is left over
/// ```
#[must_use]
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut from = postcard::Deserializer::from_bytes(bytes);
    let value = T::deserialize(Bounded(&mut from, DEEPEST)).ok()?;
    from.finalize().ok()?.is_empty().then_some(value)
}

/// A part of serde, with the depth that is left for what it reads.
struct Bounded<T>(T, u32);

fn deeper<E: Error>(left: u32) -> Result<u32, E> {
    left.checked_sub(1)
        .ok_or_else(|| E::custom("nested too deeply"))
}

/// For what has nothing inside that could be nested.
fn plain<V>(visitor: V, _: u32) -> V {
    visitor
}

macro_rules! forward {
    ($visitor:path: $($name:ident($($argument:ident: $kind:ty),*))*) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name($($argument,)* $visitor(visitor, self.1))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<D> {
    type Error = D::Error;

    forward! {
        plain: deserialize_any() deserialize_bool() deserialize_char()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_unit()
        deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
    }
    forward! {
        Bounded: deserialize_option() deserialize_seq() deserialize_map()
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(count: usize)
        deserialize_tuple_struct(name: &'static str, count: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// Postcard calls no other methods of these visitors.
impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Bounded(from, deeper(self.1)?))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Bounded(from, deeper(self.1)?))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Bounded(from, self.1))
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Bounded(from, self.1))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Bounded(from, self.1))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Bounded(from, deeper(self.1)?))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Bounded(seed, self.1))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Bounded(seed, self.1))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Bounded(seed, self.1))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<A> {
    type Error = A::Error;
    type Variant = Bounded<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(Bounded(seed, self.1))?;
        Ok((value, Bounded(variant, self.1)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Bounded(seed, self.1))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(count, Bounded(visitor, self.1))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, Bounded(visitor, self.1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};

    use super::{DEEPEST, read};

    fn write<T: Serialize>(value: &T) -> Vec<u8> {
        postcard::to_allocvec(value).unwrap()
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Tree {
        Leaf,
        One(Box<Tree>),
        Many {
            named: BTreeMap<u8, Tree>,
            rest: Vec<Option<Tree>>,
        },
    }

    #[test]
    fn values_are_read_as_postcard_reads_them() {
        let one = Tree::One(Box::new(Tree::Leaf));
        let many = Tree::Many {
            named: [(3, one.clone())].into(),
            rest: vec![None, Some(one)],
        };
        let value = (
            many,
            "text".to_owned(),
            -5_i64,
            'c',
            1.5_f32,
            Some(()),
            [1_u16; 3],
        );
        assert_eq!(read(&write(&value)), Some(value));
    }

    #[test]
    fn bytes_that_are_left_over_are_an_error() {
        let bytes = write(&(1_000_u64, "hello"));
        assert_eq!(read::<u64>(&bytes), None);
        assert_eq!(read(&bytes), Some((1_000_u64, "hello".to_owned())));
    }

    #[test]
    fn values_that_are_nested_too_deeply_are_an_error() {
        let nested = |depth| [vec![1_u8; depth], vec![0]].concat();
        assert!(read::<Tree>(&nested(DEEPEST as usize / 2)).is_some());
        for depth in [DEEPEST as usize + 1, 60_000] {
            assert_eq!(read::<Tree>(&nested(depth)), None);
        }
    }
}
