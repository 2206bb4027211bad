//! Values as numbers that two machines can compare.

mod values;

use core::hash::Hasher;

/// Feeds a checksum with a value, in the same way on every machine.
///
/// The derive of a component looks for the first of these:
///
/// 1. `Checksum` of the component's type;
/// 2. `Checksum`, or else `Hash`, of each of its fields (of an enum, of those of all variants);
/// 3. `Hash` of the component's type.
///
/// So components made of numbers, strings, ids and lists of them need nothing. Implement this trait for
/// a component of which a part does not count, because it is not the same on every machine (a pointer)
/// or follows from the rest, and for your own types in fields that have neither trait, or whose
/// `Hash` is not portable:
///
/// # What `Hash` cannot do
///
/// A [`ChecksumHasher`] takes every number as 64 bits or as many bytes as it has, the lowest first. But
/// the standard library's `Hash` of a slice, an array or a `Vec` of numbers hands over the memory as it
/// is. So a type whose `Hash` includes one has other checksums on other machines: a list of
/// `usize` or `isize` on those with 32 bits, a list of other integers of more than one byte on those
/// with the highest byte first. `Checksum` of such lists is portable; a type of your own that has one
/// *and is a field of a component* needs `Checksum` too. Pointers and functions are `Hash`, but are their
/// addresses, which no two runs have in common.
///
/// Every NaN counts as the same, for machines differ in the bits of the one they calculate; `-0.0` and `0.0`
/// are different values. Checksums are for programs of one version: a later version of the library or of
/// a component may have others.
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
pub(crate) type ChecksumFeeder<T> = fn(&T, &mut ChecksumHasher);

/// Makes a checksum of what it is fed: the same on every machine, whatever the size and the order of
/// bytes of its numbers, except for [what `Hash` of lists writes](Checksum#what-hash-cannot-do).
/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>), mixed at
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

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

impl Default for ChecksumHasher {
    fn default() -> Self {
        Self(BASIS)
    }
}

impl ChecksumHasher {
    /// The checksum of a name, worked out by the compiler.
    pub(crate) const fn of_name(name: &str) -> u64 {
        let (bytes, mut hasher, mut at) = (name.as_bytes(), Self(BASIS), 0);
        while at < bytes.len() {
            hasher.feed(bytes[at]);
            at += 1;
        }
        hasher.mixed()
    }

    #[inline]
    const fn feed(&mut self, byte: u8) {
        self.0 = (self.0 ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
    }

    #[inline]
    const fn mixed(&self) -> u64 {
        let mut sum = self.0;
        sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        sum ^ (sum >> 31)
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
        bytes.iter().for_each(|byte| self.feed(*byte));
    }

    write_numbers!(write_u16 u16, write_u32 u32, write_u64 u64, write_u128 u128);

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64); // on every machine as many bytes
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64); // a negative one too
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.mixed()
    }
}

#[cfg(test)]
mod tests;
