//! A small generator of random numbers (splitmix64): a seed decides the whole game.

use serde::{Deserialize, Serialize};

/// Pseudo-random numbers that follow from a seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Random(u64);

impl Random {
    /// Starts the sequence of this seed.
    pub(crate) fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 up to `bound`, exclusive.
    pub(crate) fn below(&mut self, bound: u8) -> u8 {
        let high = self.next() >> 32;
        ((high * u64::from(bound)) >> 32) as u8
    }

    /// Returns `true` in `percent` of 100 cases.
    pub(crate) fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < percent
    }
}
