//! Values as numbers that two machines can compare.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// Feeds a checksum: for types that are not `Hash`, floating-point numbers above all.
///
/// The derive of a component feeds its checksum by `Checksum` or `Hash` of the type, or of each of its
/// fields. So a struct of numbers needs nothing; implement this for types of your own in its fields that
/// have neither.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// use ecs::{Checksum, ChecksumHasher};
///
/// #[derive(Clone)]
/// struct Vec2 { x: f32, y: f32 }
///
/// impl Checksum for Vec2 {
///     fn feed(&self, hasher: &mut ChecksumHasher) {
///         (self.x, self.y).feed(hasher);
///     }
/// }
///
/// # #[ecs::context] pub struct Game;
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct Position(Vec2);
///
/// let mut game = Game::new();
/// let history = game.record();
/// game.create_with(Position(Vec2 { x: 1.0, y: 2.0 }));
/// assert!(history.try_checksum(&mut game).is_ok());
/// ```
pub trait Checksum {
    /// Hands everything that counts to the hasher.
    fn feed(&self, hasher: &mut ChecksumHasher);
}

/// How a value feeds a checksum.
pub(crate) type Feed<T> = fn(&T, &mut ChecksumHasher);

/// Makes a checksum of what it is fed: the same on every machine, whatever the size and the order of
/// bytes of its numbers. FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>), mixed at
/// the end as in SplitMix64, so that sums of checksums do not cancel out.
///
/// # Examples
///
/// ```
/// use ecs::ChecksumHasher;
/// use std::hash::{Hash, Hasher};
///
/// let sum_of = |value: usize| {
///     let mut hasher = ChecksumHasher::default();
///     value.hash(&mut hasher);
///     hasher.finish()
/// };
/// assert_eq!(sum_of(3), sum_of(3));
/// assert_ne!(sum_of(3), sum_of(4));
/// ```
#[derive(Clone, Debug)]
pub struct ChecksumHasher(u64);

impl Default for ChecksumHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

macro_rules! write_numbers {
    ($($write:ident $number:ty),*) => { $(
        #[inline]
        fn $write(&mut self, number: $number) {
            self.write(&number.to_le_bytes());
        }
    )* };
}

impl Hasher for ChecksumHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    write_numbers!(write_u16 u16, write_u32 u32, write_u64 u64, write_u128 u128);

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64); // on every machine as many bytes
    }

    #[inline]
    fn finish(&self) -> u64 {
        let mut sum = self.0;
        sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        sum ^ (sum >> 31)
    }
}

macro_rules! by_hash {
    ($($ty:ty),*) => { $(
        impl Checksum for $ty {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                self.hash(hasher);
            }
        }
    )* };
}

by_hash!(
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    bool,
    char,
    str,
    String,
    ()
);

macro_rules! by_bits {
    ($($float:ty),*) => { $(
        impl Checksum for $float {
            fn feed(&self, hasher: &mut ChecksumHasher) {
                self.to_bits().hash(hasher);
            }
        }
    )* };
}

by_bits!(f32, f64);

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

impl<T: Checksum + ?Sized> Checksum for Box<T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        (**self).feed(hasher);
    }
}

impl<T: Checksum + ?Sized> Checksum for &T {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        (**self).feed(hasher);
    }
}

impl<T: Checksum + Clone> Checksum for Cow<'_, T> {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        (**self).feed(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(value: &(impl Checksum + ?Sized)) -> u64 {
        let mut hasher = ChecksumHasher::default();
        value.feed(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn sums_are_those_of_the_values_and_of_their_order() {
        assert_eq!(sum_of(&[1.0, 2.0]), sum_of(&(1.0, 2.0)));
        assert_ne!(sum_of(&[1.0, 2.0]), sum_of(&[2.0, 1.0]));
        assert_ne!(sum_of(&Some(0_u8)), sum_of(&None::<u8>));
        assert_ne!(
            sum_of(&[[1_u8, 2].as_slice(), &[]][..]),
            sum_of(&[[1_u8].as_slice(), &[2]][..])
        );
    }

    #[test]
    fn an_option_counts_with_whether_and_what_it_is() {
        assert_ne!(sum_of(&Some(0_u8)), sum_of(&Some(1_u8)));
        assert_ne!(
            sum_of(&[Some(1_u8), None]),
            sum_of(&[None, Some(1_u8)]),
            "the same values"
        );
    }

    #[test]
    fn a_value_counts_the_same_wherever_it_is_kept() {
        let (list, one) = ([1.0_f32, 2.0], 3.0_f64);
        assert_eq!(sum_of(&Vec::from(list)), sum_of(&list[..]));
        assert_eq!(sum_of(&Box::<[f32]>::from(list)), sum_of(&list[..]));
        assert_eq!(sum_of(&Box::new(one)), sum_of(&one));
        assert_eq!(sum_of(&&one), sum_of(&one));
        assert_eq!(sum_of(&Cow::Borrowed(&one)), sum_of(&one));
        assert_eq!(sum_of(&Cow::<f64>::Owned(one)), sum_of(&one));
    }

    #[test]
    fn a_sum_is_the_same_on_every_machine() {
        assert_eq!(sum_of(&(3_usize, -1_i32, "ecs")), 0xe8c4_15b2_c99a_d242);
    }
}
