//! The items of a query as an iterator.

use core::fmt;

use super::data::QueryData;
use super::walk::BlockWalk;
use crate::state::HasCore;
use crate::words::signature::Bits;

/// The items of a [`Query`](super::Query). See [`Query::iter`](super::Query::iter).
pub struct QueryIter<'a, C: HasCore, Q: QueryData<C>> {
    walk: BlockWalk<'a, C, Q>,
    next: usize,
    word: Bits,
    block: Option<Q::Block<'a>>,
}

impl<'a, C: HasCore, Q: QueryData<C>> QueryIter<'a, C, Q> {
    /// Starts at the first block.
    #[inline]
    pub(super) fn new(walk: BlockWalk<'a, C, Q>) -> Self {
        Self {
            walk,
            next: 0,
            word: Bits(0),
            block: None,
        }
    }
}

impl<'a, C: HasCore, Q: QueryData<C>> Iterator for QueryIter<'a, C, Q> {
    type Item = Q::Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let (Some(block), Some(place)) = (self.block, self.word.next()) {
                // SAFETY: the bit of `place` is set (4) and has been cleared now, and
                // blocks ascend (3); the query made sure of (2) and holds the core (1).
                return Some(unsafe { Q::item(block, place as usize) });
            }
            if self.next == self.walk.blocks {
                return None;
            }
            // SAFETY: `next` is less than the walk's `blocks`.
            let (word, block) = unsafe { (self.walk.word(self.next), self.walk.block(self.next)) };
            (self.word, self.block) = (Bits(word), Some(block));
            self.next += 1;
            if word == 0 {
                let rest = self.next..self.walk.blocks;
                // SAFETY: the range ends at the walk's `blocks`.
                self.next = unsafe { self.walk.skip_empty(rest) };
            }
        }
    }
}

impl<C: HasCore, Q: QueryData<C>> fmt::Debug for QueryIter<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryIter")
            .field("next_block", &self.next)
            .finish_non_exhaustive()
    }
}
