//! Portable checksums of standard library types and ids.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::hash::Hash;
use core::marker::PhantomData;
use core::num::{NonZero, Saturating, Wrapping};
use core::ops::{Bound, Range, RangeInclusive};
use core::time::Duration;

use super::{Checksum, ChecksumHasher};
use crate::words::entity_id::{EntityId, RawEntityId};

macro_rules! by_hash {
    ($($ty:ty),* $(,)?) => { $(
        impl Checksum for $ty {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                self.hash(hasher);
            }
        }
    )* };
}

macro_rules! integers {
    ($($ty:ty)*) => { $( by_hash!($ty, NonZero<$ty>); )* };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
by_hash!(bool, char, str, String, (), Duration, Ordering, RawEntityId);

impl<C> Checksum for EntityId<C> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.hash(hasher);
    }
}

impl<T: ?Sized> Checksum for PhantomData<T> {
    fn feed(&self, _: &mut ChecksumHasher) {}
}

macro_rules! floats {
    ($($float:ident)*) => { $(
        impl Checksum for $float {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                let number = if self.is_nan() { $float::NAN } else { *self };
                number.to_bits().hash(hasher);
            }
        }
    )* };
}

floats!(f32 f64);

macro_rules! by_parts {
    ($($name:ident)*) => {
        impl<$($name: Checksum),*> Checksum for ($($name,)*) {
            #[expect(non_snake_case, reason = "named like their types")]
            fn feed(&self, hasher: &mut ChecksumHasher) {
                let ($($name,)*) = self;
                $($name.feed(hasher);)*
            }
        }
    };
}

by_parts!(A);
by_parts!(A B);
by_parts!(A B C);
by_parts!(A B C D);
by_parts!(A B C D E);
by_parts!(A B C D E F);
by_parts!(A B C D E F G);
by_parts!(A B C D E F G H);
by_parts!(A B C D E F G H I);
by_parts!(A B C D E F G H I J);
by_parts!(A B C D E F G H I J K);
by_parts!(A B C D E F G H I J K L);

macro_rules! by_items {
    ($($list:ident<$($item:ident),*>)*) => { $(
        impl<$($item: Checksum),*> Checksum for $list<$($item),*> {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                self.len().hash(hasher);
                self.iter().for_each(|item| item.feed(hasher));
            }
        }
    )* };
}

by_items!(VecDeque<T> LinkedList<T> BTreeSet<T> BTreeMap<K, V>);

impl<T: Checksum> Checksum for [T] {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.len().hash(hasher);
        self.iter().for_each(|item| item.feed(hasher));
    }
}

impl<T: Checksum, const N: usize> Checksum for [T; N] {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.iter().for_each(|item| item.feed(hasher));
    }
}

impl<T: Checksum> Checksum for Vec<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.as_slice().feed(hasher);
    }
}

impl<T: Checksum> Checksum for Option<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.is_some().hash(hasher);
        self.iter().for_each(|item| item.feed(hasher));
    }
}

impl<T: Checksum, E: Checksum> Checksum for Result<T, E> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.is_ok().hash(hasher);
        match self {
            Ok(value) => value.feed(hasher),
            Err(error) => error.feed(hasher),
        }
    }
}

impl<T: Checksum> Checksum for Range<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        (&self.start, &self.end).feed(hasher);
    }
}

impl<T: Checksum> Checksum for RangeInclusive<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        (self.start(), self.end()).feed(hasher);
    }
}

impl<T: Checksum> Checksum for Bound<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        let (kind, limit) = match self {
            Self::Included(limit) => (0_u8, Some(limit)),
            Self::Excluded(limit) => (1, Some(limit)),
            Self::Unbounded => (2, None),
        };
        (kind, limit).feed(hasher);
    }
}

macro_rules! by_wrapped {
    ($($wrapper:ident)*) => { $(
        impl<T: Checksum> Checksum for $wrapper<T> {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                self.0.feed(hasher);
            }
        }
    )* };
}

by_wrapped!(Wrapping Saturating Reverse);

macro_rules! by_target {
    ($([$($parameters:tt)*] $pointer:ty),* $(,)?) => { $(
        impl<$($parameters)*> Checksum for $pointer {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                (**self).feed(hasher);
            }
        }
    )* };
}

by_target!(
    [T: Checksum + ?Sized] &T,
    [T: Checksum + ?Sized] Box<T>,
    [T: Checksum + ?Sized] Arc<T>,
    [T: Checksum + ToOwned + ?Sized] Cow<'_, T>,
);
