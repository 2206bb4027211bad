//! The types of a row in several columns, in order. Known when a bundle is compiled, so that checks
//! against them are folded.

use core::any::TypeId;

/// The maximum number of values in a row that is filled side by side with others.
pub(super) const MOST: usize = 24;

/// The types of a row's values, in order. Unusable if there are too many.
#[doc(hidden)]
pub struct RowTypes {
    types: [fn() -> TypeId; MOST],
    /// The number of types, which may exceed the array.
    len: usize,
}

impl RowTypes {
    pub(crate) const NONE: Self = Self {
        types: [TypeId::of::<()>; MOST],
        len: 0,
    };

    /// Returns a list of one type.
    pub(crate) const fn one<T: 'static>() -> Self {
        let mut one = Self::NONE;
        (one.types[0], one.len) = (TypeId::of::<T>, 1);
        one
    }

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

    /// Returns whether the types fit into the array.
    pub(crate) const fn fit(&self) -> bool {
        self.len <= MOST
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the type at a position is `T`.
    #[inline(always)] // folded if both are constants
    pub(super) fn has_at<T: 'static>(&self, position: usize) -> bool {
        position < self.len.min(MOST) && (self.types[position])() == TypeId::of::<T>()
    }

    /// Returns whether all types are distinct.
    pub(super) fn are_distinct(&self) -> bool {
        let types = &self.types[..self.len.min(MOST)];
        let is_new = |at: usize| types[..at].iter().all(|of| of() != types[at]());
        (1..types.len()).all(is_new)
    }

    /// Returns whether these are exactly the given types.
    pub(super) fn are(&self, types: impl ExactSizeIterator<Item = TypeId>) -> bool {
        self.fit() && types.len() == self.len && types.zip(&self.types).all(|(a, b)| a == b())
    }
}
