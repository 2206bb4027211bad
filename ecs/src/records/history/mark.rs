//! Marks of a history.

use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;

/// A state of a context that a [`History`](crate::History) can return to.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let history = game.record();
/// let (first, second) = (history.mark(&mut game), history.mark(&mut game));
/// assert!(first < second);
/// ```
pub struct Mark<C> {
    /// The serial number of its history.
    pub(super) history: u64,
    pub(super) number: u64,
    context: PhantomData<fn() -> C>,
}

impl<C> Mark<C> {
    pub(super) fn new(history: u64, number: u64) -> Self {
        Self {
            history,
            number,
            context: PhantomData,
        }
    }
}

impl<C> fmt::Debug for Mark<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mark({})", self.number)
    }
}

// Implemented by hand, because a derive would put the bounds on `C`.
impl<C> Clone for Mark<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Mark<C> {}

impl<C> PartialEq for Mark<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.history, self.number) == (other.history, other.number)
    }
}

impl<C> Eq for Mark<C> {}

impl<C> PartialOrd for Mark<C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> Ord for Mark<C> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.history, self.number).cmp(&(other.history, other.number))
    }
}
