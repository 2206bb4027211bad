//! The effects of a change as what keeps them knows them: a word, which answers what is asked
//! of them first.

/// The effects of one kind of change, by their index in the table; with the things
/// that are asked first, so that the answer is there before the table is:
///
/// ```text
/// bit 31     entity indexes or observers are to follow, or the history
/// bit 30     collectors are to be changed
/// bit 29     entity indexes are to follow
/// bit 28     the history is to follow
/// bit 27     the history is to follow, and of entity indexes and observers none
/// bit 26     one collector is to follow and nobody else: there is no index, but its number
/// bits 25–0  the index
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EffectsIndex(u32);

/// Who follows a change beside collectors.
#[derive(Clone, Copy)]
pub(super) struct Subscribers {
    pub(super) indexes: bool,
    pub(super) observers: bool,
    pub(super) history: bool,
}

impl Subscribers {
    pub(super) fn are_any(self) -> bool {
        self.indexes || self.observers || self.history
    }
}

impl EffectsIndex {
    /// The change concerns nobody.
    pub(crate) const NONE: Self = Self(0);
    /// Not worked out yet, or forgotten. It counts as followed, so that one test on the usual way
    /// rules out both.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    const OBSERVED: u32 = 1 << 31;
    const PROPAGATES: u32 = 1 << 30;
    const INDEXED: u32 = 1 << 29;
    const RECORDED: u32 = 1 << 28;
    const ONLY_RECORDED: u32 = 1 << 27;
    const DIRECT: u32 = 1 << 26;
    const INDEX: u32 = Self::DIRECT - 1;

    /// The effects of a change that concerns one collector and nobody else.
    pub(super) fn of_collector(collector: u32) -> Self {
        assert!(collector <= Self::INDEX, "fewer than 2^26 collectors");
        Self(collector | Self::DIRECT | Self::PROPAGATES)
    }

    /// The collector concerned, if nobody else is.
    #[inline]
    pub(crate) fn direct(self) -> Option<usize> {
        (self.0 & Self::DIRECT != 0).then_some((self.0 & Self::INDEX) as usize)
    }

    /// The index of effects, with what is asked first: whether collectors are to be
    /// changed, whether entity indexes are to follow, whether observers are to be notified, whether
    /// the history is to follow.
    pub(super) fn new(index: usize, propagates: bool, subscribers: Subscribers) -> Self {
        assert!(index < Self::INDEX as usize, "fewer than 2^26 effects");
        let Subscribers {
            indexes,
            observers,
            history,
        } = subscribers;
        let mark = |says: bool, bit| if says { bit } else { 0 };
        let marks = mark(subscribers.are_any(), Self::OBSERVED)
            | mark(propagates, Self::PROPAGATES)
            | mark(indexes, Self::INDEXED)
            | mark(history, Self::RECORDED)
            | mark(history && !indexes && !observers, Self::ONLY_RECORDED);
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
        match self.direct() {
            Some(_) => 0, // those that concern nobody
            None => (self.0 & Self::INDEX) as usize,
        }
    }

    /// The index of effects that are known and followed.
    #[inline]
    pub(super) fn of_observed(self) -> usize {
        debug_assert!(self.is_observed() && self.direct().is_none());
        (self.0 & Self::INDEX) as usize
    }

    /// Whether collectors are to be changed.
    #[inline]
    pub(crate) fn propagates(self) -> bool {
        self.0 & Self::PROPAGATES != 0
    }

    /// Whether neither entity indexes nor the history follow; so besides collectors there can only be
    /// observers.
    #[inline]
    pub(crate) fn are_plain(self) -> bool {
        self.0 & (Self::INDEXED | Self::RECORDED) == 0
    }

    /// Whether they have been worked out.
    #[inline]
    pub(crate) fn are_known(self) -> bool {
        self != Self::UNKNOWN
    }

    /// Whether entity indexes or the history are to follow, or observers are to be notified.
    #[inline]
    pub(crate) fn is_observed(self) -> bool {
        self.0 & Self::OBSERVED != 0
    }

    /// Whether entity indexes are to follow.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }

    /// Whether the history is to follow.
    #[inline]
    pub(crate) fn is_recorded(self) -> bool {
        self.0 & Self::RECORDED != 0
    }

    /// Whether the history is to follow, and of entity indexes and observers none.
    #[inline]
    pub(crate) fn is_only_recorded(self) -> bool {
        self.0 & Self::ONLY_RECORDED != 0
    }
}
