//! The numbers that groups and entity indexes go by.

/// A group by its number: groups are numbered in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupIndex(pub(crate) u32);

impl GroupIndex {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// An entity index by its number: indexes are numbered in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexNumber(pub(crate) u32);

impl IndexNumber {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}
