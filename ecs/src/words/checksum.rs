//! Checksums of values that are equal on all machines.

mod values;

use core::hash::Hasher;

/// Feeds a value to a checksum, in the same way on every machine.
///
/// The derive of a component uses the first of these that exists:
///
/// 1. `Checksum` of the component's type;
/// 2. `Checksum`, or else `Hash`, of each field (for an enum, of the fields of all variants);
/// 3. `Hash` of the component's type.
///
/// So components made of numbers, strings, ids and lists of them need no code. Derive this trait for your own
/// field types that have neither, because they have floats, or whose `Hash` is not portable. Implement it for a
/// component with a field of another crate's type, or with a part that must be ignored because it differs
/// between machines (a pointer) or is derived from the rest.
///
/// # What `Hash` cannot do
///
/// A [`ChecksumHasher`] processes each number by its value, and `usize` and `isize` as 64
/// bits. But the standard library's `Hash` of slices, arrays and vectors of numbers passes memory
/// as it is. So a type whose `Hash` includes one has different checksums on different machines:
/// lists of `usize` or `isize` on 32-bit machines, lists of other integers larger than a byte on
/// big-endian machines. `Checksum` of such lists is portable, so your own type that contains one
/// and is a field of a component needs `Checksum` too. Pointers and functions hash their address,
/// which differs between runs.
///
/// All NaNs are equal, because machines produce different bits; `-0.0` and `0.0` differ. Compare
/// checksums only between programs of the same version: other versions of the library or of a
/// component may compute different ones.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// use std::collections::HashMap;
/// use ecs::{Checksum, ChecksumHasher};
///
/// #[derive(Clone, Checksum)]
/// enum Effect { None, Slow { factor: f32, seconds: f32 } }
///
/// # #[ecs::context] pub struct Game;
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct Gun { effect: Effect, rounds: u32 }
///
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct Names { all: Vec<String>, places: HashMap<String, usize> }
///
/// impl Checksum for Names {
///     fn feed(&self, hasher: &mut ChecksumHasher) {
///         self.all.feed(hasher); // `places` is derived from it
///     }
/// }
///
/// let mut game = Game::new();
/// let slow = Effect::Slow { factor: 0.5, seconds: 3.0 };
/// game.create_with((Gun { effect: slow, rounds: 6 }, Names { all: vec![], places: HashMap::new() }));
/// assert!(game.try_checksum().is_ok());
/// ```
pub trait Checksum {
    /// Feeds everything relevant to the hasher.
    fn feed(&self, hasher: &mut ChecksumHasher);
}

/// Feeds a value to a checksum.
pub(crate) type ChecksumFeeder<T> = fn(&T, &mut ChecksumHasher);

/// Computes a checksum that is the same on every machine, regardless of word size and endianness,
/// except for [lists fed through `Hash`](Checksum#what-hash-cannot-do). Uses 64-bit FNV-1a
/// (<http://www.isthe.com/chongo/tech/comp/fnv/>) for bytes, one multiplication for each number of up
/// to 64 bits, and the last step of SplitMix64, so that sums of checksums do not cancel out.
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
    /// A hasher that has processed something with this checksum.
    #[inline]
    pub(crate) const fn from_key(key: u64) -> Self {
        Self(key)
    }

    /// Returns the checksum of a name at compile time.
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

    /// Feeds eight bytes at once. Without the shift, low bits would not depend on high ones.
    #[inline]
    const fn feed_word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
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
            self.feed_word(number.into());
        }
    )* };
}

impl Hasher for ChecksumHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.feed(*byte));
    }

    write_numbers!(write_u16 u16, write_u32 u32, write_u64 u64);

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.feed_word(number as u64);
        self.feed_word((number >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64); // the same width on every machine
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64); // sign-extended
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.mixed()
    }
}

#[cfg(test)]
mod tests;
