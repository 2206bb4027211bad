//! Which types a row of several columns has values of, in their order: known when a bundle
//! is compiled, so that a check against them costs nothing where it is met.

use core::any::TypeId;

/// How many values a row has at most that is filled side by side with others.
pub(super) const MOST: usize = 24;

/// The types of the values of a row, in order; of no use if they are too many.
#[doc(hidden)]
pub struct RowTypes {
    types: [TypeId; MOST],
    /// How many they are, and be it more than there is room for.
    len: usize,
}

impl RowTypes {
    pub(crate) const NONE: Self = Self {
        types: [TypeId::of::<()>(); MOST],
        len: 0,
    };

    /// One value.
    pub(crate) const fn one<T: 'static>() -> Self {
        let mut one = Self::NONE;
        (one.types[0], one.len) = (TypeId::of::<T>(), 1);
        one
    }

    /// These values, and then those.
    pub(crate) const fn then(mut self, those: &Self) -> Self {
        let mut at = 0;
        while at < those.len {
            if self.len < MOST && at < MOST {
                self.types[self.len] = those.types[at];
            }
            self.len += 1;
            at += 1;
        }
        self
    }

    /// Whether they are few enough.
    pub(crate) const fn fit(&self) -> bool {
        self.len <= MOST
    }

    /// How many they are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the one at a position is this one.
    #[inline(always)] // folded if both are constants
    pub(super) fn has_at<T: 'static>(&self, position: usize) -> bool {
        position < self.len.min(MOST) && self.types[position] == TypeId::of::<T>()
    }

    /// Whether none of them is there twice.
    pub(super) fn are_distinct(&self) -> bool {
        let types = &self.types[..self.len.min(MOST)];
        (1..types.len()).all(|at| !types[..at].contains(&types[at]))
    }

    /// Whether these are the types of the descriptors given, and no others.
    pub(super) fn are(&self, types: impl ExactSizeIterator<Item = TypeId>) -> bool {
        self.fit() && types.len() == self.len && types.zip(&self.types).all(|(a, b)| a == *b)
    }
}
