//! The effects of a change as what keeps them knows them: a word, which answers what is asked
//! of them first.

/// The effects of one kind of change, by their index in the table; with the things
/// that are asked first, so that the answer is there before the table is:
///
/// ```text
/// bit 31     entity indexes or observers are to follow
/// bit 30     groups or collectors are to be changed
/// bit 29     entity indexes are to follow
/// bits 28–0  the index
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EffectsIndex(u32);

impl EffectsIndex {
    /// The change concerns nobody.
    pub(crate) const NONE: Self = Self(0);
    /// Not worked out yet, or forgotten.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    const FOLLOWED: u32 = 1 << 31;
    const SPREADS: u32 = 1 << 30;
    const INDEXED: u32 = 1 << 29;
    const INDEX: u32 = Self::INDEXED - 1;

    /// The index of effects, with what is asked first: whether groups or collectors are to be
    /// changed, whether entity indexes are to follow, whether observers are to be notified.
    pub(super) fn new(index: usize, spreads: bool, indexed: bool, observed: bool) -> Self {
        assert!(index < Self::INDEX as usize, "fewer than 2^29 effects");
        let mark = |says: bool, bit| if says { bit } else { 0 };
        let marks = mark(indexed || observed, Self::FOLLOWED)
            | mark(spreads, Self::SPREADS)
            | mark(indexed, Self::INDEXED);
        Self(index as u32 | marks)
    }

    /// The bits, to be kept with others in a word.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// What [`bits`](Self::bits) returned.
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        (self.0 & Self::INDEX) as usize
    }

    /// Whether groups or collectors are to be changed.
    #[inline]
    pub(crate) fn spreads(self) -> bool {
        self.0 & Self::SPREADS != 0
    }

    /// Whether there is more to do than to notify observers: one test for two questions.
    #[inline]
    pub(crate) fn spreads_or_is_indexed(self) -> bool {
        self.0 & (Self::SPREADS | Self::INDEXED) != 0
    }

    /// Whether entity indexes are to follow, or observers are to be notified.
    #[inline]
    pub(crate) fn is_followed(self) -> bool {
        self.0 & Self::FOLLOWED != 0
    }

    /// Whether entity indexes are to follow.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }
}
