//! A small generator of random numbers (splitmix64).

/// Pseudo-random numbers that follow from a seed.
#[derive(Clone, Debug, Hash)]
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

    /// Returns a number from `low` to `high`, inclusive.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let count = i64::from(high - low + 1);
        let above = ((self.next() >> 32) as i64 * count) >> 32;
        low + above as i32
    }
}
