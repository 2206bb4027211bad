//! The effects of a change as stored in an edge: an index into the table, with flags.

/// The index of the effects of a change in the table, with flags that answer the first questions
/// without loading from it:
///
/// ```text
/// bit 31     entity indexes, observers or the history are concerned
/// bit 30     collectors are concerned
/// bit 29     entity indexes are concerned
/// bit 28     the history is concerned
/// bit 27     the history is concerned, but neither entity indexes nor observers
/// bit 26     a single collector is concerned and nothing else: its number replaces the index
/// bits 25–0  the index
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EffectsIndex(u32);

/// Which subscribers of a change there are, other than collectors.
#[derive(Clone, Copy)]
pub(super) struct Concerned {
    pub(super) indexes: bool,
    pub(super) observers: bool,
    pub(super) history: bool,
}

impl Concerned {
    pub(super) fn are_any(self) -> bool {
        self.indexes || self.observers || self.history
    }
}

impl EffectsIndex {
    /// The change has no subscribers.
    pub(crate) const NONE: Self = Self(0);
    /// Not computed yet, or forgotten. Counts as having subscribers, so one test on the fast path
    /// excludes both.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    const SUBSCRIBED: u32 = 1 << 31;
    const PROPAGATES: u32 = 1 << 30;
    const INDEXED: u32 = 1 << 29;
    const RECORDED: u32 = 1 << 28;
    const ONLY_RECORDED: u32 = 1 << 27;
    const DIRECT: u32 = 1 << 26;
    const INDEX: u32 = Self::DIRECT - 1;

    /// The effects of a change whose only subscriber is one collector.
    pub(crate) fn of_collector(collector: usize) -> Self {
        assert!(collector < 1 << 26, "fewer than 2^26 collectors");
        Self(collector as u32 | Self::DIRECT | Self::PROPAGATES)
    }

    /// The collector concerned, if it is the only subscriber.
    #[inline]
    pub(crate) fn direct(self) -> Option<usize> {
        (self.0 & Self::DIRECT != 0).then_some((self.0 & Self::INDEX) as usize)
    }

    /// Combines an index with its flags; `propagates` says whether collectors are concerned.
    pub(super) fn new(index: usize, propagates: bool, concerned: Concerned) -> Self {
        assert!(index < Self::INDEX as usize, "fewer than 2^26 effects");
        let Concerned {
            indexes,
            observers,
            history,
        } = concerned;
        let mark = |says: bool, bit| if says { bit } else { 0 };
        let marks = mark(concerned.are_any(), Self::SUBSCRIBED)
            | mark(propagates, Self::PROPAGATES)
            | mark(indexes, Self::INDEXED)
            | mark(history, Self::RECORDED)
            | mark(history && !indexes && !observers, Self::ONLY_RECORDED);
        Self(index as u32 | marks)
    }

    /// The bits, to be stored with others in one word.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The inverse of [`bits`](Self::bits).
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        match self.direct() {
            Some(_) => 0, // the empty effects
            None => (self.0 & Self::INDEX) as usize,
        }
    }

    /// The index of effects that are known and have subscribers.
    #[inline]
    pub(super) fn of_subscribed(self) -> usize {
        debug_assert!(self.has_subscribers() && self.direct().is_none());
        (self.0 & Self::INDEX) as usize
    }

    /// Whether collectors are concerned.
    #[inline]
    pub(crate) fn propagates(self) -> bool {
        self.0 & Self::PROPAGATES != 0
    }

    /// Whether neither entity indexes nor the history are concerned; only collectors and observers
    /// may be.
    #[inline]
    pub(crate) fn are_plain(self) -> bool {
        self.0 & (Self::INDEXED | Self::RECORDED) == 0
    }

    /// Whether they have been computed.
    #[inline]
    pub(crate) fn are_known(self) -> bool {
        self != Self::UNKNOWN
    }

    /// Whether there are subscribers other than collectors.
    #[inline]
    pub(crate) fn has_subscribers(self) -> bool {
        self.0 & Self::SUBSCRIBED != 0
    }

    /// Whether entity indexes are concerned.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }

    /// These effects without entity indexes, for a caller that updates the indexes.
    pub(crate) fn without_indexes(self) -> Self {
        Self(self.0 & !Self::INDEXED)
    }

    /// Whether the history is concerned.
    #[inline]
    pub(crate) fn is_recorded(self) -> bool {
        self.0 & Self::RECORDED != 0
    }

    /// Whether the history is concerned, but neither entity indexes nor observers.
    #[inline]
    pub(crate) fn is_only_recorded(self) -> bool {
        self.0 & Self::ONLY_RECORDED != 0
    }
}
