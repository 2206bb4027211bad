//! A component's dense index, with the type of its context.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::index::RawComponentIndex as Untyped;

/// A component's dense index in contexts of type `C`.
///
/// Components are numbered 0, 1, 2, … by their names, regardless of modules; equal names are
/// ordered by full path. An index is valid for every context of this type and in every run. Using
/// the index of another context type is a compile error.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let entity = game.create_entity().add_health(3).id();
/// let indices: Vec<ecs::ComponentIndex<Game>> = game.entity(entity).component_indices();
/// assert_eq!(game.components()[indices[0].get()].name(), "Health");
/// ```
#[repr(transparent)]
pub struct ComponentIndex<C> {
    index: Untyped,
    context: PhantomData<fn() -> C>,
}

impl<C> ComponentIndex<C> {
    /// Gives the index the type of its context, which the caller knows.
    #[inline]
    pub(crate) const fn of(index: Untyped) -> Self {
        let context = PhantomData;
        Self { index, context }
    }

    /// Returns the index without the type of its context.
    #[inline]
    pub(crate) const fn untyped(self) -> Untyped {
        self.index
    }

    /// Returns the index as a number, which indexes
    /// [`Context::components`](crate::Context::components).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// assert_eq!(game.components()[index.get()].name(), "Health");
    /// ```
    #[inline]
    pub const fn get(self) -> usize {
        self.index.get()
    }
}

// By hand, because a derive would add a bound on `C`.
impl<C> Clone for ComponentIndex<C> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ComponentIndex<C> {}

impl<C> PartialEq for ComponentIndex<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<C> Eq for ComponentIndex<C> {}

impl<C> PartialOrd for ComponentIndex<C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> Ord for ComponentIndex<C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

impl<C> Hash for ComponentIndex<C> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<C> fmt::Debug for ComponentIndex<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.index, f)
    }
}
