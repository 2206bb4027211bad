//! A component's dense index, without the type of its context.

use core::fmt;

/// A component's dense index, without the type of its context, for code that is compiled only once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawComponentIndex(u32);

impl RawComponentIndex {
    /// The index of the `index`-th component.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 components"))
    }

    /// Returns the index of an existing column.
    #[inline]
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u32) // there are fewer than 2^32
    }

    #[inline]
    pub(crate) const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for RawComponentIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
