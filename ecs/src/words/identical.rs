//! Whether two values are identical in every bit that a program can read.
//!
//! A value that is set again only if it differs must not be compared by `PartialEq`, `Hash` or
//! `Checksum`: all of them may leave a part out, and `0.0 == -0.0`. So the derive compares a component
//! field by field, and only if the types of all fields are known here. Types of a program are not,
//! nor are those with equal values that can be distinguished, such as a `HashMap` by its order.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::marker::PhantomData;
use core::num::{NonZero, Saturating, Wrapping};
use core::ops::Range;
use core::time::Duration;

use crate::words::entity_id::{EntityId, RawEntityId};

/// A type whose values can be compared in full, without code of the program.
pub trait Identical {
    /// Whether nothing distinguishes the values.
    fn is_identical(&self, other: &Self) -> bool;
}

/// Compares two values.
pub(crate) type CompareValues<T> = fn(&T, &T) -> bool;

macro_rules! by_equality {
    ($($ty:ty),* $(,)?) => { $(
        impl Identical for $ty {
            fn is_identical(&self, other: &Self) -> bool {
                self == other
            }
        }
    )* };
}

macro_rules! integers {
    ($($ty:ty)*) => { $( by_equality!($ty, NonZero<$ty>); )* };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
by_equality!(bool, char, str, String, (), Duration, Ordering, RawEntityId);

impl<C> Identical for EntityId<C> {
    fn is_identical(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T: ?Sized> Identical for PhantomData<T> {
    fn is_identical(&self, _: &Self) -> bool {
        true
    }
}

macro_rules! by_bits {
    ($($float:ident)*) => { $(
        impl Identical for $float {
            fn is_identical(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    )* };
}

by_bits!(f32 f64);

macro_rules! by_parts {
    ($(($($name:ident $number:tt)*))*) => { $(
        impl<$($name: Identical),*> Identical for ($($name,)*) {
            fn is_identical(&self, other: &Self) -> bool {
                true $(&& self.$number.is_identical(&other.$number))*
            }
        }
    )* };
}

by_parts! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
}

macro_rules! by_items {
    ($($list:ident)*) => { $(
        impl<T: Identical> Identical for $list<T> {
            fn is_identical(&self, other: &Self) -> bool {
                let mut pairs = self.iter().zip(other);
                self.len() == other.len() && pairs.all(|(one, other)| one.is_identical(other))
            }
        }
    )* };
}

by_items!(Vec VecDeque LinkedList BTreeSet);

impl<K: Identical, V: Identical> Identical for BTreeMap<K, V> {
    fn is_identical(&self, other: &Self) -> bool {
        let mut pairs = self.iter().zip(other);
        self.len() == other.len()
            && pairs.all(|((key, value), other)| {
                key.is_identical(other.0) && value.is_identical(other.1)
            })
    }
}

impl<T: Identical> Identical for [T] {
    fn is_identical(&self, other: &Self) -> bool {
        let mut pairs = self.iter().zip(other);
        self.len() == other.len() && pairs.all(|(one, other)| one.is_identical(other))
    }
}

impl<T: Identical, const N: usize> Identical for [T; N] {
    fn is_identical(&self, other: &Self) -> bool {
        self.as_slice().is_identical(other)
    }
}

impl<T: Identical> Identical for Option<T> {
    fn is_identical(&self, other: &Self) -> bool {
        self.as_slice().is_identical(other.as_slice())
    }
}

impl<T: Identical> Identical for Range<T> {
    fn is_identical(&self, other: &Self) -> bool {
        self.start.is_identical(&other.start) && self.end.is_identical(&other.end)
    }
}

macro_rules! by_wrapped {
    ($($wrapper:ident)*) => { $(
        impl<T: Identical> Identical for $wrapper<T> {
            fn is_identical(&self, other: &Self) -> bool {
                self.0.is_identical(&other.0)
            }
        }
    )* };
}

by_wrapped!(Wrapping Saturating Reverse);

macro_rules! by_target {
    ($([$($parameters:tt)*] $pointer:ty),* $(,)?) => { $(
        impl<$($parameters)*> Identical for $pointer {
            fn is_identical(&self, other: &Self) -> bool {
                (**self).is_identical(other)
            }
        }
    )* };
}

by_target!(
    [T: Identical + ?Sized] &T,
    [T: Identical + ?Sized] Box<T>,
    [T: Identical + ?Sized] Arc<T>,
    [T: Identical + ToOwned + ?Sized] Cow<'_, T>,
);

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn values_are_identical_only_if_every_bit_is() {
        assert!((1_u8, "a", Some(2.5_f32)).is_identical(&(1, "a", Some(2.5))));
        assert!(!0.0_f32.is_identical(&-0.0));
        assert!(f32::NAN.is_identical(&f32::NAN) && !f64::NAN.is_identical(&-f64::NAN));
        assert!(!vec![1.0_f64].is_identical(&vec![1.0, 2.0]));
        assert!(!vec![1.0_f64, 2.0].is_identical(&vec![1.0]));
        assert!(!Some(0_u8).is_identical(&None));
        assert!(!VecDeque::from([0.0_f32]).is_identical(&VecDeque::from([-0.0])));
        let maps = [0.0_f32, -0.0].map(|value| BTreeMap::from([(1_u8, value)]));
        assert!(maps[0].is_identical(&maps[0]) && !maps[0].is_identical(&maps[1]));
        assert!(!Arc::new([0.0_f32]).is_identical(&Arc::new([-0.0])));
    }
}
