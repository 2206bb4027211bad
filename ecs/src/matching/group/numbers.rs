//! The numbers of groups and entity indexes.

/// A group, by its number in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupIndex(pub(crate) u32);

impl GroupIndex {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// An entity index, by its number in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexNumber(pub(crate) u32);

impl IndexNumber {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}
